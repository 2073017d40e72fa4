import { type CaseContext, type CaseWith, Unmet } from '../../../engine/context/case-context.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import type { NamedDifference } from '../../../model/exchange.ts';
import type { BaseRequest, Difference } from '../../../model/suite.ts';
import { keysByKid, publicKeySecret, type SigningKey } from '../../../wire/build/keys.ts';
import { buildRequestObject, type RequestObject } from '../../../wire/build/request-object.ts';
import { signCompact, createSigner } from '../../../wire/build/sign.ts';
import { describeTamper, tamperJws } from '../../../wire/build/tamper.ts';

export interface SignedObject extends RequestObject {
  readonly jws: string;
  readonly signingKey?: JsonObject;
}

/** Header whose alg follows the signing key, unless the step sets one; so does the kid of a key chosen for it. */
function signingHeader(built: RequestObject, difference: Difference, key: SigningKey): RequestObject['header'] {
  const byKid = difference.key !== undefined && keysByKid.has(difference.key) && key.kid !== undefined;
  const object = byKid ? { header: { ...built.header, kid: key.kid } } : built;
  if (difference.alg !== undefined) return { ...object.header, alg: difference.alg };
  const given = difference.header?.some(([name]) => name === 'alg') === true || difference.dropHeader?.includes('alg');
  return difference.key === undefined || given === true ? object.header : { ...object.header, alg: key.alg };
}

const nameDifference = (what: string, value: string | undefined): NamedDifference[] =>
  value === undefined ? [] : [{ what, change: 'set', value }];

/** Signs a base with its differences: a request object, an assertion or a proof. */
export async function signObject(
  base: BaseRequest,
  difference: Difference,
  ctx: CaseWith<'client' | 'scope' | 'second', 'keys'>,
): Promise<SignedObject> {
  const object = buildRequestObject(base, difference, ctx.scope());
  const jwk = difference.jwk?.evaluate(ctx.scope());
  const { keys } = ctx.services;
  const key = isJsonObject(jwk)
    ? publicKeySecret(difference.key ?? 'public-pem', jwk)
    : await keys.find(difference.key, ctx.client, ctx.second);
  const header = signingHeader(object, difference, key);
  const differences = [
    ...nameDifference('client', difference.client),
    ...nameDifference('key', difference.key),
    ...nameDifference('alg', difference.alg),
    ...object.differences,
  ];
  const jws = await signCompact(object.payload, header, key);
  const signingKey = key.publicJwk === undefined ? {} : { signingKey: key.publicJwk };
  if (difference.tamper === undefined) return { ...object, header, jws, differences, ...signingKey };
  const altered: NamedDifference = { what: 'jws', change: 'altered', value: describeTamper(difference.tamper) };
  return {
    ...object,
    header,
    jws: tamperJws(jws, difference.tamper, createSigner(key)),
    differences: [...differences, altered],
  };
}

/** Base of a request. Throws Unmet if the suites have no such file. */
export function requireBase(name: string, { suites, interface: { baseFiles } }: CaseContext['services']): BaseRequest {
  const base = suites.bases[name];
  if (base === undefined) throw new Unmet(`the suites have no ${baseFiles[name]?.file ?? name}`);
  return base;
}

/** Object of an earlier step, to be sent again. Throws Unmet if it made none. */
export function reuseObject(step: string, ctx: Pick<CaseContext, 'state'>): SignedObject {
  const before = ctx.state.traces.get(step);
  const signed = before?.kind === 'response' || before?.kind === 'sign';
  if (!signed || before.jws === undefined) throw new Unmet(`step ${step} made no request object`);
  return {
    header: before.header ?? {},
    claims: before.claims ?? {},
    payload: '',
    jws: before.jws,
    differences: [{ what: 'jws', change: 'set', value: `the one of step ${step} again` }],
  };
}
