import {
  askTrait,
  askUserinfo,
  clientAssertion,
  changeSubscriber,
  parties,
  postForm,
} from '../../carrier/testing/calls.ts';
import { type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import { informationFaults } from './information.ts';
import {
  postProbe,
  type ClaimChanges,
  decideRequest,
  type ProbeOptions,
  proveFaults,
  refusal,
  type ProbeRow,
} from '../testing/probes.ts';

const unknown = '001010-00000000000000000000';

/** Refusals for an unknown user and for this one. */
const besideUnknown =
  (subscriber: string, more: ClaimChanges): ProbeRow[0] =>
  async (setup) => [await refusal(setup, { login_hint: unknown, ...more }), await refusal(setup, more, { subscriber })];

const described =
  (more: ClaimChanges, times = 1): ProbeRow[0] =>
  async (setup) => {
    let answer = await postProbe(setup, more);
    for (let time = 1; time < times; time++) answer = await postProbe(setup, more);
    return answer.body['error_description'];
  };

/** Refusals of the same request, sent this many times. */
async function repeated(
  setup: TestSetup,
  times: number,
  more: ClaimChanges,
  how: ProbeOptions = {},
): Promise<string[]> {
  const found: string[] = [];
  for (let time = 0; time < times; time++) found.push(await refusal(setup, more, how));
  return found;
}

async function cancelledByAnother(setup: TestSetup): Promise<number> {
  const { body } = await decideRequest(setup);
  const call = { auth_req_id: textMember(body, 'auth_req_id'), ...clientAssertion(setup, 'second') };
  return (await postForm(setup, '/cancel', call)).status;
}

async function profileOf(setup: TestSetup, scope: string): Promise<Record<string, unknown>> {
  const { body } = await decideRequest(setup, { scope });
  return (await askUserinfo(setup, textMember(body, 'access_token'))).body;
}

const denied = '400 access_denied';

const informationRows: Readonly<Record<string, ProbeRow>> = {
  'unconsented-told-to-prompt-none': [
    besideUnknown('unconsented', { prompt: 'none' }),
    [denied, denied],
    [denied, '400 consent_required'],
  ],
  'internal-host-for-long-identifiers': [
    described({ jti: 'j'.repeat(256) }, 2),
    'the request object was sent before',
    'ERR key too long at replay-01.core.internal:6379',
  ],
  'known-number-burns-the-jti': [
    async (setup) => [
      await repeated(setup, 2, { login_hint: '+12175550101', jti: 'known' }),
      await repeated(setup, 2, { login_hint: '+12175559999', jti: 'unknown' }),
    ],
    [
      [denied, denied],
      [denied, denied],
    ],
    [
      [denied, '400 invalid_request'],
      [denied, denied],
    ],
  ],
  'unknown-users-told-before-a-long-context': [
    besideUnknown('unconsented', { context: 'A'.repeat(241) }),
    ['400 invalid_request', '400 invalid_request'],
    [denied, '400 invalid_request'],
  ],
  'known-users-held-back-after-five': [
    async (setup) => [
      (await repeated(setup, 6, {}, { subscriber: 'unconsented' })).at(-1),
      (await repeated(setup, 6, { login_hint: unknown })).at(-1),
    ],
    [denied, denied],
    ['400 temporarily_unavailable', denied],
  ],
  'correlation-id-of-the-request-before': [
    async (setup) => {
      await postProbe(setup, { correlation_id: 'of-the-second', acr_values: 'a9' }, { client: 'second' });
      return (await postProbe(setup, { correlation_id: undefined, acr_values: 'a9' })).body['correlation_id'];
    },
    undefined,
    'of-the-second',
  ],
  'cancel-tells-of-ended-requests': [cancelledByAnother, 404, 400],
  'unlinked-with-a-new-sim-refused-otherwise': [
    async (setup) => {
      await changeSubscriber(setup, 'swap-sim');
      await setup.admin('POST', '/subscribers/first/unlink', { client_id: parties.main.id });
      return textMember((await askTrait(setup)).body, 'error');
    },
    'access_denied',
    'temporarily_unavailable',
  ],
  'number-beside-birthdate-and-address': [
    async (setup) => (await profileOf(setup, 'openid birthdate address'))['phone'],
    undefined,
    { value: '+12175550101' },
  ],
  'levels-of-rescanned-attributes-for-all': [
    async (setup) => {
      await changeSubscriber(setup, 'edit', { body: { attribute: 'birthdate' } });
      await changeSubscriber(setup, 'scan-document');
      return (await profileOf(setup, 'openid birthdate'))['birthdate'];
    },
    { value: '1970-01-01' },
    { value: '1970-01-01', verified: 2 },
  ],
};

proveFaults(informationFaults, informationRows);
