import { type CheckMismatch, defineCheck, type NamedCheck } from '../../../judge/check.ts';
import type { CallbackObservation } from '../../../judge/observation.ts';
import { readMember, renderPlain, readTextMember } from '../../../lib/json.ts';
import { MissingValue } from '../../../model/suite.ts';
import {
  defineCallbackCheck,
  listCallbacks,
  isCorrelationId,
  receivedBody,
  checkDirective,
  requireJson,
  splitWords,
} from './define-check.ts';

/** Milliseconds by which a callback may overtake the response. */
const maxOvertaking = 1000;

/** §2.6: tokens and error, which exclude each other. */
const exclusiveMembers = ['access_token', 'id_token', 'refresh_token', 'error'] as const;

const literalNulls: ReadonlySet<string> = new Set(['', 'null', 'undefined', 'none', 'nil']);

/** Whether both are the same bytes (C7.3): a header value has one character per byte (RFC 9110 §5.5), a token UTF-8. */
const isSameBytes = (value: string, token: string): boolean =>
  value === token || Buffer.from(value, 'latin1').equals(Buffer.from(token));

/** Describes the wrong Authorization headers without a credential. */
function describeCredentials(values: readonly string[], token: string): string {
  if (values.length === 0) return 'no Authorization header';
  if (values.length > 1) return `${values.length} Authorization headers`;
  const [scheme = '', ...rest] = (values[0] ?? '').split(' ');
  const credential = rest.join(' ').trim();
  if (scheme.toLowerCase() !== 'bearer') return `scheme ${scheme}`;
  if (credential === '') return 'bearer without a credential';
  return `bearer with ${credential.length} other characters than the ${token.length} of the token`;
}

/** §2.6: scope is what the user approved, so nothing beyond the request. */
function judgeCallbackScope({ body, sent }: CallbackObservation): readonly CheckMismatch[] {
  const asked = splitWords(sent.claims?.['scope']);
  const scope = readMember(body, 'scope');
  const given = Array.isArray(scope) ? scope.map(renderPlain) : splitWords(scope);
  const extra = given.filter((word) => !asked.includes(word));
  if (extra.length === 0) return [];
  return [{ path: 'body.scope', expected: `no scope but ${asked.join(' ')}`, actual: extra.join(' ') }];
}

/** Path and query in normal form (RFC 3986 §6.2.2): no dot segments, no escaped unreserved characters. */
function normalizeTarget(place: string): string {
  const decoded = place.replaceAll(/%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi, decodeURIComponent);
  const base = 'http://sp.test';
  if (!URL.canParse(decoded, base)) return decoded;
  const { pathname, search } = new URL(decoded, base);
  return `${pathname}${search}`;
}

/** Path and query of a request's notification_uri; undefined if it is no URL. */
function notificationTarget({ claims }: CallbackObservation['sent']): string | undefined {
  const uri = readTextMember(claims, 'notification_uri');
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  return uri.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '') || '/';
}

