import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { BaseRequest, TemplateMap } from '../../../model/suite.ts';
import type { ProofFormat } from '../../../model/target.ts';
import type { Scope, Template } from '../../../model/template.ts';

export interface ProofSubject {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly contentType: string;
  readonly clientId: string;
  readonly publicJwk?: JsonObject;
}

const nowhere = { file: 'src/interfaces/server-initiated/verbs/proof.ts', line: 1, column: 1 };

/** A template without a place of its own. */
export const constant = (value: Json): Template => ({
  source: value,
  position: nowhere,
  paths: [],
  evaluate: () => value,
});
const made = (source: string, evaluate: (scope: Scope) => Json): Template => ({
  source,
  position: nowhere,
  paths: [],
  evaluate,
});

const ofKey = (member: 'kid' | 'alg') =>
  made(`{{ client.key.${member} }}`, (scope) => {
    const client = scope.root('client');
    const key: unknown = typeof client === 'object' && client !== null && 'key' in client ? client.key : undefined;
    const found: unknown = typeof key === 'object' && key !== null ? Reflect.get(key, member) : undefined;
    return typeof found === 'string' ? found : null;
  });

const kid = ofKey('kid');
const alg = ofKey('alg');

const now = made('{{ now }}', (scope) => scope.now());
const soon = made('{{ now + 2m }}', (scope) => scope.now() + 120);
const fresh = made('{{ fresh() }}', (scope) => scope.random(8));

const header = (typ: string, more: TemplateMap = []): TemplateMap => [
  ['typ', constant(typ)],
  ['alg', alg],
  ['kid', kid],
  ...more,
];

/** Headers that a taap proof signs, in this order (ehts), and the digest of their values one after the other (edts). */
function taap({ method, url, body, contentType }: ProofSubject): BaseRequest {
  const { pathname, search } = new URL(url);
  const signed = createHash('sha256').update(`${contentType}${pathname}${search}${method}${body}`).digest('base64url');
  return {
    header: header('JWT'),
    claims: [
      ['ehts', constant('Content-Type;uri;http-method;body')],
      ['edts', constant(signed)],
      ['jti', fresh],
      ['v', constant('1')],
      ['iat', now],
      ['exp', soon],
    ],
  };
}

const jwt = ({ url, clientId }: ProofSubject): BaseRequest => ({
  header: header('JWT'),
  claims: [
    ['iss', constant(clientId)],
    ['sub', constant(clientId)],
    ['aud', constant(url)],
    ['jti', fresh],
    ['iat', now],
    ['exp', soon],
  ],
});

/** RFC 9449 §4.2. */
const dpop = ({ method, url, publicJwk }: ProofSubject): BaseRequest => ({
  header: header('dpop+jwt', publicJwk === undefined ? [] : [['jwk', constant(publicJwk)]]),
  claims: [
    ['htm', constant(method)],
    ['htu', constant(url.replace(/[?#].*$/s, ''))],
    ['jti', fresh],
    ['iat', now],
  ],
});

/** The proof of possession of §5.8, whose format is not shown: each known one as header and claims to be signed. */
export const proofBases: Readonly<Record<ProofFormat, (subject: ProofSubject) => BaseRequest>> = { taap, jwt, dpop };
