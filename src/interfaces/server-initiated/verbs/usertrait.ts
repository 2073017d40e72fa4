import { sendTo } from '../../../engine/act/http.ts';
import { defineStepVerb } from '../../../engine/act/verb.ts';
import type { CaseContext, CaseWith } from '../../../engine/context/case-context.ts';
import { endpointUrl } from '../../../engine/context/endpoints.ts';
import type { ResponseObservation } from '../../../judge/observation.ts';
import { type Json, renderPlain, omitUndefined } from '../../../lib/json.ts';
import type { NamedDifference } from '../../../model/exchange.ts';
import type { ProofDifference, UsertraitDifference } from '../../../model/suite.ts';
import { either, flag, type Grammar, members, word } from '../../../suite/grammar/grammar.ts';
import { httpHeaders, nonEmptyTexts, templateText, values } from '../../../suite/grammar/common-shapes.ts';
import type { Step } from '../../../suite/suites.ts';
import {
  type VerbAct,
  defineVerb,
  describeMap,
  describeName,
  describeTemplate,
  readRow,
  type ShowValue,
  exchangeMembers,
  repeatKeys,
} from '../../../suite/verbs/verb.ts';
import type { HttpRequest } from '../../../wire/build/http-request.ts';
import {
  carriedKeys,
  clientKey,
  describeCarried,
  describeDifference,
  orValidRequest,
  proofKeys,
  differenceRequirements,
  namesStranger,
} from './difference.ts';
import { alteredProofMember, makeProof, addProof } from './proof.ts';
import { requireBase } from './signed-object.ts';

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
  { title: 'proof', description: 'The differences of the proof of possession.' },
);

/** Differences of a usertrait request from the base one (§2.8, §4.7). */
const usertraitKeys = {
  ...clientKey,
  members: values('Members of the body to set.'),
  drop: nonEmptyTexts('a list of member names', 'Members of the body to remove.'),
  text: templateText('The whole body, as raw text.'),
  ...carriedKeys,
  headers: httpHeaders,
  proof: proofShape,
};

const usertraitShape: Grammar<UsertraitDifference> = members(usertraitKeys, { title: 'usertrait' });
const usertraitValueTitle = { title: 'a mapping, or each' };

function describeProof({ absent, value, over = {}, ...jwt }: ProofDifference, show: ShowValue): readonly string[] {
  return [
    ...(absent === true ? ['left out'] : []),
    ...describeTemplate('the text', value, show),
    ...describeDifference(jwt, show),
    ...describeTemplate('made over the method', over.method, show),
    ...describeTemplate('made over the URL', over.url, show),
    ...describeTemplate('made over the body', over.body, show),
  ];
}

function describeUsertrait(difference: UsertraitDifference, show: ShowValue): readonly string[] {
  const { client, members: set, drop = [], proof } = difference;
  return [
    ...describeName('with the values and the key of the client', client),
    ...describeMap('', set, show),
    ...drop.map((name) => `without ${name}`),
    ...describeCarried(difference, show),
    ...(proof === undefined ? [] : [`the proof of possession: ${describeProof(proof, show).join('; ')}`]),
  ];
}

const usertraitDefinition = defineVerb({
  verb: 'usertrait',
  description:
    'Send a usertrait request; the keys are its differences from the base request. `each` takes the row of the case.',
  value: either(word(['each'], usertraitValueTitle), usertraitShape, usertraitValueTitle),
  keys: repeatKeys,
  sends: true,
  outcomes: ['accepted', 'denied', 'at-most-one', 'answered'],
  expectations: ['echo', 'error', 'status', 'like', 'latencyLike'],
  members: [...exchangeMembers, 'proof'],
  row: usertraitKeys,
  compile: ({ value }, context): { readonly difference: UsertraitDifference } => ({
    difference: (value === 'each' ? readRow(usertraitShape, context) : value) ?? {},
  }),
  requires: ({ difference: { client, proof } }) => [
    'usertrait',
    ...(proof === undefined || alteredProofMember(proof) === undefined ? [] : ['known-proof-format']),
    ...differenceRequirements(omitUndefined({ client, key: proof?.key })),
  ],
  risks: ({ difference: { members: set = [] } }) =>
    set.some(([name, value]) => name === 'sub' && namesStranger(value)) ? ['strangers'] : [],
  describe: ({ difference }, show) => ({
    act: 'a usertrait request is sent',
    details: orValidRequest(describeUsertrait(difference, show)),
  }),
});

