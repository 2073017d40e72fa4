import { isJsonObject, type Json, type JsonObject, setOwn } from '../../lib/json.ts';
import type { TargetAbilities } from './abilities.ts';

/** Value that a difference gives a claim: undefined if it leaves the claim as it is, null if it drops it. */
function readClaimDifference({ claims, drop, raw }: JsonObject, name: string): Json | undefined {
  if (Array.isArray(drop) && drop.includes(name)) return null;
  if (isJsonObject(raw) && Object.hasOwn(raw, name)) return undefined;
  return isJsonObject(claims) ? claims[name] : undefined;
}

/** Words of a list, or of the plain value if the claim is unchanged. */
const claimWords = (value: Json | undefined, plain: string): readonly string[] =>
  (typeof value === 'string' ? value : plain).split(' ').filter((word) => word !== '');

/** JSON Schema pattern with its description. */
const scopePattern = (word: string): JsonObject => ({
  pattern: `(^| )${word}( |$)`,
  description: `a list of scopes with ${word}`,
});

interface ApprovedRequest {
  readonly difference: JsonObject;
  /** Access tokens show the key that they are bound to. */
  readonly binding?: boolean;
}

const idTokenExpectation = (scopes: readonly string[]): JsonObject =>
  scopes.includes('openid')
    ? {
        rule: 'CB-017',
        body: { type: 'object', required: ['id_token'], properties: { id_token: { type: 'string', minLength: 1 } } },
      }
    : { rule: 'CB-018', absent: ['body.id_token'] };

function bindingExpectation(difference: JsonObject): JsonObject {
  return isJsonObject(readClaimDifference(difference, 'referred_binding'))
    ? { rule: 'REQ-084', check: 'bound-to-referred-key' }
    : { rule: 'REQ-085', check: 'bound-to-signing-key' };
}

/** Expected authentication in the id token (§2.3 prompt, acr_values). */
function authenticationExpectations(difference: JsonObject): readonly JsonObject[] {
  const acr = readClaimDifference(difference, 'acr_values');
  const prompt = claimWords(readClaimDifference(difference, 'prompt'), '');
  return [
    ...(prompt.includes('login') ? [{ rule: 'REQ-045', check: 'auth-time-is-of-the-request' }] : []),
    ...(acr === 'a1' || acr === 'a3'
      ? [{ rule: acr === 'a1' ? 'REQ-056' : 'REQ-057', equals: { 'idToken.acr': acr } }]
      : []),
  ];
}

/** §2.6: content of the callback of an approved request. Invariants judge the rest. */
export function completedExpectations({ difference, binding = false }: ApprovedRequest): readonly JsonObject[] {
  const scopes = claimWords(readClaimDifference(difference, 'scope'), 'openid name');
  const named = scopes.filter((one) => one !== 'openid' && one !== 'offline_access');
  const granted = { type: 'object', properties: { scope: { type: 'string', allOf: named.map(scopePattern) } } };
  return [
    { outcome: 'completed', rule: 'FLOW-002' },
    idTokenExpectation(scopes),
    ...(binding ? [bindingExpectation(difference)] : []),
    ...(named.length === 0 ? [] : [{ rule: 'CB-012', body: granted }]),
    ...(scopes.includes('openid') ? authenticationExpectations(difference) : []),
  ];
}

/** §2.4: an undecided request never ends in tokens; a report of its end is recommended (C1.5). */
export const timeOutExpectations: readonly JsonObject[] = [
  { outcome: 'no-tokens', rule: 'FLOW-013' },
  { outcome: 'failed', rule: 'FLOW-013#reported' },
];

/** End of an accepted request; with `approve partly`, the user takes the last scope off the list. */
export type UserDecision = 'approve' | 'approve partly' | 'deny' | 'time-out';

interface RequestFlow {
  readonly difference: JsonObject;
  /** Rule by which it is accepted. */
  readonly rule: string;
  readonly decision: UserDecision;
  readonly prefix: string;
  readonly abilities: TargetAbilities;
}

