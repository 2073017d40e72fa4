import type { Random } from '../../../lib/covering/random.ts';
import { pick } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { cancellation, completed, expectOf, trigger } from './race-steps.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';

type Steps = readonly JsonObject[];
type Abilities = SessionAbilities & ServiceAbilities;

/** Something that happened to a subscriber, and what a carrier that conforms does afterwards as if it had not (§2.3, §3, §6, §8). */
export interface History {
  readonly title: string;
  readonly client?: string;
  readonly needs?: (abilities: Abilities) => boolean;
  readonly requests: number;
  readonly steps: (p: string, random: Random, abilities: Abilities) => Steps;
}

/** An authentication is used again for half an hour: what is asked about it begins later than that. */
const rested = 'now + 45m';

/** How a request ends. */
function ended(name: string, how: string): Steps {
  if (how === 'approve') return [trigger(`${name}-d`, 'approve', name), completed(`${name}-e`, name)];
  if (how === 'cancel') return cancellation(name);
  return [
    trigger(`${name}-d`, 'deny', name),
    { as: `${name}-e`, await: 'callback', of: name, expect: expectOf('failed', 'FLOW-003') },
  ];
}

const showsOf = (rule: string, properties: JsonObject): JsonObject => ({
  rule,
  card: { type: 'object', required: Object.keys(properties), properties },
});

const looks = (of: string, rule: string, properties: JsonObject): JsonObject => ({
  as: `${of}-c`,
  look: 'card',
  of,
  expect: showsOf(rule, properties),
});

const asksFor = (scope: string): JsonObject => ({ consentScreen: { type: 'array', contains: { const: scope } } });
const authenticates: JsonObject = { authentication: { const: 'full' } };

const query = (as: string, check: string, rule: string): JsonObject => ({ as, usertrait: {}, expect: { rule, check } });

const endings = (abilities: Abilities): readonly string[] =>
  abilities.cancel ? ['deny', 'approve', 'cancel'] : ['deny', 'approve'];

