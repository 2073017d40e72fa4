import type { Json, JsonObject } from '../../lib/json.ts';
import type { MadeCase } from './suite-text.ts';

/** Steps that end in an error or in nothing, whatever they get. */
type Ending = readonly JsonObject[];

const unjudged = (step: JsonObject): Ending => [{ control: false, ...step }];

/** Requests that are refused at once; after-endings.suite.yaml has the request, the query and user info after them. */
const refusedRequests: readonly Ending[] = [
  { claims: { login_hint: "{{ concat(target.mccmnc, '-', fresh(), fresh()) }}" } },
  { claims: { redirect_uri: 'https://not-registered.example/cb' } },
  { claims: { iat: '{{ now - 24h }}', exp: '{{ now - 23h }}' } },
  { claims: { aud: 'https://another-carrier.example' } },
  { key: 'unregistered' },
  { tamper: 'no-signature' },
  { text: '{' },
  { text: '' },
  { text: "{{ repeat('{', 2000) }}" },
  { method: 'PUT' },
  { headers: { connection: 'close' }, claims: { scope: '' } },
].map((difference) => unjudged({ authorize: difference }));

const bearer = { authorization: 'Bearer {{ fresh() }}{{ fresh() }}' };
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Calls of endpoints that every carrier has, which fail. */
const failedCalls: readonly Ending[] = [
  unjudged({ http: { to: 'userinfo', headers: bearer } }),
  unjudged({ http: { to: 'userinfo', method: 'DELETE', headers: bearer } }),
  unjudged({ http: { to: 'token', form: { grant_type: 'authorization_code', code: '{{ fresh() }}' } } }),
  unjudged({ http: { to: 'token', text: '{' } }),
];

const failedQueries: readonly Ending[] = [
  unjudged({ usertrait: { proof: { absent: true } } }),
  unjudged({ usertrait: { members: { usertrait: 'another_trait' } } }),
  unjudged({ usertrait: { text: '{' } }),
];

const failedDiscovery: readonly Ending[] = [
  unjudged({ http: { to: 'discovery', query: { mccmnc: 'abcdef' } } }),
  unjudged({ http: { to: 'discovery', method: 'DELETE' } }),
];

const cancellation = (name: string, id: string): readonly JsonObject[] => [
  { as: `${name}-assertion`, sign: { base: 'client-assertion' } },
  {
    http: {
      to: 'cancel',
      parameters: {
        auth_req_id: id,
        client_assertion_type: assertionType,
        client_assertion: `{{ ${name}-assertion.jws }}`,
      },
    },
    control: false,
  },
];

const accepted = (rule: string): JsonObject => ({ outcome: 'accepted', rule });