/** Scopes without an attribute, which the screen need not list (REQ-044). */
const unlistedScopes: ReadonlySet<string> = new Set(['openid', 'offline_access', 'events']);

/** Schema for the members of a card that is shown; FLOW-001 alone tells of one that is not. */
function whereShown(properties: JsonObject): JsonObject {
  const schema: Record<string, Json> = { type: 'object', if: { properties: { shown: { const: true } } } };
  setOwn(schema, 'then', { properties });
  return schema;
}

/** §2.3 prompt, options, acr_values: content of the phone's screen for a request. */
function cardExpectations({ difference, prefix }: RequestFlow): readonly JsonObject[] {
  const context = readClaimDifference(difference, 'context');
  const options = claimWords(readClaimDifference(difference, 'options'), '');
  const prompt = claimWords(readClaimDifference(difference, 'prompt'), '');
  const [light, dark] = [options.includes('light'), options.includes('dark')];
  const scopes = claimWords(readClaimDifference(difference, 'scope'), 'openid name').filter(
    (one) => !unlistedScopes.has(one),
  );
  return [
    { rule: 'FLOW-001', equals: { 'card.shown': true } },
    ...(context === null
      ? []
      : [{ rule: 'REQ-072', equals: { 'card.context': `{{ ${prefix}request.claims.context }}` } }]),
    ...(light === dark ? [] : [{ rule: 'REQ-050', equals: { 'card.colourMode': light ? 'light' : 'dark' } }]),
    ...(prompt.includes('login') || readClaimDifference(difference, 'acr_values') !== 'a1'
      ? []
      : [{ rule: 'REQ-056', equals: { 'card.authentication': 'none' } }]),
    ...(prompt.includes('consent') && scopes.length > 0
      ? [
          {
            rule: 'REQ-044',
            card: whereShown({
              consentScreen: { type: 'array', allOf: scopes.map((one) => ({ contains: { const: one } })) },
            }),
          },
        ]
      : []),
  ];
}

const lookStep = (flow: RequestFlow): JsonObject => ({
  as: `${flow.prefix}card`,
  look: 'card',
  of: `${flow.prefix}request`,
  expect: [...cardExpectations(flow)],
});

/** §2.3 options: after an approval the phone opens the redirect_uri if local_redirect asks for it. */
function openedSteps({ difference, prefix, abilities }: RequestFlow): readonly JsonObject[] {
  const opens = claimWords(readClaimDifference(difference, 'options'), '').includes('local_redirect');
  if (!opens || !abilities.look) return [];
  const expect = { rule: 'REQ-053', check: 'opened-uri-is-redirect-with-state' };
  return [{ as: `${prefix}opened`, look: 'card', of: `${prefix}request`, expect }];
}

/** Step of the user's decision on the request, if that is still possible. */
const decisionStep = (action: string, { prefix }: Pick<RequestFlow, 'prefix'>, more: JsonObject = {}): JsonObject => ({
  as: `${prefix}decision`,
  trigger: { action, of: `${prefix}request`, ifPossible: true, ...more },
});

const untickScopeLists = ['openid name email', 'openid email phone', 'openid name address'];

/** Prompt and scopes of a list to untick, as far as the request leaves them open (§2.3 prompt, scope). */
export function consentDifference(touched: ReadonlySet<string>, at: number): JsonObject {
  const scope = untickScopeLists[at % untickScopeLists.length] ?? '';
  return {
    claims: {
      ...(touched.has('claims.prompt') ? {} : { prompt: 'consent' }),
      ...(touched.has('claims.scope') ? {} : { scope }),
    },
  };
}

/** Scopes left after the user takes one off the list; undefined if none can be taken off, or if no list is shown. */
function untickLastScope({
  difference,
  abilities,
}: RequestFlow): { readonly left: readonly string[]; readonly off: string } | undefined {
  const scopes = claimWords(readClaimDifference(difference, 'scope'), 'openid name');
  const named = scopes.filter((one) => !unlistedScopes.has(one));
  const off = named.at(-1);
  const asks = claimWords(readClaimDifference(difference, 'prompt'), '').includes('consent');
  if (!abilities.untick || !asks || off === undefined || named.length < 2) return undefined;
  return { left: scopes.filter((one) => one !== off), off };
}

