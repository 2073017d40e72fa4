import { claimsText, type ProbeRow, proveFaults, sendRaw, signClaimsText, status } from '../testing/probes.ts';
import { anewRobustnessFaults } from './anew-robustness.ts';

/** Status of a call, or the word cut if the connection ended without one. */
const statusOf = (call: Promise<{ readonly status: number }>): Promise<number | 'cut'> =>
  call.then(
    (answer) => answer.status,
    () => 'cut' as const,
  );

const rows: Readonly<Record<string, ProbeRow>> = {
  'coding-identity-500': [status({}, { fields: { 'content-encoding': 'identity' } }), 200, 500],
  'another-scheme-at-user-info-500': [
    async (setup) =>
      (await setup.send('GET', `${setup.carrier.origin}/userinfo`, undefined, { authorization: 'Basic YTpi' })).status,
    401,
    500,
  ],
  'proof-of-five-parts-cuts-the-connection': [
    (setup) =>
      statusOf(
        setup.send('POST', `${setup.carrier.origin}/v1/usertrait`, `{"client_id":"ccid-conftestclient01"}`, {
          'content-type': 'application/json',
          'x-authorization': 'e30.e30.e30.e30.e30',
        }),
      ),
    401,
    'cut',
  ],
  'client-id-of-an-object-member-500': [
    async (setup) => {
      const query = '?client_id=constructor&mccmnc=001010';
      return (await setup.send('GET', `${setup.carrier.origin}/.well-known/openid_configuration${query}`)).status;
    },
    200,
    500,
  ],
  'member-of-an-object-beside-500': [status({}, { beside: { toString: 'x' } }), 200, 500],
  'escaped-pair-500': [
    async (setup) => {
      const jws = signClaimsText(claimsText(setup, String.raw`"x_note":"\ud83d\ude00"`));
      return (await sendRaw(setup, JSON.stringify({ request: jws }))).status;
    },
    200,
    500,
  ],
  'apostrophe-in-the-state-500': [status({ state: "it's" }), 200, 500],
};

proveFaults(anewRobustnessFaults, rows);
