import { createHash } from 'node:crypto';
import {
  type CheckMismatch,
  defineRunCheck,
  type NamedCheck,
  mismatchPlace,
  type RunMessage,
  type RunMismatch,
} from '../../../../judge/check.ts';
import { decodeCompactJws, verifyWithAny } from '../../../../judge/compact-jws.ts';
import type { CallbackObservation } from '../../../../judge/observation.ts';
import {
  readMember,
  renderPlain,
  readTextMember,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/suite.ts';
import { collectSignedTokens, type TokenJudge } from '../published-keys.ts';
import { defineCallbackCheck, findResponse } from '../define-check.ts';

/** Clock difference allowed, in seconds. */
const idTokenSkew = 300;

interface TimedIdToken {
  readonly idToken: JsonObject;
  readonly clientId: string | undefined;
  readonly nonce: Json | undefined;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** When an SP read it at the earliest: a repeated delivery may come long after, and a first one may have been unread. */
  readonly neededUntil: number;
}

const listAudiences = (aud: Json | undefined): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.filter((entry) => typeof entry === 'string');
};
const isFiniteNumber = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Whether a time lies between the request and the delivery, within the skew. */
const isDuringRequest = (value: Json | undefined, { sentAt, receivedAt }: TimedIdToken): boolean =>
  isFiniteNumber(value) && value >= sentAt - idTokenSkew && value <= receivedAt + idTokenSkew;

type ClaimJudge = (at: TimedIdToken) => false | string;

/** OIDC Core §3.1.3.7, by claim: its aspect, and a judge that returns the expectation if it does not hold. */
const claimJudges: readonly (readonly [claim: string, aspect: string | undefined, judge: ClaimJudge])[] = [
  [
    'aud',
    'parties',
    ({ idToken, clientId }) =>
      clientId !== undefined &&
      !listAudiences(idToken['aud']).includes(clientId) &&
      `an aud with the client_id ${clientId}`,
  ],
  // C7.11: no text asks for azp if aud has several entries.
  [
    'azp',
    'parties',
    ({ idToken: { azp }, clientId }) => azp !== undefined && azp !== clientId && `azp ${clientId}, or none`,
  ],
  [
    'iat',
    undefined,
    (at) =>
      !isDuringRequest(at.idToken['iat'], at) && 'an iat between the request and the delivery, give or take 5 minutes',
  ],
  [
    'exp',
    'expired',
    ({ idToken: { exp }, neededUntil }) =>
      !(isFiniteNumber(exp) && exp > neededUntil - idTokenSkew) &&
      'an exp, as a number, that had not passed when the token came first',
  ],
  [
    'exp',
    undefined,
    ({ idToken: { exp, iat }, neededUntil }) =>
      isFiniteNumber(exp) && exp > neededUntil - idTokenSkew && isFiniteNumber(iat) && exp <= iat && 'an exp after iat',
  ],
  // RFC 7519 §2: seconds; today in milliseconds would be beyond the year 50000.
  ['exp', 'expired', ({ idToken: { exp } }) => isFiniteNumber(exp) && exp >= 1e11 && 'an exp in seconds'],
  [
    'nonce',
    undefined,
    ({ idToken, nonce }) => nonce !== undefined && idToken['nonce'] !== nonce && `nonce ${JSON.stringify(nonce)}`,
  ],
  [
    'auth_time',
    undefined,
    ({ idToken: { auth_time: time }, receivedAt }) =>
      time !== undefined &&
      !(isFiniteNumber(time) && time <= receivedAt + idTokenSkew) &&
      'an auth_time that is not ahead',
  ],
  [
    'acr',
    undefined,
    ({ idToken: { acr } }) => acr !== undefined && typeof acr !== 'string' && 'an acr that is a string',
  ],
];

/** Throws MissingValue if there is no id token, which a callback may lack (§2.6). */
function judgeIdTokenClaims(callback: CallbackObservation): readonly CheckMismatch[] {
  const { body, idToken: given, sent, receivedAt, lag = 0, history } = callback;
  if (given === undefined) {
    if (readMember(body, 'id_token') === undefined) throw new MissingValue('id_token');
    return [{ aspect: 'signature', path: 'body.id_token', expected: 'a signed JWT', actual: 'no JWT' }];
  }
  // A null claim is absent (P5).
  const idToken = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const [clientId, nonce] = [readTextMember(sent.claims, 'client_id'), sent.claims?.['nonce']];
  const { sentAt } = sent;
  const neededUntil = history?.earlier === 0 ? Math.max(sentAt, receivedAt - lag) : sentAt;
  const at = { idToken, clientId, nonce, sentAt, receivedAt, neededUntil };
  return claimJudges.flatMap(([name, aspect, judge]) => {
    const expected = judge(at);
    if (expected === false) return [];
    return [{ ...omitUndefined({ aspect }), path: `idToken.${name}`, expected, actual: given[name] ?? null }];
  });
}

