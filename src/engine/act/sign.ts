import type { Observation } from '../../judge/observation.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Act, BaseRequest, Difference, SignBase, Step } from '../../model/suite.ts';
import type { SigningKey } from '../../wire/keys.ts';
import { buildRequestObject, type RequestObject } from '../../wire/request-object.ts';
import { signCompact, signerOf } from '../../wire/sign.ts';
import { tamperWith } from '../../wire/tamper.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';

export interface Signed extends RequestObject {
  readonly jws: string;
  readonly signingKey?: JsonObject;
}

/** The header's alg follows the key that signs, unless the step sets another. */
function headerFor(object: RequestObject, difference: Difference, key: SigningKey): RequestObject['header'] {
  if (difference.alg !== undefined) return { ...object.header, alg: difference.alg };
  const given = difference.header?.some(([name]) => name === 'alg') === true || difference.dropHeader?.includes('alg');
  return difference.key === undefined || given === true ? object.header : { ...object.header, alg: key.alg };
}

const named = (what: string, value: string | undefined): NamedDifference[] =>
  value === undefined ? [] : [{ what, change: 'set', value }];

/** A base with its differences, signed: a request object, an assertion or a proof. */
export async function sign(base: BaseRequest, difference: Difference, ctx: CaseContext): Promise<Signed> {
  const object = buildRequestObject(base, difference, ctx.scope());
  const key = await ctx.world.keys.find(difference.key, ctx.client, ctx.second);
  const header = headerFor(object, difference, key);
  const differences = [
    ...named('client', difference.client),
    ...named('key', difference.key),
    ...named('alg', difference.alg),
    ...object.differences,
  ];
  const jws = await signCompact(object.payload, header, key);
  const signingKey = key.publicJwk === undefined ? {} : { signingKey: key.publicJwk };
  if (difference.tamper === undefined) return { ...object, header, jws, differences, ...signingKey };
  const altered: NamedDifference = { what: 'jws', change: 'altered', value: difference.tamper };
  return {
    ...object,
    header,
    jws: tamperWith(jws, difference.tamper, signerOf(key)),
    differences: [...differences, altered],
  };
}

function baseOf(base: SignBase, { suites }: CaseContext['world']): BaseRequest {
  if (base === 'request-object') return suites.base;
  if (base === 'none') return { header: suites.base.header, claims: [] };
  if (suites.assertion === undefined) throw new Unmet('the suites have no base-client-assertion.yaml');
  return suites.assertion;
}

/** `sign`: makes a JWT for a later step. */
export async function signJwt(act: Act & { verb: 'sign' }, step: Step, ctx: CaseContext): Promise<Observation> {
  const sentAt = ctx.now() / 1000;
  const { jws, claims, header } = await sign(
    baseOf(act.base, ctx.world),
    act.difference,
    ctx.as(act.difference.client),
  );
  ctx.redactor.learn('signed JWT', jws);
  return { kind: 'sign', step: step.name, sentAt, jws, claims, header, summary: 'a signed JWT' };
}
