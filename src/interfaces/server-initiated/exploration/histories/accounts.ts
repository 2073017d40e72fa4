import { pick } from '../../../../lib/covering/random.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { completed, expectOf, trigger } from '../race-steps.ts';
import { asksFor, ended, type History, looks, query, type Steps } from './history.ts';

const deviceChange = (as: string, of: string, expect: JsonObject): JsonObject => ({
  as,
  await: 'events',
  event: 'device_change',
  until: `${of} + target.latency.event`,
  expect,
});

const emailLevel = (of: string, level: number, rule: string): JsonObject => ({
  http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${of}-e.body.access_token }}` } },
  expect: { ...expectOf('accepted', rule), equals: { 'body.email.verified': level } },
});

/** A consent, a number, a SIM, a key, a flag or a profile has changed: what follows goes by how it is now. */
export const accountHistories: readonly History[] = [
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
    setting: { exclusive: true, requires: ['events', 'consent-revoked'] },
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
    title: 'prompt none is refused once the SP may not authorize silently',
    setting: { exclusive: true, client: 'privileged' },
    needs: ({ silent, can }) => silent && can('set-flag'),
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
    title: 'A user who links the phone app again gets events reported again',
    needs: ({ moveSim, wait, runs }) => moveSim && wait && runs('user-without-the-link'),
    requests: 1,
    steps: (p) => [
      { as: `${p}x`, trigger: 'unlink' },
      { as: `${p}m`, at: `${p}x + target.latency.consent`, trigger: 'move-sim' },
      deviceChange(`${p}m-e`, `${p}m`, expectOf('silence', 'EVT-033')),
      { as: `${p}y`, trigger: 'link' },
      { as: `${p}n`, at: `${p}y + target.latency.consent + 65m`, trigger: 'move-sim' },
      deviceChange(`${p}n-e`, `${p}n`, expectOf('delivered', 'EVT-001')),
    ],
  },
  {
    title: 'An SP that subscribes again gets no duplicate within the hour',
    needs: ({ moveSim, wait, runs, latency }) =>
      moveSim && wait && latency.event <= 1200 && runs('without-subscription'),
    requests: 1,
    steps: (p) => [
      { as: `${p}m`, trigger: 'move-sim' },
      deviceChange(`${p}m-e`, `${p}m`, expectOf('delivered', 'EVT-001')),
      { as: `${p}x`, trigger: { action: 'set-flag', with: { flag: 'event_subscription', on: false } } },
      { as: `${p}n`, at: `${p}m-e.receivedAt + 15m`, trigger: 'move-sim' },
      deviceChange(`${p}n-e`, `${p}n`, expectOf('silence', 'EVT-006')),
      { as: `${p}y`, trigger: { action: 'set-flag', with: { flag: 'event_subscription', on: true } } },
      { as: `${p}o`, at: `${p}m-e.receivedAt + 40m`, trigger: 'move-sim' },
      deviceChange(`${p}o-e`, `${p}o`, expectOf('silence', 'EVT-018')),
    ],
  },
  {
    title: 'Events are signed with the key that they name, before a rotation and after it',
    needs: ({ moveSim, rotateKeys, wait }) => moveSim && rotateKeys && wait,
    requests: 1,
    steps: (p) => [
      { as: `${p}m`, trigger: 'move-sim' },
      deviceChange(`${p}m-e`, `${p}m`, expectOf('delivered', 'EVT-001')),
      { as: `${p}j`, http: { to: 'jwks' } },
      { as: `${p}x`, trigger: 'rotate-keys' },
      { as: `${p}n`, at: `${p}m-e.receivedAt + 65m`, trigger: 'move-sim' },
      deviceChange(`${p}n-e`, `${p}n`, expectOf('delivered', 'EVT-001')),
      { as: `${p}k`, http: { to: 'jwks' } },
    ],
  },
  {
    title: 'A scope that the user unticked is asked for again',
    needs: ({ look, consent, runs }) => look && consent && runs('userinfo-unticked-scopes'),
    requests: 2,
    steps: (p) => [
      { as: `${p}x`, trigger: { action: 'remove-consent', with: { scopes: ['birthdate'] }, ifPossible: true } },
      { as: `${p}r`, at: `${p}x + target.latency.consent`, authorize: { claims: { scope: 'openid birthdate' } } },
      looks(`${p}r`, 'REQ-080', asksFor('birthdate')),
      { as: `${p}r-d`, trigger: { action: 'approve', of: `${p}r`, with: { scopes: ['openid'] } } },
      completed(`${p}r-e`, `${p}r`),
      { as: `${p}s`, authorize: { claims: { scope: 'openid birthdate' } } },
      looks(`${p}s`, 'REQ-080', asksFor('birthdate')),
    ],
  },
  {
    title: 'The level of an e-mail address follows what becomes of it, each time',
    setting: { exclusive: true, client: 'privileged', subscriber: 'proofed' },
    needs: ({ runs }) => runs('bounced-email') && runs('edited-and-verified-email'),
    requests: 1,
    steps: (p) => [
      { as: `${p}r`, authorize: { claims: { scope: 'openid email' } } },
      ...ended(`${p}r`, 'approve'),
      { as: `${p}a`, trigger: { action: 'edit-profile', with: { attribute: 'email' } } },
      emailLevel(`${p}r`, 1, 'UI-026'),
      { as: `${p}b`, trigger: 'verify-email' },
      emailLevel(`${p}r`, 2, 'UI-026'),
      { as: `${p}c`, trigger: { action: 'edit-profile', with: { attribute: 'email' } } },
      emailLevel(`${p}r`, 1, 'UI-026'),
      { as: `${p}d`, trigger: 'verify-email' },
      emailLevel(`${p}r`, 2, 'UI-026'),
      { as: `${p}e`, trigger: 'bounce-email' },
      emailLevel(`${p}r`, 1, 'UI-041'),
    ],
  },
  {
    title: 'A used jti stays used when another key of the SP is removed',
    setting: { exclusive: true, client: 'two-keys' },
    needs: ({ runs }) => runs('key-removed'),
    requests: 3,
    steps: (p) => [
      { as: `${p}r`, authorize: {} },
      { as: `${p}x`, trigger: { action: 'remove-key', with: { kid: '{{ client.keys.1.kid }}' } } },
      ...[{ again: `${p}r` }, { claims: { jti: `{{ ${p}r.claims.jti }}` } }].map((authorize, at) => ({
        as: `${p}s${at + 1}`,
        by: `${p}r + 4m50s`,
        authorize,
        expect: expectOf('denied-or-dropped', 'REQ-015'),
      })),
    ],
  },
  {
    title: 'A number that was given up names nobody, however it was used before',
    setting: { exclusive: true, client: 'privileged' },
    needs: ({ can, runs }) => can('change-number') && runs('phone-number-form'),
    requests: 2,
    steps: (p) => [
      { as: `${p}r`, authorize: { claims: { login_hint: '{{ subscriber.phone }}' } } },
      ...ended(`${p}r`, 'approve'),
      { as: `${p}x`, trigger: 'change-number' },
      {
        as: `${p}s`,
        at: `${p}x + target.latency.sim_swap + 2m`,
        authorize: { claims: { login_hint: '{{ subscriber.phone }}' } },
        expect: expectOf('denied', 'FLOW-004'),
      },
    ],
  },
];
