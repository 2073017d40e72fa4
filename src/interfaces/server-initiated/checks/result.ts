import {
  comparisonCase,
  defineCheck,
  defineRunCheck,
  defineSequenceCheck,
  type NamedCheck,
  mismatchPlace,
} from '../../../judge/check.ts';
import { summarizeCallback } from '../../../judge/classify.ts';
import type { CallbackObservation, DriverCallRecord } from '../../../judge/observation.ts';
import { readMember, readTextMember, renderPlain } from '../../../lib/json.ts';

/** Result that a callback carries; repeated deliveries of a result agree in it. */
const callbackResult = ({ tokens, body }: CallbackObservation): string =>
  tokens
    ? `tokens ${renderPlain(readMember(body, 'access_token'))}`
    : `error ${renderPlain(readMember(body, 'error'))}`;

/** Whether a driver denied the request and none approved it: neither code nor time tells a denial from a time-out (C7.2). */
function isDriverDenial(calls: readonly DriverCallRecord[]): boolean {
  const decisions = calls.filter(({ action }) => action === 'approve' || action === 'deny');
  return decisions.length > 0 && decisions.every(({ action, done }) => action === 'deny' && done === true);
}

/** Delivered error, and the driver calls for its request, which may end after the callback. */
interface DeliveredError extends ReturnType<typeof mismatchPlace> {
  readonly error: string;
  readonly calls: readonly DriverCallRecord[];
}

/** Splits a URI into the part before its query, and the state in its query or fragment, if a plus sign is read as `plus`. */
function splitOpenedUri(uri: string, plus: '+' | '%2B'): { readonly base: string; readonly carried: string | null } {
  const [, base = '', ...parts] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(uri) ?? [];
  const [query, fragment] = parts.map((part) => new URLSearchParams(part.replaceAll('+', plus)).get('state'));
  return { base, carried: query ?? fragment ?? null };
}

/** Checks of the result of a request (§2.3, §3). */
export const resultChecks: readonly NamedCheck[] = [
  /** §2.3 prompt: a request ends in a refusal at once, or in a callback. */
  defineCheck('request-has-a-result', (observation) => {
    if (observation.kind !== 'await' || observation.count > 0 || observation.sent.outcome === 'denied') return [];
    return [
      { expected: 'a refusal or a callback', actual: `${observation.sent.summary}, then ${observation.summary}` },
    ];
  }),

  /** §3: completed, denied and timed out exclude each other; §2.6: error stands instead of tokens. */
  defineSequenceCheck('one-outcome-per-request', () => {
    const firsts = new Map<string, { readonly result: string; readonly summary: string; readonly seenIn: string }>();
    return (message) => {
      if (!('callback' in message)) return undefined;
      const { callback } = message;
      const id = renderPlain(readMember(callback.sent.body, 'auth_req_id') ?? callback.sent.message);
      const { seenIn } = message;
      const found = { result: callbackResult(callback), summary: summarizeCallback(callback), seenIn };
      const first = firsts.get(id) ?? found;
      firsts.set(id, first);
      return [
        ...(callback.tokens && callback.error
          ? [{ expected: 'tokens or an error, never both', actual: found.summary }]
          : []),
        ...(first.result === found.result
          ? []
          : [
              {
                expected: 'one result for one auth_req_id',
                actual: `${first.summary}, then ${found.summary}`,
                ...comparisonCase(first, message),
              },
            ]),
      ];
    };
  }),

  /** §2.6: every denial has the same error code. A second result of a request is another finding. */
  defineRunCheck('denial-codes-consistent', () => {
    const errors: DeliveredError[] = [];
    const ended = new Set<string>();
    return {
      observe: (message) => {
        if (!('callback' in message)) return;
        const { body, history, sent } = message.callback;
        if (ended.has(sent.message)) return;
        ended.add(sent.message);
        const error = readTextMember(body, 'error');
        if (error !== undefined && history !== undefined)
          errors.push({ error, calls: history.calls, ...mismatchPlace(message) });
      },
      conclude: () => {
        const denials = errors.filter(({ calls }) => isDriverDenial(calls));
        const [first] = denials;
        const mismatches = denials.flatMap(({ error: actual, message, seenIn }) => {
          if (first === undefined || actual === first.error) return [];
          const expected = `${first.error}, as in the first denial`;
          return [{ path: 'body.error', expected, actual, message, seenIn, ...comparisonCase(first, { seenIn }) }];
        });
        return { mismatches, judged: denials.length };
      },
    };
  }),

  /** §2.3 options local_redirect: the phone opens the redirect_uri with the client state. */
  defineCheck('opened-uri-is-redirect-with-state', (observation) => {
    if (observation.kind !== 'look' || observation.sent === undefined) return [];
    const opened = readMember(observation.card, 'openedUri');
    const redirect = readTextMember(observation.sent.claims, 'redirect_uri') ?? '';
    const state = readTextMember(observation.sent.claims, 'state');
    // §2.3 names no encoding: a plus sign is itself in a query (RFC 3986), and a blank in a form.
    const readings = (['+', '%2B'] as const).map((plus) =>
      splitOpenedUri(typeof opened === 'string' ? opened : '', plus),
    );
    const wanted = redirect.replace(/[?#].*$/s, '');
    if (readings.some(({ base, carried }) => base === wanted && carried === (state ?? null))) return [];
    const expected = `${redirect} with state ${state ?? '(none)'}`;
    return [{ path: 'card.openedUri', expected, actual: opened ?? null }];
  }),
];
