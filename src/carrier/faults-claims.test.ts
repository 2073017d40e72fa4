import { expect, test } from 'vitest';
import { boundaryFaults } from './faults/boundaries.ts';
import { claimFaults } from './faults/claims.ts';
import { comparisonFaults } from './faults/comparisons.ts';
import { standingFaults } from './faults/standing.ts';
import { asText, type Json } from './json.ts';
import { askTrait, happen, setsOf, tokensFor } from './testing/calls.ts';
import { compact } from './testing/compact.ts';
import { claimsOf, inner, type KeyName, openRig, type Rig, text } from './testing/rig.ts';

type Differences = Record<string, Json | undefined>;
type Probe = (rig: Rig) => Promise<unknown>;
type Row = readonly [fault: string, probe: Probe, conforming: unknown, faulty: unknown];
type Signing = { readonly key?: KeyName };

const status =
  (differences: (rig: Rig) => Differences, signing: Signing = {}): Probe =>
  async (rig) =>
    (await rig.authorize(differences(rig), signing)).status;
const taken = (fault: string, differences: (rig: Rig) => Differences): Row => [fault, status(differences), 400, 200];
const refused = (fault: string, differences: (rig: Rig) => Differences, signing?: Signing): Row => [
  fault,
  status(differences, signing),
  200,
  400,
];

/** What comes back after the user approved, so many seconds after the request. */
const approved =
  (pick: (rig: Rig, id: string) => unknown, more: Differences = {}, after = 0): Probe =>
  async (rig) => {
    const id = text((await rig.authorize(more)).body, 'auth_req_id');
    if (after > 0) await rig.move(after);
    await rig.admin('POST', `/requests/${id}/approve`);
    await rig.settle();
    return pick(rig, id);
  };
const state = (sent: string): Probe => approved(({ callbacks }) => callbacks.at(-1)?.body['state'], { state: sent });
const arrived = (after: number): Probe =>
  approved(({ callbacks }) => callbacks.map(({ body }) => 'scope' in body), { expires_in: 60 }, after);
const answered =
  (pick: (body: Json | undefined) => unknown, name: string): Probe =>
  async (rig) =>
    pick((await rig.authorize()).body[name]);
const idLength = answered((id) => asText(id).length - 5, 'auth_req_id');

/** Callbacks that came where the receiver answers with this status. */
const again =
  (answer: number): Probe =>
  async (rig) => {
    rig.replies.push({ status: answer });
    await approved(() => undefined)(rig);
    await rig.move(60);
    return rig.callbacks.length;
  };

const card =
  (
    name: string,
    more: (rig: Rig) => Differences,
    before: (rig: Rig) => Promise<unknown> = () => Promise.resolve(undefined),
  ): Probe =>
  async (rig) => {
    await before(rig);
    const id = text((await rig.authorize(more(rig))).body, 'auth_req_id');
    return inner((await rig.admin('GET', `/requests/${id}`)).body, 'card')[name];
  };
const acrOf = (rig: Rig): unknown => claimsOf(text(rig.callbacks.at(-1)?.body, 'id_token'))['acr'];

const signIn =
  (responseType: string): Probe =>
  async (rig) => {
    const query = new URLSearchParams({
      client_id: 'ccid-conftestclient01',
      redirect_uri: 'https://sp.test/cb',
      response_type: responseType,
    });
    const answer = await rig.send('GET', `${rig.carrier.origin}/authorize?${query.toString()}`);
    return [answer.status, answer.headers.location];
  };
const refusedSignIn = [302, 'https://sp.test/cb?error=unsupported_response_type'];

/** Two request objects with one jti, so many seconds apart. */
const replayed =
  (seconds: number): Probe =>
  async (rig) => {
    await rig.authorize({ jti: 'same' });
    await rig.move(seconds);
    return (await rig.authorize({ jti: 'same' })).status;
  };

const two = (rig: Rig): Differences => ({
  client_id: 'ccid-conftestclient03',
  login_hint: rig.sub('first', 'two-keys'),
});

/** The user authenticated so many seconds ago. */
const signedIn =
  (seconds: number) =>
  async (rig: Rig): Promise<void> => {
    await rig.admin('POST', '/subscribers/first/open-app');
    await rig.move(seconds);
  };

/** The status of the last of so many requests that wait. */
const pending =
  (count: number): Probe =>
  async (rig) => {
    let last = 0;
    for (let at = 0; at < count; at++) last = (await rig.authorize()).status;
    return last;
  };

