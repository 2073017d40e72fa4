import { importPublicJwk } from '../jose/jws.ts';
import { words } from '../json.ts';
import {
  check,
  hasClaim,
  type KeyContext,
  optionalString,
  requireInteger,
  requireString,
  nowInSeconds,
} from '../context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 iat: integer, epoch seconds. */
export const iatIsAnInteger = check('iat-is-an-integer', (context: KeyContext) => void requireInteger(context, 'iat'));

/** §5.1: a request object is at most 5 minutes old; one from the future is refused. */
export const iatWithin5Minutes = check('iat-within-5-minutes', (context: KeyContext) => {
  const age = nowInSeconds(context) - Number(context.claims['iat']);
  if (age > context.policy.iatMaxAge) refuse('invalid_request', 'iat is more than 5 minutes ago');
  if (-age > context.policy.iatMaxAhead) refuse('invalid_request', 'iat is in the future');
});

/** §2.3 exp: integer, epoch seconds. */
export const expIsAnInteger = check('exp-is-an-integer', (context: KeyContext) => void requireInteger(context, 'exp'));

/** RFC 7519 §4.1.4: now is before exp; exp is after iat. */
export const expHasNotPassed = check('exp-has-not-passed', (context: KeyContext) => {
  const exp = Number(context.claims['exp']);
  if (exp + context.policy.expLeeway <= nowInSeconds(context)) refuse('invalid_request', 'exp has passed');
  if (exp <= Number(context.claims['iat'])) refuse('invalid_request', 'exp is not after iat');
});

/** §5.1: exp at most 5 minutes ahead. */
export const expWithin5Minutes = check('exp-within-5-minutes', (context: KeyContext) => {
  if (Number(context.claims['exp']) - nowInSeconds(context) > context.policy.expMaxAhead) {
    refuse('invalid_request', 'exp is more than 5 minutes ahead');
  }
});

/** RFC 7519 §4.1.5: not before nbf. */
export const notBeforeHasCome = check('not-before-has-come', (context: KeyContext) => {
  if (!hasClaim(context, 'nbf')) return;
  if (requireInteger(context, 'nbf') > nowInSeconds(context) + context.policy.notBeforeLeeway) {
    refuse('invalid_request', 'nbf is in the future');
  }
});

/** §2.3 jti: optional, a string. */
export const jtiIsAString = check('jti-is-a-string', (context: KeyContext) => void optionalString(context, 'jti'));

/** §2.3 expires_in: a JSON integer, at least one second. */
export const expiresInIsAnInteger = check('expires-in-is-an-integer', (context: KeyContext) => {
  if (requireInteger(context, 'expires_in') < 1) refuse('invalid_request', 'expires_in must be at least 1');
});

/** §2.3 expires_in: carriers may error above 48 hours. */
export const expiresInWithin48Hours = check('expires-in-within-48-hours', ({ claims, policy }: KeyContext) => {
  if (Number(claims['expires_in']) > policy.maxExpiresIn) refuse('invalid_request', 'expires_in is above 48 hours');
});

/** §2.3 response_type: async_token, as the text spells it (A1). */
export const responseTypeIsAsyncToken = check('response-type-is-async-token', (context: KeyContext) => {
  if (context.claims['response_type'] === '') refuse('unsupported_response_type', 'response_type must be async_token');
  if (requireString(context, 'response_type') !== 'async_token') {
    refuse('unsupported_response_type', 'response_type must be async_token');
  }
});

/** §2.3 redirect_uri: equals a registered URI, character by character; registration admits https and custom schemes only. */
export const redirectUriRegistered = check('redirect-uri-registered', (context: KeyContext) => {
  if (!context.client.redirectUris.includes(requireString(context, 'redirect_uri'))) {
    refuse('invalid_request', 'redirect_uri is not registered for the client');
  }
});

/** §5.2: notification_uri is registered for this client_id. */
export const notificationUriRegistered = check('notification-uri-registered', (context: KeyContext) => {
  if (!context.client.notificationUris.includes(requireString(context, 'notification_uri'))) {
    refuse('invalid_request', 'notification_uri is not registered for the client');
  }
});

/** §5.3: it is sent back as a bearer credential, so it is a b64token (RFC 6750 §2.1). */
export const notificationTokenIsB64token = check('notification-token-is-b64token', (context: KeyContext) => {
  const token = optionalString(context, 'client_notification_token');
  if (token === undefined) return;
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token) || token.length > context.policy.notificationTokenMax) {
    refuse('invalid_request', 'client_notification_token must be 1 to 1024 characters of a bearer token');
  }
});