/** §2.6 scope: a scope taken off the list is not granted. */
function partialSteps(flow: RequestFlow): readonly JsonObject[] | undefined {
  const unticked = untickLastScope(flow);
  if (unticked === undefined) return undefined;
  const { left, off } = unticked;
  const granted = { pattern: `^(?!(?:.* )?${off}(?: |$))`, description: `a list of scopes without ${off}` };
  return [
    decisionStep('approve', flow, { with: { scopes: [...left] } }),
    {
      as: `${flow.prefix}result`,
      await: 'callback',
      of: `${flow.prefix}request`,
      expect: [
        { outcome: 'completed', rule: 'FLOW-002' },
        { rule: 'CB-012', body: { type: 'object', properties: { scope: { type: 'string', ...granted } } } },
      ],
    },
  ];
}

/** Moment after the granted life when any callback has come. */
const resultDeadline = (request: string): string => `${request} + ${request}.granted + target.latency.callback + 60s`;

/** §8, OpenID Connect Core §5.3: with openid the access token opens user info; invariants judge its content. */
export function profileSteps({
  difference,
  result,
  abilities,
}: Pick<RequestFlow, 'difference' | 'abilities'> & { readonly result: string }): readonly JsonObject[] {
  const hasOpenid = claimWords(readClaimDifference(difference, 'scope'), 'openid').includes('openid');
  if (!abilities.userinfo || !hasOpenid) return [];
  const headers = { authorization: `Bearer {{ ${result}.body.access_token }}` };
  return [{ http: { to: 'userinfo', headers }, expect: { outcome: 'accepted', rule: 'CB-025' } }];
}

function decisionSteps(flow: RequestFlow): readonly JsonObject[] {
  const request = `${flow.prefix}request`;
  const result = `${flow.prefix}result`;
  const failed = (rule: string): JsonObject => ({
    as: result,
    await: 'callback',
    of: request,
    expect: [{ outcome: 'failed', rule }],
  });
  const partial = flow.decision === 'approve partly' ? partialSteps(flow) : undefined;
  if (partial !== undefined) return partial;
  if (flow.decision === 'approve' || flow.decision === 'approve partly')
    return [
      decisionStep('approve', flow),
      {
        as: result,
        await: 'callback',
        of: request,
        expect: [...completedExpectations({ ...flow, binding: flow.abilities.binding })],
      },
      ...openedSteps(flow),
      ...profileSteps({ ...flow, result }).map((step) => ({ as: `${flow.prefix}profile`, ...step })),
    ];
  if (flow.decision === 'deny') return [decisionStep('deny', flow), failed('FLOW-003')];
  return timedOutSteps(flow);
}

/** After the time-out an approval comes too late (FLOW-012). */
function timedOutSteps(flow: RequestFlow): readonly JsonObject[] {
  const request = `${flow.prefix}request`;
  const ended = { as: `${flow.prefix}result`, await: 'callback', of: request, until: resultDeadline(request) };
  if (!flow.abilities.approve) return [{ ...ended, expect: [...timeOutExpectations] }];
  const late = { ...decisionStep('approve', flow), at: `${request} + ${request}.granted + 30s` };
  return [late, { ...ended, expect: [...timeOutExpectations, { outcome: 'no-tokens', rule: 'FLOW-012' }] }];
}

export function acceptedSteps(flow: RequestFlow): readonly JsonObject[] {
  const { difference, rule, prefix, abilities, decision } = flow;
  const sent = { as: `${prefix}request`, authorize: difference, expect: { outcome: 'accepted', rule } };
  const decides = {
    approve: abilities.approve,
    'approve partly': abilities.approve,
    deny: abilities.deny,
    'time-out': abilities.wait,
  }[decision];
  return [sent, ...(abilities.look ? [lookStep(flow)] : []), ...(decides ? decisionSteps(flow) : [])];
}