const query: JsonObject = { usertrait: {}, expect: accepted('UT-001') };
/** User info with the tokens of a step. */
const profileOf = (tokens: string): JsonObject => ({
  http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${tokens}.body.access_token }}` } },
  expect: accepted('CB-025'),
});
const profile = profileOf('tokens');
const keySet: JsonObject = { http: { to: 'jwks' }, expect: accepted('DSC-007') };
const configuration: JsonObject = { http: { to: 'discovery' }, expect: accepted('DSC-001') };

/** A request that must be accepted, and is approved so that it waits no longer. */
const request = (name: string): readonly JsonObject[] => [
  { as: name, authorize: {}, expect: accepted('FLOW-001') },
  { trigger: { action: 'approve', of: name } },
  { control: true, await: 'callback', of: name, expect: 'completed' },
];

/** A request that is approved, and the tokens that later calls use. */
const takeTokens = (request: string, tokens: string): readonly JsonObject[] => [
  { as: request, authorize: {} },
  { trigger: { action: 'approve', of: request } },
  { as: tokens, control: true, await: 'callback', of: request, expect: 'completed' },
];
const withTokens = takeTokens('first', 'tokens');

/** Each call alone, then each call right after each ending. */
const walk = (endings: readonly Ending[], ...calls: readonly JsonObject[]): readonly JsonObject[] => [
  ...calls.map((call) => ({ ...call, control: true })),
  ...endings.flatMap((ending) => calls.flatMap((call) => [...ending, call])),
];

const requestAfterEach = (endings: readonly Ending[]): readonly JsonObject[] =>
  endings.flatMap((ending, at) => [...ending, ...request(`after-${at + 1}`)]);

const made = (
  [id, title]: readonly [string, string],
  rule: Json,
  steps: readonly JsonObject[],
  ...requires: readonly string[]
): MadeCase => ({
  id,
  title,
  rule,
  setting: { cites: ['P12', 'C8.14'], ...(requires.length === 0 ? {} : { requires }) },
  steps,
});

/** How a request ends, by the name of its step: what ends it, and its result, which may come minutes later. */
interface Decision {
  readonly end: (of: string) => readonly JsonObject[];
  readonly result: (of: string) => readonly JsonObject[];
  /** It may take longer than a token lives, so user info is asked for with new tokens. */
  readonly isLong?: true;
}

const decided = (action: string, outcome: string): Decision => ({
  end: (of) => [{ trigger: { action, of } }],
  result: (of) => [{ control: true, await: 'callback', of, expect: outcome }],
});

const decisions: Readonly<Record<string, Decision>> = {
  'an-approval': decided('approve', 'completed'),
  'a-denial': decided('deny', 'failed'),
  'a-time-out': {
    end: (of) => [{ control: false, await: 'callback', of, until: `${of} + ${of}.granted + 5s` }],
    result: () => [],
    isLong: true,
  },
  'a-cancellation': { end: (of) => cancellation(of, `{{ ${of}.body.auth_req_id }}`), result: () => [] },
};

/** User info comes first: of the calls it alone needs a token, whose life may be as short as a few requests. */
const callsAfterDecisions = [profile, query, keySet];

const afterDecision = ([name, { end, result, isLong }]: readonly [string, Decision]): MadeCase =>
  made(
    [
      `calls-after-${name}`,
      `A query, user info and the key set are answered right after ${name.replaceAll('-', ' ').replace('time out', 'time-out')}`,
    ],
    ['UT-001', 'CB-025', 'DSC-007'],
    [
      ...withTokens,
      ...callsAfterDecisions.map((call) => ({ ...call, control: true })),
      ...callsAfterDecisions.flatMap((call, at) => {
        const of = `ended-${at + 1}`;
        const isAnew = isLong === true && call === profile;
        const called = isAnew ? [...takeTokens('anew', 'new-tokens'), profileOf('new-tokens')] : [call];
        return [{ as: of, authorize: { claims: { expires_in: 60 } } }, ...end(of), ...called, ...result(of)];
      }),
    ],
    ...(name === 'a-cancellation' ? ['cancel', 'cancel-payload'] : []),
  );

/** Each kind of call right after each kind of ending, as far as after-endings.suite.yaml does not have the pair. */
export const afterEndingCases: readonly MadeCase[] = [
  made(
    [
      'key-set-after-failed-calls',
      'The key set is answered after a refused request, and after a failed call of user info or tokens',
    ],
    'DSC-007',
    walk([...refusedRequests, ...failedCalls], keySet),
  ),
  made(
    [
      'configuration-after-failed-calls',
      'Discovery is answered after a refused request, and after a failed call of any endpoint',
    ],
    'DSC-001',
    walk([...refusedRequests, ...failedCalls, ...failedDiscovery], configuration),
    'discovery',
  ),
  made(
    [
      'query-after-failed-calls',
      'A valid query is answered after a failed call of user info or tokens, and after a failed query',
    ],
    'UT-001',
    walk([...failedCalls, ...failedQueries], query),
  ),
  made(['user-info-after-failed-calls', 'User info is given after a failed call of user info or tokens'], 'CB-025', [
    ...withTokens,
    ...walk(failedCalls, profile),
  ]),
  made(
    ['calls-after-failed-queries', 'User info and the key set are answered after a failed query'],
    ['CB-025', 'DSC-007'],
    [...withTokens, ...walk(failedQueries, profile, keySet)],
  ),
  made(
    [
      'calls-after-failed-discovery',
      'A query, user info and the key set are answered after a failed call of discovery',
    ],
    ['UT-001', 'CB-025', 'DSC-007'],
    [...withTokens, ...walk(failedDiscovery, query, profile, keySet)],
    'discovery',
  ),
  made(
    ['request-after-failed-calls', 'A valid request is accepted after a failed call of user info or tokens'],
    'FLOW-001',
    [...withTokens, ...requestAfterEach(failedCalls)],
  ),
  made(['request-after-failed-queries', 'A valid request is accepted after a failed query'], 'FLOW-001', [
    ...withTokens,
    ...requestAfterEach(failedQueries),
  ]),
  made(
    [
      'calls-after-a-failed-cancellation',
      'A query, user info, the key set and a request are answered after the cancellation of an unknown request',
    ],
    ['UT-001', 'CB-025', 'DSC-007', 'FLOW-001'],
    [
      ...withTokens,
      ...[query, profile, keySet].map((call) => ({ ...call, control: true })),
      ...[[query], [profile], [keySet], request('after')].flatMap((call, at) => [
        ...cancellation(`unknown-${at + 1}`, "{{ concat('ccid-', letters(20)) }}"),
        ...call,
      ]),
    ],
    'cancel',
    'cancel-payload',
  ),
  ...Object.entries(decisions).map(afterDecision),
];
