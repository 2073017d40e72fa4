import { defined } from '../../lib/optional.ts';
import type { ProofDifference, UsertraitDifference } from '../../model/suite.ts';
import { either, flag, type Grammar, members, word } from '../grammar/grammar.ts';
import { httpHeaders, names, templateText, values } from '../grammar/shared.ts';
import { defineVerb, describeMap, describeName, describeValue, readRow, type Show } from './define.ts';
import {
  carriedKeys,
  clientKey,
  describeCarried,
  describeDifference,
  orNothing,
  proofKeys,
  requiresOfDifference,
} from './difference.ts';
import { exchangeMembers, repeatKeys } from './references.ts';

const proofShape = members(
  {
    absent: flag({ description: 'No x-authorization at all.' }),
    value: templateText('This text instead of a proof.'),
    over: members(
      {
        method: templateText('Made over this method.'),
        url: templateText('Made over this URL.'),
        body: templateText('Made over this body.'),
      },
      { title: 'over', description: 'Made over another request than the one sent.' },
    ),
    ...proofKeys,
  },
  { title: 'proof', description: 'What makes the proof of possession differ.' },
);

/** What makes a usertrait request (§2.8, §4.7) differ from the base one. */
export const usertraitKeys = {
  ...clientKey,
  members: values('Members of the body to set.'),
  drop: names('a list of member names', 'Members of the body to remove.'),
  text: templateText('The whole body, as raw text.'),
  ...carriedKeys,
  headers: httpHeaders,
  proof: proofShape,
};

const usertraitShape: Grammar<UsertraitDifference> = members(usertraitKeys, { title: 'usertrait' });
const eachOrMapping = { title: 'a mapping, or each' };

function describeProof({ absent, value, over = {}, ...jwt }: ProofDifference, show: Show): readonly string[] {
  return [
    ...(absent === true ? ['without a proof of possession'] : []),
    ...describeValue('the proof of possession is', value, show),
    ...describeDifference(jwt, show).map((words) => `the proof of possession: ${words}`),
    ...describeValue('the proof is made over the method', over.method, show),
    ...describeValue('the proof is made over the URL', over.url, show),
    ...describeValue('the proof is made over the body', over.body, show),
  ];
}

function describeUsertrait(difference: UsertraitDifference, show: Show): readonly string[] {
  const { client, members: set, drop = [], proof } = difference;
  return [
    ...describeName('with the values and the key of the client', client),
    ...describeMap('', set, show),
    ...drop.map((name) => `without ${name}`),
    ...describeCarried(difference, show),
    ...(proof === undefined ? [] : describeProof(proof, show)),
  ];
}

/** Asks for a trait of the subscriber (§2.8). */
export const usertrait = defineVerb({
  verb: 'usertrait',
  description:
    'Send a usertrait request; the keys are its differences from the base request. `each` takes the row of the case.',
  value: either(word(['each'], eachOrMapping), usertraitShape, eachOrMapping),
  keys: repeatKeys,
  outcomes: ['accepted', 'denied', 'answered'],
  expectations: ['echo', 'error', 'status', 'like', 'latencyLike'],
  members: [...exchangeMembers, 'proof'],
  compile: ({ value }, context): { readonly difference: UsertraitDifference } => ({
    difference: (value === 'each' ? readRow(usertraitShape, context) : value) ?? {},
  }),
  requires: ({ difference: { client, proof } }) => [
    'usertrait',
    ...requiresOfDifference(defined({ client, key: proof?.key })),
  ],
  describe: ({ difference }, show) => ({
    act: 'a usertrait request is sent',
    details: orNothing(describeUsertrait(difference, show)),
  }),
});
