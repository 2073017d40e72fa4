import { expect, test } from 'vitest';
import { deepFaults, faultCatalogue, variantNames } from '../catalogue.ts';
import {
  clientAssertion,
  authorizeAs,
  codeFor,
  changeSubscriber,
  parties,
  postForm,
  receivedSets,
  readUserinfo,
} from '../../carrier/testing/calls.ts';
import { objectMember, type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import { openAlteredSetup } from '../testing/altered-setup.ts';

type Probe = (setup: TestSetup) => Promise<unknown>;
type Row = readonly [fault: string, probe: Probe, conforming: unknown, faulty: unknown];

async function called(setup: TestSetup, act: 'approve' | 'deny'): Promise<TestSetup['callbacks'][number] | undefined> {
  const id = textMember((await authorizeAs(setup, {})).body, 'auth_req_id');
  await setup.admin('POST', `/requests/${id}/${act}`);
  await setup.settle();
  return setup.callbacks.at(-1);
}

/** One fault of each kind of edit. */
const rows: readonly Row[] = [
  ['aud-not-checked', async (setup) => (await setup.authorize({ aud: 'https://other.test' })).status, 400, 200],
  ['iat-window-10-minutes', async (setup) => (await setup.authorize({ iat: setup.now() - 400 })).status, 400, 200],
  [
    'redirect-uri-prefix-match',
    async (setup) => (await setup.authorize({ redirect_uri: 'https://sp.test/cb/deeper' })).status,
    400,
    200,
  ],
  ['nonce-required', async (setup) => (await setup.authorize({ nonce: undefined })).status, 200, 400],
  ['iss-in-any-case', async (setup) => (await setup.authorize({ iss: 'CCID-CONFTESTCLIENT01' })).status, 400, 200],
  ['kid-in-a-query', async (setup) => (await setup.authorize({}, { header: { kid: "'" } })).status, 400, 500],
  [
    'base64-padding-accepted',
    async (setup) => (await setup.post({ request: `${setup.sign(setup.claims())}==` })).status,
    400,
    200,
  ],
  [
    'request-trimmed',
    async (setup) => (await setup.post({ request: ` ${setup.sign(setup.claims())}` })).status,
    400,
    200,
  ],
  ['error-500', async (setup) => (await setup.authorize({ aud: 'https://other.test' })).status, 400, 500],
  ['answers-201', async (setup) => (await setup.authorize()).status, 200, 201],
  [
    'context-not-shown',
    async (setup) => {
      const id = textMember((await setup.authorize()).body, 'auth_req_id');
      return objectMember((await setup.admin('GET', `/requests/${id}`)).body, 'card')['context'];
    },
    'Approve-order-4711',
    null,
  ],
  [
    'callback-without-bearer',
    async (setup) => typeof (await called(setup, 'deny'))?.headers.authorization,
    'string',
    'undefined',
  ],
  ['callback-state-missing', async (setup) => (await called(setup, 'approve'))?.body['state'], 'st-0001', undefined],
  [
    'methods-not-told-apart',
    async (setup) => (await setup.send('PUT', `${setup.carrier.origin}/bc-authorize`)).status,
    405,
    415,
  ],
  [
    'code-of-any-client',
    async (setup) => {
      const code = {
        grant_type: 'authorization_code',
        redirect_uri: parties.main.redirectUri,
        code: await codeFor(setup),
      };
      return (await postForm(setup, '/token', { ...code, ...clientAssertion(setup, 'second') })).status;
    },
    400,
    200,
  ],
  [
    'discovery-without-issuer',
    async (setup) =>
      'issuer' in (await setup.send('GET', `${setup.carrier.origin}/.well-known/openid-configuration`)).body,
    true,
    false,
  ],
  ['userinfo-all-attributes', async (setup) => 'birthdate' in (await readUserinfo(setup, {})), false, true],
  [
    'set-without-iat',
    async (setup) => {
      await changeSubscriber(setup, 'move-sim');
      return typeof receivedSets(setup)[0]?.['iat'];
    },
    'number',
    'undefined',
  ],
];

test.each(rows.map(([fault, probe, conforming, faulty]) => ({ fault, probe, conforming, faulty })))(
  '$fault',
  async ({ fault, probe, conforming, faulty }) => {
    for (const [names, expected] of [
      [[], conforming],
      [[fault], faulty],
    ] as const) {
      const setup = await openAlteredSetup({ faults: names });
      try {
        expect(await probe(setup)).toEqual(expected);
      } finally {
        await setup.close();
      }
    }
  },
);

test('a fault has a name of its own, a description, and rules that it breaks', () => {
  const names = [...faultCatalogue, ...deepFaults].map(({ name }) => name).concat(variantNames());
  expect(new Set(names).size).toBe(names.length);
  for (const { name, description, breaks } of [...faultCatalogue, ...deepFaults]) {
    expect(name).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/);
    expect(description).toMatch(/\.$/);
    for (const rule of breaks) expect(rule).toMatch(/^[A-Z]+-\d{2,3}$/);
    expect(breaks).not.toEqual([]);
    expect(new Set(breaks).size, name).toBe(breaks.length);
  }
});

test('an unknown fault names those near it', async () => {
  await expect(openAlteredSetup({ faults: ['jti-kept-2-minute'] })).rejects.toThrow(
    'there is no fault jti-kept-2-minute; did you mean jti-kept-2-minutes or jti-kept-4-minutes or jti-kept-by-key?',
  );
  await expect(openAlteredSetup({ faults: ['xyz'] })).rejects.toThrow(/^there is no fault xyz$/);
});
