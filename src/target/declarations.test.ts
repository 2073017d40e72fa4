import { expect, test } from 'vitest';
import { buildTarget } from '../testing/target.ts';
import { postTo } from '../testing/drivers.ts';
import { declarationsOf } from './declarations.ts';

test('a target file that declares nothing', () => {
  const { proof: _, ...target } = buildTarget();
  expect(declarationsOf(target)).toEqual([]);
});

test('every declaration, with its key, its value and a sentence', () => {
  const target = buildTarget({
    supports: { cancel: false, location: true },
    latency: { callback: 120, sim_swap: 10_800 },
    attributes: ['name', 'email'],
    carrierCodes: { own: ['001010', '001011'], foreign: ['001012'] },
    assertionAudience: 'issuer',
    userinfoProof: true,
    endpoints: { event_jwks: 'https://events.test/jwks' },
    casesPerSubscriber: 2,
    drivers: {
      approve: postTo('https://admin.test/'),
      'move-sim': { ...postTo('https://admin.test/'), takesEffect: 45 },
    },
  });
  expect(declarationsOf(target).map(({ key, value, words }) => [key, value, words])).toEqual([
    ['supports.cancel', false, 'the carrier has no cancel'],
    ['supports.location', true, 'the carrier has location'],
    ['latency.callback', 120, 'a callback comes within 120 s'],
    ['latency.sim_swap', 10_800, 'a SIM swap shows within 10800 s'],
    ['attributes', ['name', 'email'], 'the attributes of user info are name, email'],
    ['carrier_codes.own', ['001010', '001011'], 'the codes of the carrier are 001010, 001011'],
    ['carrier_codes.foreign', ['001012'], 'codes of other carriers are 001012'],
    ['proof', 'taap', 'proofs of possession are of the format taap'],
    ['token.assertion_audience', 'issuer', 'client assertions are meant for issuer'],
    ['userinfo.proof', true, 'user info wants a proof of possession'],
    ['events.jwks', 'https://events.test/jwks', 'the keys of events are at https://events.test/jwks'],
    ['cases_per_subscriber', 2, '2 cases of one subscriber at a time'],
    ['drivers.move-sim.takes_effect', 45, 'move-sim takes effect after 45 s'],
  ]);
});
