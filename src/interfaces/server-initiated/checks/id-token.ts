import { defineCheck, type NamedCheck } from '../../../judge/check.ts';
import { readMember, readTextMember, equalsJson } from '../../../lib/json.ts';
import { defineCallbackCheck } from './define-check.ts';

function decodeContextEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text is a context decoded twice, and neither the context as sent nor decoded once (C1.2). */
function isDecodedTwice(given: unknown, sent: string): boolean {
  const once = decodeContextEscapes(sent);
  return given !== sent && given !== once && given === decodeContextEscapes(once);
}

/** Checks of the context on the phone (§2.3). */
export const contextTextChecks: readonly NamedCheck[] = [
  defineCheck('card-context-not-decoded-twice', (observation) => {
    if (observation.kind !== 'look' || observation.sent === undefined) return [];
    const sent = readTextMember(observation.sent.claims, 'context') ?? '';
    const shown = readMember(observation.card, 'context');
    if (!isDecodedTwice(shown, sent)) return [];
    const expected = `${sent}, or ${decodeContextEscapes(sent)} where escapes are decoded`;
    return [{ path: 'card.context', expected, actual: shown ?? null }];
  }),
];

/** §2.3, §8: an authentication less than 60 s old may satisfy prompt login. */
const loginGuardSeconds = 60;

/** A17: only text that the pattern surely allows must be equal; percent signs are read in more than one way (C1.2). */
const plainContextPattern = /^[A-Za-z0-9-]{8,240}$/;

/** Checks of the id token's claims that come from the request object (§2.3). */
export const idTokenChecks: readonly NamedCheck[] = [
  /** §2.3 prompt login: the user authenticated for this request. A missing auth_time is not wrong. */
  defineCallbackCheck('auth-time-is-of-the-request', ({ idToken, sent }) => {
    const iat = sent.claims?.['iat'];
    const authTime = idToken?.['auth_time'];
    if (authTime === undefined || typeof iat !== 'number') return [];
    if (typeof authTime === 'number' && authTime >= iat - loginGuardSeconds) return [];
    const expected = `auth_time not before ${iat - loginGuardSeconds}, ${loginGuardSeconds} s before the request was signed`;
    return [{ path: 'idToken.auth_time', expected, actual: authTime }];
  }),

  /** §2.3 context: the id token carries it in clear text; a carrier that shows less may truncate it. */
  defineCallbackCheck('id-token-context-is-the-text', ({ idToken, sent }) => {
    const wanted = readTextMember(sent.claims, 'context');
    if (idToken === undefined || wanted === undefined) return [];
    const given = idToken['context'];
    if (given === wanted || !(plainContextPattern.test(wanted) || isDecodedTwice(given, wanted))) return [];
    const found = { path: 'idToken.context', expected: `context ${JSON.stringify(wanted)}`, actual: given ?? null };
    const beginning = typeof given === 'string' ? given.replace(/(?:\.{3}|…)$/, '') : '';
    const isCut = beginning !== '' && wanted.startsWith(beginning);
    return [isCut ? { ...found, aspect: 'truncated' } : found];
  }),

  /** §2.3 nonce: the id token repeats it; an empty one may be left out, and none is invented. */
  defineCallbackCheck('id-token-nonce-as-sent', ({ idToken, sent }) => {
    if (idToken === undefined) return [];
    const wanted = sent.claims?.['nonce'];
    const given = idToken['nonce'];
    if (equalsJson(wanted, given) || ((wanted ?? '') === '' && (given ?? null) === null)) return [];
    const expected = wanted === undefined ? 'no nonce' : `nonce ${JSON.stringify(wanted)}`;
    return [{ path: 'idToken.nonce', expected, actual: given ?? null }];
  }),

  /** §2.3 sub: it names the SP; login_hint names the person, unless a login_hint_token takes precedence. */
  defineCallbackCheck('id-token-names-the-hinted-subscriber', ({ idToken, sent }) => {
    const hint = readTextMember(sent.claims, 'login_hint');
    if (sent.claims?.['login_hint_token'] !== undefined) return [];
    if (idToken === undefined || hint === undefined || !/^\d{5,6}-/.test(hint) || idToken['sub'] === hint) return [];
    return [{ path: 'idToken.sub', expected: `the login_hint ${hint}`, actual: idToken['sub'] ?? null }];
  }),

  /** §2.3: the login_hint_token takes precedence, so the result is not for the user of login_hint. */
  defineCallbackCheck('hint-token-has-precedence', ({ idToken, sent }) => {
    const hint = readTextMember(sent.claims, 'login_hint');
    const token = readTextMember(sent.claims, 'login_hint_token');
    if (hint === undefined || token === undefined || idToken?.['sub'] !== hint) return [];
    return [{ path: 'idToken.sub', expected: 'the user of login_hint_token', actual: `${hint}, the login_hint` }];
  }),
];
