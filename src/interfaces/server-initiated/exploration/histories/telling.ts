import { pick } from '../../../../lib/covering/random.ts';
import { isJsonObject, type JsonObject } from '../../../../lib/json.ts';
import type { Deviation } from '../commands.ts';
import { expectOf } from '../race-steps.ts';
import { ended, type History, refused, type Steps } from './history.ts';

/** The second SP asks for a request to be cancelled. */
const foreignCancel = (name: string, authReqId: string, expect: JsonObject): Steps => [
  { as: `${name}-a`, sign: { base: 'client-assertion', client: 'second' } },
  {
    as: name,
    http: {
      to: 'cancel',
      parameters: {
        auth_req_id: authReqId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `{{ ${name}-a.jws }}`,
      },
    },
    expect,
  },
];

/** It changes claims only, and not the correlation_id. */
const isOfClaims = ({ difference: { claims, ...others } }: Deviation): boolean =>
  isJsonObject(claims) && claims['correlation_id'] === undefined && Object.keys(others).length === 0;

const withoutCorrelation = (step: JsonObject, expect: JsonObject): JsonObject => ({
  ...step,
  authorize: { ...(isJsonObject(step['authorize']) ? step['authorize'] : {}), drop: ['correlation_id'] },
  expect: [step['expect'] ?? null, expect].flat(),
});

/** What has happened to others, or before, is told to nobody whom it is no concern of (SEC-45, §2.5, §8). */
export const tellingHistories: readonly History[] = [
  {
    title: 'The request of another SP is unknown to who cancels it, whatever became of it',
    needs: ({ cancel, secondClient, severalPending }) => cancel && secondClient && severalPending,
    requests: 2,
    steps: (p, random, { abilities }) => [
      { as: `${p}w`, authorize: {} },
      { as: `${p}r`, authorize: {} },
      ...ended(`${p}r`, pick(['approve', 'deny', ...(abilities.cancel ? ['cancel'] : [])], random) ?? 'deny'),
      // One that waits, and so is there as well: neither is told apart from the other.
      ...foreignCancel(`${p}u`, `{{ ${p}w.body.auth_req_id }}`, expectOf('answered', 'SEC-45')),
      ...foreignCancel(`${p}f`, `{{ ${p}r.body.auth_req_id }}`, { rule: 'SEC-45', like: `${p}u` }),
    ],
  },
  {
    title: 'A refusal has the correlation_id of its own request, and none where that has none',
    fixed: true,
    requests: 4,
    steps: (p, _random, ground) => {
      const [first, ...others] = refused(`${p}r`, { ...ground, deviations: ground.deviations.filter(isOfClaims) }, 3);
      const differs = { rule: 'ERR-001', differs: { 'body.correlation_id': `{{ ${p}r1.claims.correlation_id }}` } };
      return first === undefined ? [] : [first, ...others.map((step) => withoutCorrelation(step, differs))];
    },
  },
  {
    title: 'Whether the SIM is new is not told of a user whose app is not linked',
    needs: ({ proofs, swapSim, can, runs }) => proofs && swapSim && can('unlink') && runs('user-without-the-link'),
    requests: 2,
    steps: (p) => [
      { as: `${p}x`, trigger: 'unlink' },
      {
        as: `${p}a`,
        at: `${p}x + target.latency.consent`,
        usertrait: {},
        expect: { rule: 'UT-026', check: 'tenure-withheld' },
      },
      { as: `${p}y`, trigger: 'swap-sim' },
      {
        as: `${p}b`,
        at: `${p}y + target.latency.sim_swap + 2m`,
        usertrait: {},
        expect: { rule: 'UT-026', check: 'tenure-withheld' },
      },
    ],
  },
];
