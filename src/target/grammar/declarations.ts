import {
  described,
  either,
  flag,
  list,
  named,
  object,
  placed,
  nonEmptyText,
  word,
} from '../../suite/grammar/grammar.ts';
import { programGrammar } from '../drivers/kinds.ts';
import { carrierCode, durationValue, textOrVariable } from '../values.ts';

const latency = object(
  {
    callback: described(durationValue, 'From the end of a request to its callback; default 30s.'),
    event: described(durationValue, 'From a change to its event; default 10m.'),
    sim_swap: described(durationValue, 'From a SIM swap until the SIM shows as new; default 1h.'),
    consent: described(durationValue, 'From a change of a consent until requests are judged by it; default 1m.'),
  },
  { title: 'latency', description: 'Maximum delays of the carrier; cases wait that long.' },
);

const carrierCodes = object(
  {
    own: list(carrierCode('One of them.'), { title: 'a list of carrier codes', description: 'Codes of this carrier.' }),
    foreign: list(carrierCode('One of them.'), {
      title: 'a list of carrier codes',
      description: 'Codes of other carriers, for which this one must give no configuration.',
    }),
  },
  { title: 'carrier_codes', description: 'Carrier codes in addition to mccmnc (§4.5).' },
);

const proofProgram = object(
  { exec: described(named('exec', programGrammar), 'A program that prints the value of x-authorization.') },
  { required: ['exec'], title: 'a program' },
);

/** Keys for declarations on points that the interface leaves open. */
export const declarationKeys = {
  latency,
  attributes: placed(
    list(nonEmptyText({ title: 'an attribute' }), {
      title: 'a list of attributes',
      minItems: 1,
      description: 'Attributes in user info (§2.3, §2.11); default: all except location.',
    }),
  ),
  carrier_codes: carrierCodes,
  token: object(
    {
      assertion_audience: nonEmptyText({
        title: 'token_endpoint, issuer or a URL',
        description: 'Audience of client assertions; default token_endpoint.',
      }),
    },
    { title: 'token', description: 'How to call the token endpoint (§4.3).' },
  ),
  userinfo: object(
    { proof: flag({ description: 'User info requires a proof of possession in x-authorization.' }) },
    { title: 'userinfo', description: 'How to request user info (§4.9).' },
  ),
  events: object(
    { jwks: described(textOrVariable, 'URL of the keys that sign events; default: the keys of jwks.') },
    { title: 'events', description: 'How events are published (§4.8).' },
  ),
  proof: either(word(['taap', 'jwt', 'dpop'], { title: 'taap, jwt or dpop' }), placed(proofProgram), {
    title: 'taap, jwt, dpop or a program',
    description: 'Format of the proof of possession in x-authorization (§5.8), or the program that makes it.',
  }),
};
