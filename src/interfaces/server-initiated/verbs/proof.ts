import { type CaseContext, type CaseWith, type PreparedRequest, Unmet } from '../../../engine/context/case-context.ts';
import { proveByProgram } from '../../../engine/drive/exec-driver.ts';
import { type Json, type JsonObject, renderPlain, readTextMember } from '../../../lib/json.ts';
import type { BaseRequest, TemplateMap, ProofDifference, Scope, Template } from '../../../model/suite.ts';
import type { ProofFormat, ExecDriver } from '../../../model/target.ts';
import type { HttpRequest } from '../../../wire/build/http-request.ts';
import type { SigningKey } from '../../../wire/build/keys.ts';
import { createSigner } from '../../../wire/build/sign.ts';
import { tamperJws } from '../../../wire/build/tamper.ts';
import { signObject } from './signed-object.ts';
import { createHash } from 'node:crypto';

interface ProofSubject {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly contentType: string;
  readonly clientId: string;
  readonly publicJwk?: JsonObject;
}

const proofPosition = { file: 'src/interfaces/server-initiated/verbs/proof.ts', line: 1, column: 1 };

/** Template for a constant value. */
export const fixedTemplate = (value: Json): Template => ({
  source: value,
  position: proofPosition,
  paths: [],
  evaluate: () => value,
});
const computedTemplate = (source: string, evaluate: (scope: Scope) => Json): Template => ({
  source,
  position: proofPosition,
  paths: [],
  evaluate,
});

const keyMemberTemplate = (member: 'kid' | 'alg') =>
  computedTemplate(`{{ client.key.${member} }}`, (scope) => {
    const client = scope.root('client');
    const key: unknown = typeof client === 'object' && client !== null && 'key' in client ? client.key : undefined;
    const found: unknown = typeof key === 'object' && key !== null ? Reflect.get(key, member) : undefined;
    return typeof found === 'string' ? found : null;
  });

const kidTemplate = keyMemberTemplate('kid');
const algTemplate = keyMemberTemplate('alg');

const nowTemplate = computedTemplate('{{ now }}', (scope) => scope.now());
const soonTemplate = computedTemplate('{{ now + 2m }}', (scope) => scope.now() + 120);
const freshTemplate = computedTemplate('{{ fresh() }}', (scope) => scope.random(8));

const proofHeaderTemplates = (typ: string, more: TemplateMap = []): TemplateMap => [
  ['typ', fixedTemplate(typ)],
  ['alg', algTemplate],
  ['kid', kidTemplate],
  ...more,
];

/** taap proof: the names of the signed headers in order (ehts), and the digest of their joined values (edts). */
function taapBase({ method, url, body, contentType }: ProofSubject): BaseRequest {
  const { pathname, search } = new URL(url);
  const signed = createHash('sha256').update(`${contentType}${pathname}${search}${method}${body}`).digest('base64url');
  return {
    header: proofHeaderTemplates('JWT'),
    claims: [
      ['ehts', fixedTemplate('Content-Type;uri;http-method;body')],
      ['edts', fixedTemplate(signed)],
      ['jti', freshTemplate],
      ['v', fixedTemplate('1')],
      ['iat', nowTemplate],
      ['exp', soonTemplate],
    ],
  };
}

const jwtBase = ({ url, clientId }: ProofSubject): BaseRequest => ({
  header: proofHeaderTemplates('JWT'),
  claims: [
    ['iss', fixedTemplate(clientId)],
    ['sub', fixedTemplate(clientId)],
    ['aud', fixedTemplate(url)],
    ['jti', freshTemplate],
    ['iat', nowTemplate],
    ['exp', soonTemplate],
  ],
});

