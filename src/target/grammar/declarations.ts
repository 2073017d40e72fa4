import { described, either, flag, list, named, object, placed, text, word } from '../../suite/grammar/grammar.ts';
import { program } from '../drivers/kinds.ts';
import { carrierCode, durationValue, textOrVariable } from './values.ts';

const latency = object(
  {
    callback: described(durationValue, 'From what ends a request to its callback; default 30s.'),
    event: described(durationValue, 'From a change to its event; default 10m.'),
    sim_swap: described(durationValue, 'From a SIM swap until the SIM shows as new; default 1h.'),
    consent: described(durationValue, 'From a change of a consent until requests are judged by it; default 1m.'),
  },
  { title: 'latency', description: 'How long the carrier may take: cases wait that long.' },
);

const carrierCodes = object(
  {
    own: list(carrierCode('One of them.'), { title: 'a list of carrier codes', description: 'Of this carrier.' }),
    foreign: list(carrierCode('One of them.'), {
      title: 'a list of carrier codes',
      description: 'Of other carriers: this one must give no configuration for them.',
    }),
  },
  { title: 'carrier_codes', description: 'Carrier codes beside mccmnc (§4.5).' },
);

const proofProgram = object(
  { exec: described(named('exec', program), 'A program that prints the value of x-authorization.') },
  { required: ['exec'], title: 'a program' },
);

/** Keys for declarations on points that the interface leaves open. */
export const declarationKeys = {
  latency,
  attributes: placed(
    list(text({ title: 'an attribute' }), {
      title: 'a list of attributes',
      minItems: 1,
      description: 'What user info can have (§2.3, §2.11); default: all but location.',
    }),
  ),
  carrier_codes: carrierCodes,
  token: object(
    {
      assertion_audience: text({
        title: 'token_endpoint, issuer or a URL',
        description: 'Audience of client assertions; default token_endpoint.',
      }),
    },
    { title: 'token', description: 'How the token endpoint is called (§4.3).' },
  ),
  userinfo: object(
    { proof: flag({ description: 'User info wants a proof of possession in x-authorization.' }) },
    { title: 'userinfo', description: 'How user info is asked for (§4.9).' },
  ),
  events: object(
    { jwks: described(textOrVariable, 'URL of the keys that events are signed with; default: those of jwks.') },
    { title: 'events', description: 'How events are published (§4.8).' },
  ),
  proof: either(word(['taap', 'jwt', 'dpop'], { title: 'taap, jwt or dpop' }), placed(proofProgram), {
    title: 'taap, jwt, dpop or a program',
    description: 'Format of the proof of possession in x-authorization (§5.8), or the program that makes it.',
  }),
};