export const historyRows: readonly History[] = [
  {
    title: 'prompt login asks for an authentication, however a request with it ended before',
    needs: ({ look, wait }) => look && wait,
    requests: 2,
    steps: (p, random, abilities) => [
      { as: `${p}r`, at: rested, authorize: { claims: { prompt: 'login' } } },
      ...ended(`${p}r`, pick(endings(abilities), random) ?? 'deny'),
      {
        as: `${p}s`,
        at: `${p}r + ${pick([120, 300, 1200, 3600, 86_400], random) ?? 120}s`,
        authorize: { claims: { prompt: 'login' } },
      },
      looks(`${p}s`, 'REQ-045', authenticates),
    ],
  },
  ...['deny', 'approve'].map(
    (how): History => ({
      title: `a3 asks for an authentication after a request that brought none: ${how}`,
      needs: ({ look, wait }) => look && wait,
      requests: 2,
      steps: (p) => [
        { as: `${p}r`, at: rested, authorize: { claims: { acr_values: how === 'approve' ? 'a1' : 'a3' } } },
        ...ended(`${p}r`, how),
        { as: `${p}s`, authorize: { claims: { acr_values: 'a3' } } },
        looks(`${p}s`, 'REQ-057', authenticates),
      ],
    }),
  ),
  {
    title: 'A scope that is not consented to is asked for, however a request for it ended before',
    needs: ({ look, consent }) => look && consent,
    requests: 3,
    steps: (p, random, abilities) => {
      const asked = { claims: { scope: 'openid birthdate' } };
      const how = pick(abilities.cancel ? ['deny', 'cancel'] : ['deny'], random) ?? 'deny';
      return [
        { as: `${p}x`, trigger: { action: 'remove-consent', with: { scopes: ['birthdate'] }, ifPossible: true } },
        { as: `${p}r`, at: `${p}x + target.latency.consent`, authorize: asked },
        looks(`${p}r`, 'REQ-080', asksFor('birthdate')),
        ...ended(`${p}r`, how),
        { as: `${p}s`, authorize: asked },
        looks(`${p}s`, 'REQ-080', asksFor('birthdate')),
      ];
    },
  },
  {
    title: 'prompt consent asks for the scopes each time',
    needs: ({ look }) => look,
    requests: 25,
    steps: (p) =>
      Array.from({ length: 23 }, (_, at) => `${p}r${at + 1}`).flatMap((name) => [
        { as: name, authorize: { claims: { prompt: 'consent', scope: 'openid name email' } } },
        looks(name, 'REQ-044', asksFor('name')),
        ...ended(name, 'approve'),
      ]),
  },
  {
    title: 'A consent that is removed while a request waits stays removed when the user denies it',
    needs: ({ consent, proofs }) => consent && proofs,
    requests: 2,
    steps: (p) => [
      { as: `${p}r`, authorize: {} },
      { as: `${p}x`, trigger: 'remove-consent' },
      { ...trigger(`${p}r-d`, 'deny', `${p}r`), at: `${p}x + target.latency.consent` },
      query(`${p}q`, 'tenure-withheld', 'UT-020'),
      { as: `${p}y`, trigger: 'give-consent' },
    ],
  },
  {
    title: 'The tenure is not disclosed once its consent is removed, whatever was asked before',
    needs: ({ consent, proofs }) => consent && proofs,
    requests: 5,
    steps: (p) => [
      { as: `${p}a`, usertrait: {}, times: 3 },
      { as: `${p}x`, trigger: 'remove-consent' },
      { ...query(`${p}q`, 'tenure-withheld', 'UT-020'), at: `${p}x + target.latency.consent` },
      { as: `${p}y`, trigger: 'give-consent' },
    ],
  },
  {
    title: 'A SIM swap is told by the next query, however many there were before',
    needs: ({ proofs, swapSim }) => proofs && swapSim,
    requests: 6,
    steps: (p, random) => [
      { as: `${p}a`, usertrait: {}, times: pick([1, 3, 5, 12, 40], random) ?? 5 },
      { as: `${p}x`, trigger: 'swap-sim' },
      { ...query(`${p}q`, 'tenure-true', 'UT-015'), at: `${p}x + target.latency.sim_swap + 2m` },
      { as: `${p}b`, usertrait: {}, times: 40 },
      query(`${p}c`, 'tenure-true', 'UT-015'),
    ],
  },
  {
    title: 'consent_revoked is sent each time that a consent is taken back',
    needs: ({ consent, moveSim, wait }) => consent && moveSim && wait,
    requests: 2,
    steps: (p) => {
      const revoked = (name: string): Steps => [
        { as: name, trigger: 'remove-consent' },
        {
          as: `${name}-e`,
          await: 'events',
          event: 'consent_revoked',
          until: `${name} + target.latency.event`,
          expect: expectOf('delivered', 'CRV-001'),
        },
        { as: `${name}-g`, trigger: 'give-consent' },
      ];
      const [second, ...others] = revoked(`${p}s`);
      return [...revoked(`${p}r`), { ...second, at: `${p}r + 2h` }, ...others];
    },
  },
  {
    title: 'An access token opens user info after two rotations of the keys of the carrier',
    needs: ({ userinfo, rotateKeys, wait }) => userinfo && rotateKeys && wait,
    requests: 2,
    steps: (p) => [
      { as: `${p}r`, authorize: {} },
      ...ended(`${p}r`, 'approve'),
      { as: `${p}x`, trigger: 'rotate-keys' },
      { as: `${p}y`, at: `${p}x + 31m`, trigger: 'rotate-keys' },
      {
        as: `${p}u`,
        at: `${p}x + 32m`,
        http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${p}r-e.body.access_token }}` } },
        expect: expectOf('accepted', 'CB-025'),
      },
    ],
  },
  {
    title: 'Of two requests that wait the one is cancelled that the SP names',
    needs: ({ cancel, severalPending }) => cancel && severalPending,
    requests: 3,
    steps: (p) => [
      { as: `${p}r`, authorize: {} },
      { as: `${p}s`, authorize: {} },
      ...cancellation(`${p}r`),
      ...ended(`${p}s`, 'approve'),
      trigger(`${p}r-d`, 'approve', `${p}r`),
      {
        as: `${p}r-e`,
        await: 'callback',
        of: `${p}r`,
        until: `${p}r + 60s`,
        expect: expectOf('no-tokens', 'CXL-002#final'),
      },
    ],
  },
  {
    title: 'local_redirect opens the URI of its own request only',
    needs: ({ look }) => look,
    requests: 2,
    steps: (p, random) => [
      { as: `${p}r`, authorize: { claims: { options: 'local_redirect' } } },
      ...ended(`${p}r`, pick(['approve', 'deny'], random) ?? 'approve'),
      { as: `${p}s`, authorize: {} },
      ...ended(`${p}s`, 'approve'),
      {
        as: `${p}s-o`,
        at: `${p}s-e.receivedAt + 5s`,
        look: 'card',
        of: `${p}s`,
        expect: { rule: 'CB-026', card: { type: 'object', properties: { openedUri: { const: null } } } },
      },
    ],
  },
  {
    title: 'prompt none is refused once the SP may not authorize silently',
    client: 'privileged',
    needs: ({ silent, setFlag }) => silent && setFlag,
    requests: 2,
    steps: (p) => [
      { as: `${p}r`, authorize: { claims: { prompt: 'none', scope: 'openid' } } },
      { as: `${p}x`, trigger: { action: 'set-flag', with: { flag: 'silent_authorization_enabled', on: false } } },
      {
        as: `${p}s`,
        authorize: { claims: { prompt: 'none', scope: 'openid' } },
        expect: expectOf('denied', 'REQ-042'),
      },
    ],
  },
  {
    title: 'A login_hint_token that has expired is refused at any later time',
    needs: ({ hintToken, wait }) => hintToken && wait,
    requests: 4,
    steps: (p) => [
      { as: `${p}h`, trigger: { action: 'issue-login-hint-token', with: { ttl: 60 } } },
      ...['90s', '10m', '59m30s', '23h59m30s'].map((after, at) => ({
        as: `${p}r${at + 1}`,
        at: `${p}h + ${after}`,
        authorize: { drop: ['login_hint'], claims: { login_hint_token: `{{ ${p}h.body.login_hint_token }}` } },
        expect: expectOf('denied', 'LHT-009'),
      })),
    ],
  },
];
