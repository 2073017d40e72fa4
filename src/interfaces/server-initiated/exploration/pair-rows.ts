import type { JsonObject } from '../../../lib/json.ts';
import { acceptedRule } from './part.ts';

/** Two requests, of which the second is judged by the first. */
export interface Pair {
  readonly title: string;
  readonly rule: string;
  readonly needs: string;
  /** What each of them has beside the combination. */
  readonly first: JsonObject;
  readonly second: (first: string) => JsonObject;
  readonly expectFirst: JsonObject;
  readonly expectSecond: (first: string) => JsonObject;
  /** Parts that do not vary. */
  readonly fixed: readonly string[];
  /** Steps before both, whose names begin with `prefix`. */
  readonly before?: (prefix: string) => readonly JsonObject[];
  /** Both are refused, and may be so for another reason as well. */
  readonly refused?: true;
}

/** What a pair expects of a request that is good. */
export const accepted: JsonObject = { outcome: 'accepted', rule: acceptedRule };
const unknownSub = '{{ target.mccmnc }}-{{ fresh() }}{{ fresh() }}';
const unknownPhone = '+19995550199';

/** SEC-35: what is refused to an SP for one user is refused for the other in the same words. */
const alike = (needs: string, who: string, [known, unknown]: readonly [string, string]): Pair => ({
  title: `${who} is refused as one that is unknown`,
  rule: 'SEC-35',
  needs,
  first: { claims: { login_hint: unknown } },
  second: () => ({ claims: { login_hint: known } }),
  expectFirst: { outcome: 'denied', rule: 'FLOW-004' },
  expectSecond: (first) => ({ rule: 'SEC-35', like: first }),
  fixed: ['claims.login_hint', 'client and key', 'who and how'],
  refused: true,
});

/** §2.3 jti. */
export const replay: Pair = {
  title: 'A jti is used once, whatever else is in the second request',
  rule: 'REQ-015',
  needs: '',
  first: {},
  second: (first) => ({ claims: { jti: `{{ ${first}.claims.jti }}` } }),
  expectFirst: accepted,
  expectSecond: () => ({ outcome: 'denied-or-dropped', rule: 'REQ-015' }),
  fixed: ['claims.jti'],
};

/** An object that is signed and not sent has a fresh jti, which the first request takes for another claim as well. */
export const replaysOfEqual = ['nonce', 'state', 'correlation_id'].map(
  (claim): Pair => ({
    ...replay,
    title: `A jti is used once, also where ${claim} equals it`,
    before: (prefix) => [{ as: `${prefix}object`, sign: { base: 'request-object' } }],
    first: { claims: { jti: '{{ @object.claims.jti }}', [claim]: '{{ @object.claims.jti }}' } },
    second: () => ({ claims: { jti: '{{ @object.claims.jti }}', [claim]: '{{ @object.claims.jti }}' } }),
    fixed: ['claims.jti', `claims.${claim}`],
  }),
);

/** SEC-35: users, and what an SP may not learn of them. */
export const users: readonly Pair[] = [
  alike('unconsented', 'A user who is unconsented', ['{{ subscribers.unconsented.sub }}', unknownSub]),
  alike('unenrolled', 'A user who is unenrolled', ['{{ subscribers.unenrolled.sub }}', unknownSub]),
  alike('no enum', 'The phone number of a user', ['{{ subscriber.phone }}', unknownPhone]),
];

/** What is open for itself, yet as open for one user as for the other. */
export const openForAll: readonly JsonObject[] = [
  { claims: { prompt: 'none' } },
  { claims: { prompt: 'none', acr_values: 'a1' } },
  { claims: { prompt: 'select_account' } },
  { claims: { scope: 'openid unregistered' } },
];
