import { expect, test } from 'vitest';
import { routeFaults } from './faults/routes.ts';
import { assertionOf, authorizeAs, codeFor, parties, postForm, tokensFor } from './testing/calls.ts';
import { openRig, type Rig, text } from './testing/rig.ts';

type Probe = (rig: Rig) => Promise<unknown>;
type Row = readonly [fault: string, probe: Probe, conforming: unknown, faulty: unknown];

/** The status of a request object that is sent by this method to this address. */
const sent =
  (method: string, path: string): Probe =>
  async (rig) => {
    const body = JSON.stringify({ request: rig.sign(rig.claims()) });
    return (await rig.send(method, `${rig.carrier.origin}${path}`, body, { 'content-type': 'application/json' }))
      .status;
  };
const called =
  (method: string, path: string): Probe =>
  async (rig) =>
    (await rig.send(method, `${rig.carrier.origin}${path}`)).status;

const rows: readonly Row[] = [
  ['methods-not-told-apart', sent('PUT', '/bc-authorize'), 405, 200],
  ['one-endpoint-for-both', sent('POST', '/authorize'), 405, 200],
  [
    'request-status-readable',
    async (rig) => {
      const id = text((await rig.authorize()).body, 'auth_req_id');
      const { status, body } = await rig.send('GET', `${rig.carrier.origin}/bc-authorize/${id}`);
      return [status, body['state'], await called('GET', '/bc-authorize/ccid-0')(rig)];
    },
    [404, undefined, 404],
    [200, 'pending', 404],
  ],
  ['usertrait-by-put', called('PUT', '/v1/usertrait'), 405, 415],
  ['usertrait-without-version', called('GET', '/usertrait'), 404, 405],
  ['cancel-opens-requests', sent('POST', '/cancel'), 401, 200],
  [
    'token-answer-cacheable',
    async (rig) => {
      const call = {
        grant_type: 'authorization_code',
        redirect_uri: parties.main.redirectUri,
        code: await codeFor(rig),
      };
      return (await postForm(rig, '/token', { ...call, ...assertionOf(rig) })).headers['cache-control'];
    },
    'no-store',
    'private, max-age=60',
  ],
  [
    'profile-cacheable',
    async (rig) => {
      const authorization = `Bearer ${text(await tokensFor(rig, {}), 'access_token')}`;
      const { headers } = await rig.send('GET', `${rig.carrier.origin}/userinfo`, undefined, { authorization });
      return headers['cache-control'];
    },
    'no-store',
    'private, max-age=300',
  ],
  [
    'sdk-needs-no-redirect-uri',
    async (rig) => (await rig.authorize({ redirect_uri: undefined, sdk_version: '1.1' })).status,
    400,
    200,
  ],
  ['granted-for-a-week', async (rig) => (await rig.authorize({ expires_in: 604_800 })).status, 400, 200],
  [
    'sign-in-by-code-closed',
    async (rig) => {
      const query = `response_type=code&client_id=${parties.main.id}&redirect_uri=${parties.main.redirectUri}`;
      return (await rig.send('GET', `${rig.carrier.origin}/authorize?${query}`)).status;
    },
    200,
    302,
  ],
  [
    'fails-above-40-pending',
    async (rig) => {
      for (let count = 0; count < 40; count++) await authorizeAs(rig, {});
      return (await authorizeAs(rig, {})).status;
    },
    200,
    500,
  ],
];

test.each(rows.map(([fault, probe, conforming, faulty]) => ({ fault, probe, conforming, faulty })))(
  '$fault',
  async ({ fault, probe, conforming, faulty }) => {
    for (const [names, expected] of [
      [[], conforming],
      [[fault], faulty],
    ] as const) {
      const rig = await openRig({ faults: names });
      try {
        expect(await probe(rig)).toEqual(expected);
      } finally {
        await rig.close();
      }
    }
  },
);

test('every fault of this family is shown here', () => {
  expect(rows.map(([fault]) => fault).toSorted()).toEqual(routeFaults.map(({ name }) => name).toSorted());
});

test.each([
  ['PUT', '/bc-authorize', 'POST'],
  ['GET', '/token', 'POST'],
  ['DELETE', '/userinfo', 'GET, POST'],
  ['POST', '/jwks', 'GET'],
])('%s %s is 405, and the answer says what is allowed', async (method, path, allowed) => {
  const rig = await openRig();
  try {
    const { status, headers, body } = await rig.send(method, `${rig.carrier.origin}${path}`);
    expect([status, headers['allow'], body['error']]).toEqual([405, allowed, 'invalid_request']);
  } finally {
    await rig.close();
  }
});