function usertraitMembers({ members = [], drop = [] }: UsertraitDifference, ctx: CaseContext): Map<string, Json> {
  const scope = ctx.scope();
  const given = new Map(members);
  const found = new Map<string, Json>();
  for (const [name, template] of requireBase('usertrait', ctx.services).claims) {
    if (drop.includes(name)) continue;
    found.set(name, (given.get(name) ?? template).evaluate(scope));
    given.delete(name);
  }
  for (const [name, template] of given) found.set(name, template.evaluate(scope));
  return found;
}

/** The POST of §4.7 without its proof. */
function usertraitRequest(
  url: string,
  difference: UsertraitDifference,
  { sent, ctx }: { readonly sent: ReadonlyMap<string, Json>; readonly ctx: CaseContext },
): HttpRequest {
  const scope = ctx.scope();
  const members = Object.fromEntries(sent);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) form.append(name, renderPlain(value));
  const body = difference.form === true ? form.toString() : JSON.stringify(members);
  const type = difference.form === true ? 'application/x-www-form-urlencoded' : 'application/json';
  const given = new Map((difference.headers ?? []).map(([name, value]) => [name.toLowerCase(), value.evaluate(scope)]));
  const headers = new Map<string, Json>([['content-type', type], ['cache-control', 'no-cache'], ...given]);
  const method = difference.method ?? 'POST';
  return {
    method,
    url,
    headers: [...headers].flatMap(([name, value]) => (value === null ? [] : [[name, renderPlain(value)] as const])),
    ...(method === 'GET' || method === 'HEAD'
      ? {}
      : { body: difference.text === undefined ? body : renderPlain(difference.text.evaluate(scope)) }),
  };
}

function nameUsertraitDifferences(
  { members = [], drop = [], proof, method, form }: UsertraitDifference,
  sent: ReadonlyMap<string, Json>,
): NamedDifference[] {
  const set = (what: string, value: Json): NamedDifference => ({ what, change: 'set', value });
  const how = proof === undefined ? '' : describeProof(proof, renderPlain).join('; ');
  return [
    ...members.map(([name]) => set(`members.${name}`, sent.get(name) ?? null)),
    ...drop.map((name): NamedDifference => ({ what: `members.${name}`, change: 'removed' })),
    ...(method === undefined ? [] : [set('http.method', method)]),
    ...(form === true ? [set('http.form', true)] : []),
    ...(proof === undefined ? [] : [{ what: 'proof', change: 'altered' as const, value: how }]),
  ];
}

/** Keeps only these members as differences, and the client. */
const keepMembers = (
  { client, members = [], drop = [] }: UsertraitDifference,
  whats: ReadonlySet<string>,
): UsertraitDifference => ({
  ...omitUndefined({ client }),
  members: members.filter(([name]) => whats.has(`members.${name}`)),
  drop: drop.filter((name) => whats.has(`members.${name}`)),
});

async function runUsertrait(
  { difference }: VerbAct<typeof usertraitDefinition>,
  step: Step,
  ctx: CaseWith<'as' | 'redactor', 'endpoints' | 'target'>,
): Promise<ResponseObservation> {
  const url = endpointUrl('usertrait', ctx.services);
  const as = ctx.as(difference.client);
  const sent = usertraitMembers(difference, as);
  const plain = usertraitRequest(url, difference, { sent, ctx: as });
  const proof = await makeProof(difference.proof ?? {}, plain, as);
  const http = addProof(plain, proof, ctx);
  const differences = nameUsertraitDifferences(difference, sent);
  const order = { step: step.name, purpose: 'usertrait', http, differences, client: as.client.name };
  return sendTo('usertrait', { ...order, ...omitUndefined({ proof }) }, as);
}

/** Asks whether the SIM of the subscriber is new (§2.8), with a proof of possession (§4.7). */
export const usertrait = defineStepVerb(usertraitDefinition, {
  run: runUsertrait,
  only: ({ verb, difference }, whats) => ({ verb, difference: keepMembers(difference, whats) }),
});