/** RFC 9449 §4.2. */
const dpopBase = ({ method, url, publicJwk }: ProofSubject): BaseRequest => ({
  header: proofHeaderTemplates('dpop+jwt', publicJwk === undefined ? [] : [['jwk', fixedTemplate(publicJwk)]]),
  claims: [
    ['htm', fixedTemplate(method)],
    ['htu', fixedTemplate(url.replace(/[?#].*$/s, ''))],
    ['jti', freshTemplate],
    ['iat', nowTemplate],
  ],
});

/** Known formats of the proof of possession, as header and claims to sign; §5.8 does not show its format. */
const proofBases: Readonly<Record<ProofFormat, (subject: ProofSubject) => BaseRequest>> = {
  taap: taapBase,
  jwt: jwtBase,
  dpop: dpopBase,
};

const proofHeader = 'x-authorization';

function reuseProof(step: string, { state }: Pick<CaseContext, 'state'>): string {
  const before = state.traces.get(step);
  if (before?.kind !== 'response' || before.proof === undefined) throw new Unmet(`step ${step} sent no proof`);
  return before.proof;
}

/** Request that the proof is made over, which may differ from the one sent. */
function provenRequest(
  { over = {} }: ProofDifference,
  http: HttpRequest,
  ctx: Pick<CaseContext, 'scope'>,
): HttpRequest {
  const scope = ctx.scope();
  const made = (template: Template | undefined, sent: string): string =>
    template === undefined ? sent : renderPlain(template.evaluate(scope));
  return {
    method: made(over.method, http.method),
    url: made(over.url, http.url),
    body: made(over.body, http.body ?? ''),
    headers: http.headers,
  };
}

/** Members outside the proof itself; others are inside it, and only its program knows the format. */
const outerProofKeys: readonly string[] = ['key', 'over', 'tamper', 'absent', 'value', 'again'];

/** Whether a key is a secret, which a program that signs with an SP's key may not support. */
const isSecretKeyName = (key = ''): boolean => key === 'secret' || key.startsWith('public-');

/** Name of the member altered inside a proof; undefined if none is. */
export const alteredProofMember = (proof: ProofDifference): string | undefined =>
  isSecretKeyName(proof.key) ? 'key' : Object.keys(proof).find((name) => !outerProofKeys.includes(name));

interface ProofTask {
  readonly proof: ProofDifference;
  readonly http: HttpRequest;
  readonly key: SigningKey;
}

async function makeProgramProof(
  driver: ExecDriver,
  { proof, http, key }: ProofTask,
  ctx: CaseWith<'client' | 'redactor' | 'scope', 'programs' | 'timeline'>,
): Promise<string> {
  const inside = alteredProofMember(proof);
  if (inside !== undefined) {
    throw new Unmet(`a program of the target file makes the proof, so the case cannot alter its ${inside}`);
  }
  const made = await proveByProgram(driver, { http, key }, ctx);
  if (proof.tamper === undefined) return made;
  if (made.split('.').length !== 3)
    throw new Unmet(`the proof is no JWS, so the case cannot alter it: ${proof.tamper}`);
  return tamperJws(made, proof.tamper, createSigner(key));
}

async function makeFormatProof(
  format: keyof typeof proofBases,
  { proof, http, key }: ProofTask,
  ctx: CaseWith<'client' | 'scope' | 'second', 'keys'>,
) {
  const { method, url, body = '', headers } = http;
  const base = proofBases[format]({
    method,
    url,
    body,
    contentType: headers.find(([name]) => name === 'content-type')?.[1] ?? '',
    clientId: ctx.client.clientId,
    ...(key.publicJwk === undefined ? {} : { publicJwk: key.publicJwk }),
  });
  return (await signObject(base, proof, ctx)).jws;
}

/** Value of x-authorization; undefined if none is to be sent. */
export async function makeProof(
  proof: ProofDifference,
  sent: HttpRequest,
  ctx: CaseContext,
): Promise<string | undefined> {
  const { target, keys } = ctx.services;
  if (proof.absent === true) return undefined;
  if (proof.value !== undefined) return renderPlain(proof.value.evaluate(ctx.scope()));
  if (proof.again !== undefined) return reuseProof(proof.again, ctx);
  const key = await keys.find(proof.key, ctx.client, ctx.second);
  const proving: ProofTask = { proof, http: provenRequest(proof, sent, ctx), key };
  const { proof: how = 'taap' } = target;
  return typeof how === 'string' ? makeFormatProof(how, proving, ctx) : makeProgramProof(how, proving, ctx);
}

/** Adds the proof to a request; no record shows it. */
export function addProof(
  http: HttpRequest,
  proof: string | undefined,
  { redactor }: Pick<CaseContext, 'redactor'>,
): HttpRequest {
  if (proof === undefined) return http;
  redactor.learn('proof', proof);
  return { ...http, headers: [...http.headers, [proofHeader, proof]] };
}

/** Name of the SP whose callback brought the access token of a request; undefined if none of the case did. */
function findTokenOwner({ headers }: HttpRequest, { state }: Pick<CaseContext, 'state'>): string | undefined {
  const line = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  for (const trace of state.traces.values()) {
    if (trace.kind !== 'await') continue;
    const token = readTextMember(trace.body, 'access_token');
    if (token !== undefined && line.endsWith(` ${token}`)) return trace.sent.client;
  }
  return undefined;
}

/** Adds a proof to a user info request if the target file says so (§2.3 referred_binding). */
export async function prepareRequest(
  request: PreparedRequest,
  ctx: CaseWith<'as' | 'redactor' | 'state', 'target'>,
): Promise<HttpRequest> {
  const { to, http, written } = request;
  const wanted = to === 'userinfo' && ctx.services.target.userinfoProof === true;
  if (!wanted || written.some((name) => name.toLowerCase() === proofHeader)) return http;
  return addProof(http, await makeProof({}, http, ctx.as(findTokenOwner(http, ctx))), ctx);
}