/** Checks of the delivery at the notification_uri (§4.2) and the values that it repeats (§2.1, §2.6). */
export const callbackChecks: readonly NamedCheck[] = [
  /** §4.2, §9.2: a POST whose request target is the notification_uri of the request, byte for byte. */
  defineCallbackCheck('delivered-to-named-uri', ({ method, target, sent }) => {
    const wanted = notificationTarget(sent);
    if (wanted === undefined || (method === 'POST' && target === wanted)) return [];
    return [{ path: 'target', expected: `POST ${wanted}`, actual: `${method} ${target}` }];
  }),

  /** §5.2: a delivery goes to a registered URI. Throws MissingValue if the registration is not known. */
  defineCallbackCheck('delivered-to-registered-uri', ({ target, sent, history }) => {
    const { registered = [] } = history ?? {};
    if (registered.length === 0) throw new MissingValue('the registration of the client');
    const named = notificationTarget(sent);
    // A delivery to another URI than the named, registered one breaks CB-001.
    if (registered.includes(target) || (named !== undefined && registered.includes(named))) return [];
    const isSpelling = registered.map(normalizeTarget).includes(normalizeTarget(target));
    const expected = `a delivery to ${registered.join(' or ')} alone`;
    return [{ ...(isSpelling ? { aspect: 'spelling' } : {}), path: 'target', expected, actual: target }];
  }),

  /** §4.2: the content-type is application/json. */
  defineCallbackCheck('content-type-application-json', ({ headers }) => requireJson(headers)),

  /** §4.2: cache-control has the directive no-cache. */
  defineCallbackCheck('cache-control-no-cache', ({ headers }) => checkDirective(headers, 'no-cache')),

  /** §4.2, §5.3: Authorization is one bearer credential, byte for byte the client_notification_token; the scheme's case is free. */
  defineCallbackCheck('bearer-is-notification-token', ({ headerLines, sent }) => {
    const token = readTextMember(sent.claims, 'client_notification_token');
    // An empty text may count as absent (P10), and no field value has these characters (RFC 9110 §5.5).
    if (token === undefined || token === '' || /[\0\r\n]/.test(token)) return [];
    const values = headerLines.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);
    const [value = ''] = values;
    if (values.length === 1 && /^bearer +/i.test(value) && isSameBytes(value.replace(/^bearer +/i, ''), token))
      return [];
    const expected = 'bearer and the client_notification_token of the request';
    return [{ path: 'headers.authorization', expected, actual: describeCredentials(values, token) }];
  }),

  /** §4.2: without a client_notification_token the header is free, but a literal null is no credential. */
  defineCallbackCheck('no-literal-bearer', ({ headers }) => {
    const given = headers['authorization'];
    if (given === undefined) return [];
    const credential = given.replace(/^bearer */i, '').trim();
    if (!literalNulls.has(credential.toLowerCase())) return [];
    return [{ path: 'headers.authorization', expected: 'no literal in place of a token', actual: given }];
  }),

  /** §2.6: correlation_id is optional on errors, but must be the request's; open if the request sent none of its pattern. */
  defineCallbackCheck('correlation-id-equal-where-present', ({ body, sent }) => {
    const given = readMember(body, 'correlation_id') ?? '';
    const wanted = readTextMember(sent.claims, 'correlation_id') ?? '';
    if (given === '' || given === wanted) return [];
    const isOpen = wanted === '' || !isCorrelationId(wanted);
    const expected = wanted === '' ? 'no correlation_id' : `correlation_id ${JSON.stringify(wanted)}`;
    return [{ ...(isOpen ? { aspect: 'open' } : {}), path: 'body.correlation_id', expected, actual: given }];
  }),

  defineCallbackCheck('scope-within-request', judgeCallbackScope),

  /** §2.6: error stands instead of tokens, so one of them is there. */
  defineCallbackCheck('tokens-or-an-error', ({ tokens, error }) =>
    tokens || error ? [] : [{ expected: 'an access_token or an error', actual: 'neither' }],
  ),

  /** §2.6: the life of the token, if present, is a JSON number above 0. */
  defineCallbackCheck('token-life-is-a-number', (callback) => {
    const life = readMember(receivedBody(callback), 'expires_in');
    if (life === undefined || (typeof life === 'number' && life > 0)) return [];
    return [{ path: 'body.expires_in', expected: 'a number above 0', actual: life }];
  }),

  /** C7.12: a missing token or error is left out of a callback or 200 response, not sent empty. */
  defineCheck('no-empty-token-or-error', (observation) => {
    const came = observation.kind === 'response' ? [observation] : listCallbacks(observation);
    return came.flatMap((message) =>
      exclusiveMembers
        .filter((name) => readMember(receivedBody(message), name) === '')
        .map((name) => ({ aspect: 'empty', path: `body.${name}`, expected: 'no such member', actual: '' })),
    );
  }),

  /** §4.1, §3: the result comes by callback after the 200, though a POST may overtake the response on its way. */
  defineCallbackCheck('callback-after-the-response', ({ ahead = 0 }) => {
    if (ahead <= maxOvertaking) return [];
    const actual = `${(ahead / 1000).toFixed(1)} s before it`;
    return [{ expected: 'a callback after the response to its request', actual }];
  }),
];
