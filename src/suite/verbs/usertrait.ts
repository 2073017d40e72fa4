import { defined } from '../../lib/optional.ts';
import type { ProofDifference, UsertraitDifference } from '../../model/suite.ts';
import { either, flag, type Members, object, placed, word } from '../grammar/grammar.ts';
import { httpHeaders, names, templateText, values } from '../grammar/shared.ts';
import { type ActContext, defineVerb, describeMap, describeName, describeValue, type Show } from './define.ts';
import {
  carriedKeys,
  clientKey,
  compileDifference,
  describeCarried,
  describeDifference,
  optionalMap,
  optionalTemplate,
  orNothing,
  proofKeys,
  requiresOfDifference,
} from './difference.ts';
import { exchangeMembers, repeatKeys } from './references.ts';

const proofShape = object(
  {
    absent: flag({ description: 'No x-authorization at all.' }),
    value: templateText('This text instead of a proof.'),
    over: object(
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
  ...carriedKeys,
  headers: httpHeaders,
  proof: proofShape,
};

const usertraitShape = object(usertraitKeys, { title: 'usertrait' });
const eachOrMapping = { title: 'a mapping, or each' };

function compileProof(read: Members<typeof proofShape.keys>, context: ActContext): ProofDifference {
  const { absent, value, over, ...jwt } = read;
  const { templates } = context;
  const part = (name: 'method' | 'url' | 'body') => optionalTemplate(over?.[name], templates);
  return {
    ...compileDifference(jwt, context),
    ...defined({
      absent: absent === true ? true : undefined,
      value: optionalTemplate(value, templates),
      over: over === undefined ? undefined : defined({ method: part('method'), url: part('url'), body: part('body') }),
    }),
  };
}

function compileUsertrait(read: Members<typeof usertraitKeys>, context: ActContext): UsertraitDifference {
  const { templates } = context;
  return defined({
    client: read.client,
    members: optionalMap(read.members, templates),
    drop: read.drop,
    text: optionalTemplate(read.text, templates),
    form: read.form === true ? true : undefined,
    method: read.method,
    headers: optionalMap(read.headers, templates),
    proof: read.proof === undefined ? undefined : compileProof(read.proof, context),
  });
}

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
  const { client, members, drop = [], proof } = difference;
  return [
    ...describeName('with the values and the key of the client', client),
    ...describeMap('', members, show),
    ...drop.map((name) => `without ${name}`),
    ...describeCarried(difference, show),
    ...(proof === undefined ? [] : describeProof(proof, show)),
  ];
}

/** Asks for a trait of the subscriber (§2.8). */
export const usertrait = defineVerb({
  verb: 'usertrait',
  description: 'Send a usertrait request; the keys are its differences from the base request. `each` takes the row of the case.',
  value: placed(either(word(['each'], eachOrMapping), usertraitShape, eachOrMapping)),
  keys: repeatKeys,
  outcomes: ['accepted', 'denied', 'answered'],
  expectations: ['echo', 'error', 'status', 'like', 'latencyLike'],
  members: [...exchangeMembers, 'proof'],
  compile: ({ place }, context): { readonly difference: UsertraitDifference } => {
    const read = usertraitShape.read(place.value === 'each' ? (context.row ?? place) : place);
    return { difference: read === undefined ? {} : compileUsertrait(read, context) };
  },
  requires: ({ difference: { client, proof } }) => [
    'usertrait',
    ...requiresOfDifference(defined({ client, key: proof?.key })),
  ],
  describe: ({ difference }, show) => ({
    act: 'a usertrait request is sent',
    details: orNothing(describeUsertrait(difference, show)),
  }),
});
