import type { JsonObject } from '../../../lib/json.ts';
import { authorize, completed, expectOf, parallel, type Row, trigger } from './race-steps.ts';

const second = '{{ subscribers.second.sub }}';

const allAtOnce = (steps: readonly JsonObject[]): readonly JsonObject[] =>
  steps.map((step, at) => (at === 0 ? step : parallel(step)));

const flow = (name: string, difference: JsonObject): readonly JsonObject[] => [
  authorize(name, difference),
  trigger(`${name}-d`, 'approve', name),
  completed(`${name}-e`, name),
];

const profile = (name: string, rule: string): JsonObject => ({
  as: `${name}-p`,
  http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${name}-e.body.access_token }}` } },
  expect: { ...expectOf('accepted', rule), equals: { 'body.sub': `{{ ${name}-e.idToken.sub }}` } },
});

/** Calls of one endpoint at the same moment, each about something else (§5.6, §8, §9). */
export const serviceRows: readonly Row[] = [
  {
    title: 'Two refusals at once each have their own correlation_id',
    steps: (p) =>
      allAtOnce(
        ['one', 'two', 'three'].map((name) => ({
          as: `${p}${name}`,
          authorize: {
            claims: { iss: '{{ clients.second.client_id }}', correlation_id: `{{ concat('${name}-', fresh()) }}` },
          },
          expect: expectOf('denied', 'REQ-002'),
        })),
      ),
  },
  {
    title: 'Requests for two phones at once each show their own context',
    needs: ({ look, severalPending }) => look && severalPending,
    steps: (p) => [
      ...allAtOnce([authorize(`${p}r1`), authorize(`${p}r2`, { claims: { login_hint: second } }), authorize(`${p}r3`)]),
      ...['r1', 'r2', 'r3'].map((name) => ({
        as: `${p}${name}-c`,
        look: 'card',
        of: `${p}${name}`,
        expect: { rule: 'REQ-072', equals: { 'card.context': `{{ ${p}${name}.claims.context }}` } },
      })),
    ],
  },
  {
    title: 'Calls of user info at once, with the tokens of two users, each bring their own profile',
    needs: ({ userinfo }) => userinfo,
    steps: (p) => [
      ...flow(`${p}r1`, {}),
      ...flow(`${p}r2`, { claims: { login_hint: second } }),
      ...allAtOnce([profile(`${p}r1`, 'SEC-33'), profile(`${p}r2`, 'SEC-33')]),
      ...allAtOnce([
        { ...profile(`${p}r2`, 'SEC-33'), as: `${p}r2-q` },
        { ...profile(`${p}r1`, 'SEC-33'), as: `${p}r1-q` },
      ]),
    ],
  },
  {
    title: 'Queries of two users at once each bring their own SIM tenure',
    needs: ({ proofs, swapSim }) => proofs && swapSim,
    steps: (p) => {
      const query = (name: string, members: JsonObject, check: string): JsonObject => ({
        as: `${p}${name}`,
        usertrait: { members },
        expect: { rule: 'UT-016', check },
      });
      const swapped = query('q1', {}, 'tenure-true');
      return [
        { as: `${p}swap`, trigger: 'swap-sim' },
        { ...swapped, at: `${p}swap + target.latency.sim_swap + 2m` },
        parallel(query('q2', { sub: second }, 'tenure-false')),
        query('q3', { sub: second }, 'tenure-false'),
        parallel(query('q4', {}, 'tenure-true')),
      ];
    },
  },
  {
    title: 'Queries of discovery at once, with two codes, each bring their own configuration',
    needs: ({ foreignCode }) => foreignCode,
    steps: (p) => {
      const query = (name: string, mccmnc: string, expect: JsonObject): JsonObject => ({
        as: `${p}${name}`,
        http: { to: 'discovery', query: { mccmnc } },
        expect,
      });
      const issuer = { 'body.issuer': '{{ target.issuer }}' };
      const own = { ...expectOf('accepted', 'DSC-012'), equals: issuer };
      const other = { rule: 'DSC-012', differs: issuer };
      return allAtOnce([
        query('own1', '{{ target.mccmnc }}', own),
        query('other1', '{{ target.foreign_codes.0 }}', other),
        query('own2', '{{ target.mccmnc }}', own),
        query('other2', '{{ target.foreign_codes.0 }}', other),
      ]);
    },
  },
  {
    title: 'A request without correlation_id does not get that of the one before on its connection',
    needs: ({ severalPending }) => severalPending,
    steps: (p) => [
      authorize(`${p}r1`),
      {
        as: `${p}r2`,
        authorize: { drop: ['correlation_id'] },
        expect: {
          ...expectOf('accepted', 'RSP-002'),
          differs: { 'body.correlation_id': `{{ ${p}r1.claims.correlation_id }}` },
        },
      },
    ],
  },
  {
    title: 'A cancellation that is refused beside an approval leaves its result',
    needs: ({ cancel }) => cancel,
    steps: (p) => [
      authorize(`${p}r`),
      { as: `${p}a`, sign: { base: 'client-assertion', claims: { exp: '{{ now - 600s }}', iat: '{{ now - 900s }}' } } },
      {
        as: `${p}c`,
        http: {
          to: 'cancel',
          parameters: {
            auth_req_id: `{{ ${p}r.body.auth_req_id }}`,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: `{{ ${p}a.jws }}`,
          },
        },
        expect: expectOf('denied', 'CXL-002'),
      },
      parallel(trigger(`${p}d`, 'approve', `${p}r`)),
      completed(`${p}e`, `${p}r`),
    ],
  },
];
