import type { Target } from '../../model/target.ts';

/** Media types that requests and drivers name. */
const mediaTypes = ['application/json', 'application/x-www-form-urlencoded', 'application/jwt', 'text/plain'];

/** Members of a public key (RFC 7518 §6.2.1, §6.3.1). */
const publicMembers = ['n', 'x', 'y'];

/** A URL may have a password before its host. */
const withoutUserinfo = (value: string): string => value.replace(/\/\/[^/?#]*@/, '//');

function publicValuesOfClient({
  clientId,
  keys,
  redirectUris,
  notificationUris,
  ...client
}: Target['clients'][number]) {
  const ofKeys = keys.flatMap(({ kid, jwk }) => [kid, ...publicMembers.map((name) => jwk[name])]);
  return [clientId, ...redirectUris, ...notificationUris, client.eventUri, ...(client.scopes ?? []), ...ofKeys];
}

/** What the target file states that is no secret, in whatever role a case uses it. */
export function publicValuesOf(target: Target): readonly string[] {
  const { clients, subscribers, carrierCodes, receiver } = target;
  const values: readonly unknown[] = [
    ...mediaTypes,
    target.name,
    target.mccmnc,
    ...(carrierCodes?.own ?? []),
    ...(carrierCodes?.foreign ?? []),
    target.discovery,
    target.issuer,
    target.assertionAudience,
    ...Object.values(target.endpoints),
    ...(target.origins ?? []),
    receiver.url,
    receiver.wrongCertificate?.uri,
    ...(target.attributes ?? []),
    ...clients.flatMap(publicValuesOfClient),
    ...subscribers.flatMap(({ phone, subs }) => [phone, ...Object.values(subs)]),
  ];
  return values.flatMap((value) => (typeof value === 'string' ? [withoutUserinfo(value)] : []));
}

/** Texts that no record hides. */
export interface PublicTexts {
  /** It is one of them. */
  readonly has: (text: string) => boolean;
  /** It stands in one of them. */
  readonly holds: (text: string) => boolean;
}

/** No value has a line break in it. */
export function createPublicTexts(values: readonly string[]): PublicTexts {
  const known = new Set(values);
  const all = [...known].join('\n');
  return { has: (text) => known.has(text), holds: (text) => all.includes(text) };
}
