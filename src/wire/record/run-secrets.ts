import type { Target } from '../../model/target.ts';
import { redactionMark } from './redaction-marks.ts';
import { secretEncodings, createNeedles, type Needles, minNeedleLength } from './secret-index.ts';
import { isJose } from './secret-patterns.ts';

const mediaTypes = ['application/json', 'application/x-www-form-urlencoded', 'application/jwt', 'text/plain'];

/** Members of a public key (RFC 7518 §6.2.1, §6.3.1). */
const publicKeyMembers = ['n', 'x', 'y'];

/** Removes the password that may stand before a URL's host. */
const withoutUserinfo = (value: string): string => value.replace(/\/\/[^/?#]*@/, '//');

function clientPublicValues({ clientId, keys, redirectUris, notificationUris, ...client }: Target['clients'][number]) {
  const ofKeys = keys.flatMap(({ kid, jwk }) => [kid, ...publicKeyMembers.map((name) => jwk[name])]);
  return [clientId, ...redirectUris, ...notificationUris, client.eventUri, ...(client.scopes ?? []), ...ofKeys];
}

/** Values in the target file that are not secret, in any role. */
export function targetPublicValues(target: Target): readonly string[] {
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
    ...clients.flatMap(clientPublicValues),
    ...subscribers.flatMap(({ phone, subs }) => [phone, ...Object.values(subs)]),
  ];
  return values.flatMap((value) => (typeof value === 'string' ? [withoutUserinfo(value)] : []));
}

interface PublicTexts {
  readonly has: (text: string) => boolean;
  readonly holds: (text: string) => boolean;
}

/** Joined by line breaks, because no value contains one. */
function createPublicTexts(values: readonly string[]): PublicTexts {
  const known = new Set(values);
  const all = [...known].join('\n');
  return { has: (text) => known.has(text), holds: (text) => all.includes(text) };
}

/** Tokens of the run's cases that are looked for in all other cases; the newest replaces the oldest. */
const maxRecentTokens = 4000;
/** Size of the hash table of their beginnings. */
const tokenTableSize = 1 << 18;
/** Minimum characters of a token. A token also has a digit and a letter, so that names of errors and kinds are not taken for secrets. */
const minTokenLength = 16;
const isToken = (secret: string): boolean =>
  secret.length >= minTokenLength &&
  !isJose(secret) &&
  /^[!-~]+$/.test(secret) &&
  /\d/.test(secret) &&
  /[A-Za-z]/.test(secret);

export interface RunSecrets {
  /** Adds a credential of the target file, for the whole run. */
  readonly keep: (what: string, secret: string) => void;
  /** Adds a secret that a case has learned, with its mark. */
  readonly share: (secret: string, mark: string) => void;
  readonly needles: Needles;
  /** Whether the target file or the interface states exactly this text, so that it is not a secret in any message. */
  readonly isStated: (text: string) => boolean;
  /** Whether the text occurs in a stated one. */
  readonly isPublic: (text: string) => boolean;
}

/** `stated` are values that no record hides. */
export function createRunSecrets(stated: readonly string[] = []): RunSecrets {
  const needles = createNeedles(tokenTableSize);
  const texts = createPublicTexts(stated);
  const recent = new Set<string>();
  return {
    keep: (what, secret) => {
      const mark = redactionMark(what, secret);
      for (const one of [secret, ...secretEncodings(secret)]) needles.add(one, mark);
    },
    share: (secret, mark) => {
      if (!isToken(secret) || !needles.add(secret, mark)) return;
      recent.add(secret);
      const [oldest] = recent;
      if (recent.size <= maxRecentTokens || oldest === undefined) return;
      recent.delete(oldest);
      needles.remove(oldest);
    },
    needles,
    isStated: (text) => texts.has(text) && !needles.knows(text),
    isPublic: (text) => text.length >= minNeedleLength && texts.holds(text) && !needles.knows(text),
  };
}
