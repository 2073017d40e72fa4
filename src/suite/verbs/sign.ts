import type { Difference } from '../../model/suite.ts';
import { members, word } from '../grammar/grammar.ts';
import { defineVerb } from './define.ts';
import { describeDifference, requiresOfDifference, signedKeys } from './difference.ts';

const bases = ['none', 'client-assertion', 'request-object'] as const;

/** What `sign` begins with. */
export type SignBase = (typeof bases)[number];

const signed: Readonly<Record<SignBase, string>> = {
  none: 'a JWT is signed, and not sent',
  'client-assertion': 'a client assertion is signed, and not sent',
  'request-object': 'a request object is signed, and not sent',
};

/** Makes a JWT and sends nothing. */
export const sign = defineVerb({
  verb: 'sign',
  description: 'Make a JWT and send nothing.',
  value: members({ base: word(bases, { description: 'What it begins with.' }), ...signedKeys }, { title: 'sign' }),
  keys: {},
  outcomes: [],
  expectations: [],
  members: ['jws', 'claims', 'header', 'summary', 'sentAt'],
  makes: ['object'],
  compile: ({
    value: { base = 'none', ...difference },
  }): { readonly base: SignBase; readonly difference: Difference } => ({
    base,
    difference,
  }),
  requires: ({ difference }) => requiresOfDifference(difference),
  describe: ({ base, difference }, show) => ({ act: signed[base], details: describeDifference(difference, show) }),
});