/** §2.3 scope: a space-separated list of scopes that the portal approved for this client (§2.12). */
export const scopeIsAllowed = check('scope-is-allowed', ({ claims, client }: KeyContext) => {
  const scope = claims['scope'];
  const named = typeof scope === 'string' ? words(scope) : [];
  if (named.length === 0) refuse('invalid_scope', 'scope is required and must name a scope');
  if (!named.every((word) => client.scopes.includes(word))) {
    refuse('invalid_scope', 'scope names one that the client may not ask for');
  }
});

/** §2.3 state, nonce: strings, carried unchanged. */
export const stateAndNonceAreStrings = check('state-and-nonce-are-strings', (context: KeyContext) => {
  for (const name of ['state', 'nonce']) {
    const value = optionalString(context, name) ?? '';
    if (value.length > context.policy.stateMax) refuse('invalid_request', `${name} is too long`);
  }
});

/** OIDC Core §3.1.2.1: none with any other value is an error. */
export const promptNoneStandsAlone = check('prompt-none-stands-alone', (context: KeyContext) => {
  const prompt = words(optionalString(context, 'prompt') ?? '');
  if (prompt.includes('none') && prompt.length > 1) refuse('invalid_request', 'prompt none must stand alone');
});

/** §2.3 options: a space-separated list; unknown words are ignored (§9.5). */
export const optionsIsAList = check(
  'options-is-a-list',
  (context: KeyContext) => void optionalString(context, 'options'),
);

/** §2.3 acr_values: one of a1 and a3; a2 must not be used and anything else is not recognized. */
export const acrIsA1OrA3 = check('acr-is-a1-or-a3', (context: KeyContext) => {
  const acr = optionalString(context, 'acr_values');
  if (acr !== undefined && acr !== 'a1' && acr !== 'a3') refuse('invalid_request', 'acr_values must be a1 or a3');
});

const controlCharacter = /\p{Cc}/u;

/** §2.3 context: text for a person to read; control characters are outside every reading of the pattern (A17). */
export const contextWithoutControlCharacters = check('context-without-control-characters', (context: KeyContext) => {
  const text = optionalString(context, 'context');
  if (text !== undefined && controlCharacter.test(text)) {
    refuse('invalid_request', 'context holds control characters');
  }
});

/** §2.3 context: 8 to 240 code points of the clear text; other printable characters are allowed (A17, C1.2). */
export const context8To240 = check('context-8-to-240', (context: KeyContext) => {
  const text = optionalString(context, 'context');
  if (text === undefined) return;
  const { contextMin, contextMax } = context.policy;
  const length = countCodePoints(text);
  if (length > contextMax) refuse('invalid_request', 'context exceeds 240 characters');
  if (length < contextMin) refuse('invalid_request', 'context is shorter than 8 characters');
});

/** Decodes percent escapes once; returns a malformed text unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Counts as §8 does: an emoji of two UTF-16 units is one character. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** §2.3 correlation_id: up to 128 letters, digits, hyphens and underscores. */
export const correlationIdPattern = check('correlation-id-pattern', (context: KeyContext) => {
  const id = optionalString(context, 'correlation_id');
  if (id === undefined) return;
  if (!/^[A-Za-z0-9\-_]*$/.test(id) || id.length > context.policy.correlationIdMax) {
    refuse('invalid_request', 'correlation_id must be at most 128 letters, digits, hyphens and underscores');
  }
});

/** §2.3 referred_binding: a public JWK strong enough to bind a token to. */
export const referredBindingIsAPublicKey = check('referred-binding-is-a-public-key', (context: KeyContext) => {
  if (hasClaim(context, 'referred_binding') && importPublicJwk(context.claims['referred_binding']) === undefined) {
    refuse('invalid_request', 'referred_binding must be a public JWK: RSA of 2048 bits or more, or EC P-256');
  }
});

/** §2.1: a carrier may reject a request if its inside and outside values differ; by default they are ignored. */
export const outsideValuesAgree = check('outside-values-agree', (context: KeyContext) => {
  if (context.policy.outside === 'ignore') return;
  for (const [name, value] of Object.entries(context.outside)) {
    if (!hasClaim(context, name) || name === 'sdk_version') continue;
    if (JSON.stringify(value) !== JSON.stringify(context.claims[name])) {
      refuse('invalid_request', 'a value differs inside and outside the request object');
    }
  }
});

/** §2.3: one of login_hint and login_hint_token is required. */
export const oneLoginHint = check('one-login-hint', (context: KeyContext) => {
  if (!hasClaim(context, 'login_hint') && !hasClaim(context, 'login_hint_token')) {
    refuse('invalid_request', 'login_hint is required');
  }
});