/** OIDC Core §3.1.3.6: base64url of the left half of the hash of the access token, by the hash of the id token's alg. */
function accessTokenHash(accessToken: string, alg: Json | undefined): string {
  const bits = typeof alg === 'string' ? /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(alg)?.[1] : undefined;
  const digest = createHash(`sha${bits ?? '256'}`)
    .update(accessToken, 'ascii')
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

const requestIdClaim = 'urn:openid:params:jwt:claim:auth_req_id';

function judgeTokenTie({ body, idToken, idTokenHeader, sent }: CallbackObservation): readonly CheckMismatch[] {
  const accessToken = readTextMember(body, 'access_token');
  if (idToken === undefined || accessToken === undefined) throw new MissingValue('id_token beside an access_token');
  const hash = accessTokenHash(accessToken, idTokenHeader?.['alg']);
  const id = readTextMember(sent.body, 'auth_req_id');
  const { at_hash: actual = null, [requestIdClaim]: given = null } = idToken;
  return [
    ...(actual === hash ? [] : [{ path: 'idToken.at_hash', expected: `at_hash ${hash}`, actual }]),
    ...(id === undefined || given === id
      ? []
      : [{ path: 'idToken', expected: `${requestIdClaim} ${id}`, actual: given }]),
  ];
}

/** Algorithm that OIDC Discovery §3 requires of every carrier. */
const requiredAlgorithm = 'RS256';

/** Algorithms that a discovery document lists; undefined if the message has no list. */
function readAlgorithms(message: RunMessage): readonly string[] | undefined {
  const listed = readMember(findResponse(message)?.body, 'id_token_signing_alg_values_supported');
  return Array.isArray(listed) ? listed.filter((alg): alg is string => typeof alg === 'string') : undefined;
}

const readJwsHeader = (jws: string): JsonObject => decodeCompactJws(jws)?.header ?? {};

const signatureMismatch = { aspect: 'signature', path: 'body.id_token' };

/** OIDC Core §3.1.3.7 (6): a signature that the key of its kid verifies, or any key if it names none. */
const idTokenSignatureJudge: TokenJudge<string> = {
  anyway: (jws) => {
    const { alg = null } = readJwsHeader(jws);
    if (typeof alg !== 'string' || alg === 'none')
      return { ...signatureMismatch, expected: 'a signature', actual: `alg ${JSON.stringify(alg)}` };
    return undefined;
  },
  by: (jws, keys) => {
    const { alg = null, kid = null } = readJwsHeader(jws);
    const tried = kid === null ? keys : keys.filter((key) => key['kid'] === kid);
    if (verifyWithAny(jws, tried)) return undefined;
    const actual = `alg ${renderPlain(alg)}, kid ${JSON.stringify(kid)}, not verified`;
    return { ...signatureMismatch, expected: 'a signature that a key of jwks_uri verifies', actual };
  },
  signed: { jws: (jws) => jws, token: 'an id token', place: signatureMismatch },
};

interface UsedAlgorithm extends ReturnType<typeof mismatchPlace> {
  readonly alg: string;
}

/** OIDC Core §3.1.3.7 (7): algorithms in use are advertised; not judged before a list is read. */
function judgeAlgorithms(
  used: readonly UsedAlgorithm[],
  advertised: ReadonlySet<string> | undefined,
): readonly RunMismatch[] {
  return used.flatMap(({ alg, ...place }) => {
    if (advertised === undefined || advertised.has(alg)) return [];
    return [
      { ...place, path: 'body.id_token', expected: 'an advertised algorithm', actual: `alg ${JSON.stringify(alg)}` },
    ];
  });
}

export const tokenChecks: readonly NamedCheck[] = [
  /** SEC-31: the claims of an id token are right for its SP. */
  defineCallbackCheck('id-token-in-order', judgeIdTokenClaims),

  /** CIBA Core §10.3.1: at_hash, and the auth_req_id of the request in its own claim. */
  defineCallbackCheck('id-token-tied-to-its-tokens', judgeTokenTie),

  /** OIDC Core §3.1.3.7 (6, 7): an advertised algorithm and a key of jwks_uri, of all that were published during the run. */
  defineRunCheck('id-tokens-signed-by-published-key', () => {
    const tokens = collectSignedTokens('jwks', idTokenSignatureJudge);
    const used: UsedAlgorithm[] = [];
    let advertised: ReadonlySet<string> | undefined;
    return {
      observe: (message) => {
        const listed = readAlgorithms(message);
        if (listed !== undefined) advertised = new Set([requiredAlgorithm, ...(advertised ?? []), ...listed]);
        const issued = 'callback' in message ? message.callback : findResponse(message);
        const jws = readTextMember(issued?.body, 'id_token');
        if (jws !== undefined && idTokenSignatureJudge.anyway(jws) === undefined)
          used.push({ alg: renderPlain(readJwsHeader(jws)['alg']), ...mismatchPlace(message) });
        tokens.observe(message, jws);
      },
      lacks: tokens.lacks,
      prepare: tokens.prepare,
      conclude: () => {
        const signed = tokens.conclude();
        const forged = new Set(signed.mismatches.map(({ message }) => message));
        const others = judgeAlgorithms(used, advertised).filter(({ message }) => !forged.has(message));
        return { ...signed, mismatches: [...signed.mismatches, ...others] };
      },
    };
  }),
];
