import type { ResponseObservation } from '../../judge/observation.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import { type Json, plainText } from '../../lib/json.ts';
import type { ProofDifference, UsertraitDifference } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { proofBases } from '../../wire/build/proof.ts';
import { sign } from './authorize.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';

import { defined } from '../../lib/optional.ts';

import { sendTo } from './http.ts';

/** The members of the base request with their differences. */
function membersOf({ members = [], drop = [] }: UsertraitDifference, ctx: CaseContext): Map<string, Json> {
  const { usertrait } = ctx.world.suites;
  if (usertrait === undefined) throw new Unmet('the suites have no base-usertrait.yaml');
  const scope = ctx.scope();
  const given = new Map(members);
  const found = new Map<string, Json>();
  for (const [name, template] of usertrait) {
    if (drop.includes(name)) continue;
    found.set(name, (given.get(name) ?? template).evaluate(scope));
    given.delete(name);
  }
  for (const [name, template] of given) found.set(name, template.evaluate(scope));
  return found;
}

/** The POST of §4.7 without its proof. */
function requestOf(url: string, difference: UsertraitDifference, ctx: CaseContext): HttpRequest {
  const scope = ctx.scope();
  const members = Object.fromEntries(membersOf(difference, ctx));
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) form.append(name, plainText(value));
  const body = difference.form === true ? form.toString() : JSON.stringify(members);
  const type = difference.form === true ? 'application/x-www-form-urlencoded' : 'application/json';
  const given = new Map((difference.headers ?? []).map(([name, value]) => [name.toLowerCase(), value.evaluate(scope)]));
  const headers = new Map<string, Json>([['content-type', type], ['cache-control', 'no-cache'], ...given]);
  const method = difference.method ?? 'POST';
  return {
    method,
    url,
    headers: [...headers].flatMap(([name, value]) => (value === null ? [] : [[name, plainText(value)] as const])),
    ...(method === 'GET' || method === 'HEAD'
      ? {}
      : { body: difference.text === undefined ? body : plainText(difference.text.evaluate(scope)) }),
  };
}

/** The value of x-authorization; undefined where none is to be sent. */
async function makeProof(proof: ProofDifference, http: HttpRequest, ctx: CaseContext): Promise<string | undefined> {
  const scope = ctx.scope();
  const { target, keys } = ctx.world;
  if (proof.absent === true) return undefined;
  if (proof.value !== undefined) return plainText(proof.value.evaluate(scope));
  if (proof.again !== undefined) {
    const before = ctx.state.traces.get(proof.again);
    if (before?.kind !== 'response' || before.proof === undefined) throw new Unmet(`step ${proof.again} sent no proof`);
    return before.proof;
  }
  const { method, url, body } = proof.over ?? {};
  const key = await keys.find(proof.key, ctx.client, ctx.second);
  const base = proofBases[target.proof ?? 'taap']({
    method: method === undefined ? http.method : plainText(method.evaluate(scope)),
    url: url === undefined ? http.url : plainText(url.evaluate(scope)),
    body: body === undefined ? (http.body ?? '') : plainText(body.evaluate(scope)),
    contentType: http.headers.find(([name]) => name === 'content-type')?.[1] ?? '',
    clientId: ctx.client.clientId,
    ...(key.publicJwk === undefined ? {} : { publicJwk: key.publicJwk }),
  });
  return (await sign(base, proof, ctx)).jws;
}

function nameDifferences({ members = [], drop = [], proof, method, form }: UsertraitDifference): NamedDifference[] {
  const set = (what: string, value: Json): NamedDifference => ({ what, change: 'set', value });
  const parts = Object.keys(proof ?? {}).join(', ');
  return [
    ...members.map(([name, { source }]) => set(`members.${name}`, source)),
    ...drop.map((name): NamedDifference => ({ what: `members.${name}`, change: 'removed' })),
    ...(method === undefined ? [] : [set('http.method', method)]),
    ...(form === true ? [set('http.form', true)] : []),
    ...(proof === undefined ? [] : [{ what: 'proof', change: 'altered' as const, value: parts }]),
  ];
}

/** `usertrait`: asks whether the SIM is new, with a proof of possession (§4.7). */
export async function askTrait(
  difference: UsertraitDifference,
  step: Step,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const url = ctx.world.endpoints.urls['usertrait'];
  if (url === undefined) throw new Unmet('neither discovery nor the target names a usertrait endpoint');
  const as = ctx.as(difference.client);
  const plain = requestOf(url, difference, as);
  const proof = await makeProof(difference.proof ?? {}, plain, as);
  if (proof !== undefined) ctx.redactor.learn('proof', proof);
  const http =
    proof === undefined ? plain : { ...plain, headers: [...plain.headers, ['x-authorization', proof] as const] };
  const differences = nameDifferences(difference);
  const order = { step: step.name, purpose: 'usertrait', http, differences, client: as.client.name };
  return sendTo('usertrait', { ...order, ...defined({ proof }) }, as);
}
