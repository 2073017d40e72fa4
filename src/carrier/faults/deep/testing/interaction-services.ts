import { askTrait, askUserinfo, happen } from '../../../testing/calls.ts';
import { inner, type Setup, text } from '../../../testing/setup.ts';
import { ask, ended, hintToken, refusal, type Row, status } from './probes.ts';

/** The level of an attribute after a change of the profile. */
async function levelAfter(setup: Setup, change: string, attribute: string): Promise<unknown> {
  await happen(setup, change, { body: { attribute } });
  const { body } = await ended(setup, { scope: `openid ${attribute}` }, { client: 'privileged' });
  const profile = await askUserinfo(setup, text(body, 'access_token'));
  return inner(profile.body, attribute)['verified'];
}

/** By name of the fault: what is seen, without the fault and with it. */
export const serviceRows: Readonly<Record<string, Row>> = {
  'expired-hint-token-beside-a-hint': [
    async (setup) => {
      const token = await hintToken(setup, { ttl: 30 });
      await setup.move(60);
      return (await ask(setup, { login_hint_token: token })).status;
    },
    400,
    200,
  ],
  'sub-over-the-hint-token': [
    async (setup) => {
      const token = await hintToken(setup);
      const answer = await ask(setup, { login_hint_token: token, sub: setup.sub('second') });
      const call = await setup.admin('GET', `/requests/${text(answer.body, 'auth_req_id')}`);
      return call.body['subscriber'];
    },
    undefined,
    'second',
  ],
  'unenrolled-reached-by-number': [status({ login_hint: '+12175550106' }, { client: 'privileged' }), 400, 200],
  'silent-a3-as-a1': [
    async (setup) => {
      const { answer, idToken } = await ended(
        setup,
        { scope: 'openid', prompt: 'none', acr_values: 'a3' },
        { client: 'privileged' },
      );
      return [answer.status, idToken['acr']];
    },
    [400, undefined],
    [200, 'a1'],
  ],
  'proof-body-uncompared-with-a-charset': [
    async (setup) =>
      (await askTrait(setup, { contentType: 'application/json; charset=utf-8', proof: { body: '{}' } })).status,
    401,
    200,
  ],
  'edited-birthdate-of-a-scanned-owner': [(setup) => levelAfter(setup, 'edit', 'birthdate'), 1, 2],
  'bounced-email-of-a-scanned-user': [(setup) => levelAfter(setup, 'bounce-email', 'email'), 1, 2],
  'charset-with-members-beside-refused': [
    (setup) =>
      refusal(setup, {}, { beside: { x_app: 'kiosk' }, fields: { 'content-type': 'application/json; charset=utf-8' } }),
    '200',
    '400 invalid_request',
  ],
};
