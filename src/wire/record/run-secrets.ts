import type { Target } from '../../model/target.ts';
import { redactionMark } from './redaction.ts';
import { encodingsOf, createNeedles, type Needles, shortestNeedle } from './secret-index.ts';
import { isJose } from './secret-patterns.ts';

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

interface PublicTexts {
  readonly has: (text: string) => boolean;
  readonly holds: (text: string) => boolean;
}

/** No value has a line break in it. */
function createPublicTexts(values: readonly string[]): PublicTexts {
  const known = new Set(values);
  const all = [...known].join('\n');
  return { has: (text) => known.has(text), holds: (text) => all.includes(text) };
}

/** Tokens of the cases of a run that are looked for in those of all others; the oldest is given up for the newest. */
const mostRecent = 4000;
/** Places in the table of their beginnings. */
const table = 1 << 18;
/** Characters; and what a word has not: names of errors and kinds are no secrets. */
const shortestToken = 16;
const isToken = (secret: string): boolean =>
  secret.length >= shortestToken &&
  !isJose(secret) &&
  /^[!-~]+$/.test(secret) &&
  /\d/.test(secret) &&
  /[A-Za-z]/.test(secret);

export interface RunSecrets {
  /** A credential of the target file: it stays. */
  readonly keep: (what: string, secret: string) => void;
  /** What a case has learned, and its mark. */
  readonly share: (secret: string, mark: string) => void;
  readonly needles: Needles;
  /** Whether the target file or the interface states a text itself, so that it is no secret, whoever sends it. */
  readonly isStated: (text: string) => boolean;
  /** Whether a text stands in one that is stated. */
  readonly isPublic: (text: string) => boolean;
}

/** `stated` are values that no record hides. */
export function createRunSecrets(stated: readonly string[] = []): RunSecrets {
  const needles = createNeedles(table);
  const texts = createPublicTexts(stated);
  const recent = new Set<string>();
  return {
    keep: (what, secret) => {
      const mark = redactionMark(what, secret);
      for (const one of [secret, ...encodingsOf(secret)]) needles.add(one, mark);
    },
    share: (secret, mark) => {
      if (!isToken(secret) || !needles.add(secret, mark)) return;
      recent.add(secret);
      const [oldest] = recent;
      if (recent.size <= mostRecent || oldest === undefined) return;
      recent.delete(oldest);
      needles.remove(oldest);
    },
    needles,
    isStated: (text) => texts.has(text) && !needles.knows(text),
    isPublic: (text) => text.length >= shortestNeedle && texts.holds(text) && !needles.knows(text),
  };
}
