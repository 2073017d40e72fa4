import type { Observation } from '../../judge/observation.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import { type Json, plainText } from '../../model/json.ts';
import type { ProofDifference, UsertraitDifference } from '../../model/suite.ts';
import type { Scope } from '../../model/template.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { proofBases } from '../../wire/build/proof.ts';
import { contextAs, sign } from './act-authorize.ts';
import { judgeResponseOf } from './act-http.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { exchange } from '../world/exchange.ts';
import { createScope } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import type { Step } from '../../suite/suites.ts';

function membersOf({ members = [], drop = [] }: UsertraitDifference, scope: Scope, world: World): Map<string, Json> {
  if (world.usertrait === undefined) throw new Unmet('the suites have no base-usertrait.yaml');
  const given = new Map(members);
  const found = new Map<string, Json>();
  for (const [name, template] of world.usertrait) {
    if (drop.includes(name)) continue;
    found.set(name, (given.get(name) ?? template).evaluate(scope));
    given.delete(name);
  }
  for (const [name, template] of given) found.set(name, template.evaluate(scope));
  return found;
}

/** The POST of §4.7 without its proof. */
function requestOf(url: string, difference: UsertraitDifference, scope: Scope, world: World): HttpRequest {
  const members = Object.fromEntries(membersOf(difference, scope, world));
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

interface ProofOrder {
  readonly proof: ProofDifference;
  readonly http: HttpRequest;
  readonly scope: Scope;
}

/** The value of x-authorization; undefined where none is to be sent. */
async function makeProof(
  { proof, http, scope }: ProofOrder,
  ctx: CaseContext,
  world: World,
): Promise<string | undefined> {
  if (proof.absent === true) return undefined;
  if (proof.value !== undefined) return plainText(proof.value.evaluate(scope));
  if (proof.again !== undefined) {
    const before = ctx.traces.get(proof.again);
    if (before?.kind !== 'response' || before.proof === undefined) throw new Unmet(`step ${proof.again} sent no proof`);
    return before.proof;
  }
  const { method, url, body } = proof.over ?? {};
  const key = await world.keys.find(proof.key, ctx.client, ctx.second);
  const base = proofBases[world.target.proof ?? 'taap']({
    method: method === undefined ? http.method : plainText(method.evaluate(scope)),
    url: url === undefined ? http.url : plainText(url.evaluate(scope)),
    body: body === undefined ? (http.body ?? '') : plainText(body.evaluate(scope)),
    contentType: http.headers.find(([name]) => name === 'content-type')?.[1] ?? '',
    clientId: ctx.client.clientId,
    ...(key.publicJwk === undefined ? {} : { publicJwk: key.publicJwk }),
  });
  return (await sign({ base, difference: proof, scope }, ctx, world)).jws;
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
  world: World,
): Promise<Observation> {
  const url = world.endpoints.urls['usertrait'];
  if (url === undefined) throw new Unmet('neither discovery nor the target names a usertrait endpoint');
  const as = contextAs(ctx, difference.client, world);
  const scope = createScope(as, world);
  const http = requestOf(url, difference, scope, world);
  const proof = await makeProof({ proof: difference.proof ?? {}, http, scope }, as, world);
  if (proof !== undefined) ctx.redactor.learn('proof', proof);
  const carried =
    proof === undefined ? http : { ...http, headers: [...http.headers, ['x-authorization', proof] as const] };
  const observation = await world.gate.pass(
    () =>
      exchange(
        {
          step: step.name,
          purpose: 'usertrait',
          http: carried,
          differences: nameDifferences(difference),
          client: as.client.name,
          ...(proof === undefined ? {} : { proof }),
        },
        ctx,
        world,
      ),
    ctx.order,
  );
  judgeResponseOf('usertrait', observation, as, world);
  return observation;
}