/** How many attempts for an event had come after each of these seconds. */
const attempts =
  (...seconds: readonly number[]): Probe =>
  async (rig) => {
    rig.eventReplies.push({ status: 503 });
    await happen(rig, 'move-sim');
    const counts: number[] = [];
    for (const by of seconds) {
      await rig.move(by);
      counts.push(setsOf(rig, 'main').length);
    }
    return counts;
  };

const tenureAfter =
  (hours: number): Probe =>
  async (rig) => {
    await happen(rig, 'swap-sim');
    await rig.move(hours * 3600);
    return (await askTrait(rig)).body['sim_tenure'];
  };
const proof =
  (age: number, end: number): Probe =>
  async (rig) =>
    (await askTrait(rig, { proof: { claims: { iat: rig.now() - age, exp: rig.now() + end } } })).status;

/** Whether the card names openid where the user took back what was consented. */
const revoked = card(
  'consentScreen',
  () => ({}),
  (rig) => rig.admin('POST', '/subscribers/first/remove-consent', { client_id: 'ccid-conftestclient01' }),
);

const rows: readonly Row[] = [
  [
    'sub-missing-as-access-denied',
    async (rig) => (await rig.authorize({ sub: undefined })).body['error'],
    'invalid_client',
    'access_denied',
  ],
  refused('aud-is-the-endpoint', () => ({})),
  refused('scopes-separated-by-commas', () => ({ scope: 'openid name' })),
  refused('offline-access-unknown', () => ({ scope: 'openid offline_access' })),
  refused('birthdate-unknown', () => ({ scope: 'openid birthdate' })),
  refused('login-hint-without-carrier-code', () => ({})),
  refused('context-hyphen-refused', () => ({ context: 'Pay-25-x' })),
  ['callback-204-not-believed', again(204), 1, 2],
  ['callback-always-sent-again', again(200), 1, 2],
  ['state-html-escaped', state('<b>'), '<b>', '&lt;b&gt;'],
  ['state-backslash-doubled', state('"'), '"', String.raw`\"`],
  ['state-control-characters-dropped', state('a\nb'), 'a\nb', 'ab'],
  ['state-beyond-the-first-plane-replaced', state('😀'), '😀', '?'],
  [
    'replay-without-jti-unnoticed',
    async (rig) => {
      const request = rig.sign(rig.claims({ jti: undefined }));
      return [(await rig.post({ request })).status, (await rig.post({ request })).status];
    },
    [200, 400],
    [200, 200],
  ],
  ['revoked-consent-remembered', revoked, undefined, []],

  taken('aud-list-unseen', () => ({ aud: ['https://other.test'] })),
  taken('aud-empty-list-accepted', () => ({ aud: [] })),
  taken('aud-list-by-prefix', (rig) => ({ aud: [`${rig.carrier.origin}.other.test`] })),
  taken('aud-list-in-any-case', (rig) => ({ aud: [rig.carrier.origin.toUpperCase()] })),
  taken('aud-list-flattened', (rig) => ({ aud: [[rig.carrier.origin]] })),
  [
    'escaped-slash-refused',
    async (rig) => {
      const claims = JSON.stringify(rig.claims()).replace('sp.test/cb', String.raw`sp.test\/cb`);
      return (await rig.post({ request: compact(rig, { claims }) })).status;
    },
    200,
    400,
  ],
  taken('notification-uri-user-ignored', (rig) => ({
    notification_uri: `${rig.receiver.replace('://', '://sp.test@')}/si/notify`,
  })),
  taken('notification-uri-loopback-allowed', () => ({ notification_uri: 'https://2130706433/notify' })),
  taken('notification-uri-by-prefix', (rig) => ({ notification_uri: `${rig.receiver}/si/notify?next=1` })),
  taken('iss-in-any-case', () => ({ iss: 'CCID-CONFTESTCLIENT01' })),
  taken('iss-trimmed', () => ({ iss: 'ccid-conftestclient01 ' })),
  taken('response-type-among-others', () => ({ response_type: 'async_token code' })),
  taken('acr-in-any-case', () => ({ acr_values: 'A3' })),
  [
    'client-id-beside-in-any-case',
    async (rig) => (await rig.post({ request: rig.sign(rig.claims()), client_id: 'CCID-CONFTESTCLIENT01' })).status,
    400,
    200,
  ],
  refused('kid-of-36-refused', two, { key: 'rsa' }),
  refused('kid-of-one-letter-refused', two, { key: 'ec' }),

  ['implicit-flow-open', signIn('token'), refusedSignIn, [200, undefined]],
  ['async-token-at-the-sign-in', signIn('async_token'), refusedSignIn, [200, undefined]],
  ['sign-in-error-of-its-own', signIn('token'), refusedSignIn, [302, 'https://sp.test/cb?error=E4711']],
  ['light-and-dark-is-dark', card('colourMode', () => ({ options: 'light dark' })), 'system', 'dark'],
  [
    'a3-only-right-after-the-pin',
    async (rig) => {
      await rig.admin('POST', '/subscribers/first/open-app');
      return approved(acrOf, { acr_values: 'a3' })(rig);
    },
    'a3',
    'a1',
  ],
  [
    'phone-number-by-its-beginning',
    async (rig) => {
      const body = await tokensFor(rig, { client: 'privileged', more: { login_hint: '+12175550102' } });
      return claimsOf(text(body, 'id_token'))['sub'] === rig.sub('second', 'privileged');
    },
    true,
    false,
  ],
  ['auth-req-id-of-9', idLength, 32, 9],
  ['auth-req-id-of-201', idLength, 32, 201],
  ['auth-req-id-of-21', idLength, 32, 21],
  ['times-out-a-minute-late', arrived(85), [false], [true]],
  ['times-out-10-seconds-early', arrived(55), [true], [false]],
  ['granted-a-second-more', answered((granted) => granted, 'expires_in'), 300, 301],
  [
    'callback-bearer-cut-at-1000',
    approved(({ callbacks }) => callbacks.at(-1)?.headers.authorization?.length, {
      client_notification_token: 'x'.repeat(1024),
    }),
    1031,
    1007,
  ],

  taken('iat-window-6-minutes', (rig) => ({ iat: rig.now() - 330 })),
  taken('iat-90-seconds-ahead', (rig) => ({ iat: rig.now() + 90 })),
  taken('exp-window-6-minutes', (rig) => ({ exp: rig.now() + 330 })),
  refused('exp-window-4-minutes', (rig) => ({ exp: rig.now() + 300 })),
  taken('exp-leeway-2-minutes', (rig) => ({ iat: rig.now() - 240, exp: rig.now() - 90 })),
  taken('nbf-leeway-2-minutes', (rig) => ({ nbf: rig.now() + 90 })),
  ['jti-kept-4-minutes', replayed(270), 400, 200],
  refused('context-limit-200', () => ({ context: 'x'.repeat(201) })),
  refused('context-limit-239', () => ({ context: 'x'.repeat(240) })),
  taken('context-limit-241', () => ({ context: 'x'.repeat(241) })),
  refused('context-min-9', () => ({ context: 'x'.repeat(8) })),
  taken('context-min-7', () => ({ context: 'x'.repeat(7) })),
  refused('correlation-id-limit-127', () => ({ correlation_id: 'x'.repeat(128) })),
  refused('correlation-id-limit-36', () => ({ correlation_id: 'x'.repeat(37) })),
  refused('notification-token-limit-1023', () => ({ client_notification_token: 'x'.repeat(1024) })),
  refused('notification-token-limit-255', () => ({ client_notification_token: 'x'.repeat(256) })),
  taken('notification-token-limit-2048', () => ({ client_notification_token: 'x'.repeat(1025) })),
  ['event-retried-twice', attempts(60, 60, 60), [2, 3, 4], [2, 3, 3]],
  ['event-retried-after-40-seconds', attempts(40, 20), [1, 2], [2, 2]],
  ['event-retried-after-80-seconds', attempts(60, 20), [2, 2], [1, 2]],
  ['tenure-window-23-hours', tenureAfter(23.5), 'true', 'false'],
  ['tenure-window-25-hours', tenureAfter(24.5), 'false', 'true'],
  ['authentication-reused-for-an-hour', card('authentication', () => ({}), signedIn(1860)), 'full', 'reused'],
  ['login-reused-for-2-minutes', card('authentication', () => ({ prompt: 'login' }), signedIn(90)), 'full', 'reused'],
  ['proof-life-4-minutes', proof(180, 60), 401, 200],
  ['proof-leeway-1-minute', proof(150, -30), 401, 200],
  ['pending-limit-100', pending(100), 400, 200],
];

test.each(rows.map(([fault, probe, conforming, faulty]) => ({ fault, probe, conforming, faulty })))(
  '$fault',
  async ({ fault, probe, conforming, faulty }) => {
    for (const [faults, expected] of [
      [[], conforming],
      [[fault], faulty],
    ] as const) {
      const rig = await openRig({ faults });
      try {
        expect(await probe(rig)).toEqual(expected);
      } finally {
        await rig.close();
      }
    }
  },
);

test('every fault of these families is shown here', () => {
  const here = [...claimFaults, ...comparisonFaults, ...standingFaults, ...boundaryFaults].map(({ name }) => name);
  expect(rows.map(([fault]) => fault).toSorted()).toEqual(here.toSorted());
});
