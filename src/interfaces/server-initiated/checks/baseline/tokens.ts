import { createHash } from 'node:crypto';
import { type CheckMismatch, defineRunCheck, type NamedCheck, type RunMessage } from '../../../../judge/check.ts';
import { decodeCompactJws, verifiesWith } from '../../../../judge/compact-jws.ts';
import type { CallbackObservation } from '../../../../judge/observation.ts';
import { memberOf, textMemberOf, type Json, type JsonObject } from '../../../../lib/json.ts';
import { openSignedTokens } from '../published-keys.ts';
import { defineCallbackCheck, responseIn } from '../parts.ts';

/** Seconds that the clocks may differ. */
const skew = 300;

interface IdTokenAt {
  readonly idToken: JsonObject;
  readonly clientId: string | undefined;
  readonly nonce: Json | undefined;
  /** Of the request: a delivery may be repeated long after the token was made. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

const audiences = (aud: Json | undefined): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.filter((entry) => typeof entry === 'string');
};
const isNumber = (value: Json | undefined): value is number => typeof value === 'number' && Number.isFinite(value);

/** Whether a time lies between the request and the delivery, within the skew. */
const between = (value: Json | undefined, { sentAt, receivedAt }: IdTokenAt): boolean =>
  isNumber(value) && value >= sentAt - skew && value <= receivedAt + skew;

/** OIDC Core §3.1.3.7, by claim: what is expected where it does not hold. */
const claimJudges: Readonly<Record<string, (at: IdTokenAt) => false | string>> = {
  aud: ({ idToken, clientId }) =>
    clientId !== undefined && !audiences(idToken['aud']).includes(clientId) && `an aud with the client_id ${clientId}`,
  azp: ({ idToken, clientId }) => {
    const needed = audiences(idToken['aud']).length > 1;
    return (needed || idToken['azp'] !== undefined) && idToken['azp'] !== clientId && `azp ${clientId}`;
  },
  iat: (at) => !between(at.idToken['iat'], at) && 'an iat between the request and the delivery, give or take 5 minutes',
  exp: ({ idToken: { exp, iat }, sentAt }) =>
    !(isNumber(exp) && exp > sentAt - skew && (!isNumber(iat) || exp > iat)) &&
    'an exp after iat that had not passed before the request, as a number',
  nonce: ({ idToken, nonce }) => nonce !== undefined && idToken['nonce'] !== nonce && `nonce ${JSON.stringify(nonce)}`,
  auth_time: ({ idToken, receivedAt }) => {
    const time = idToken['auth_time'];
    return time !== undefined && !(isNumber(time) && time <= receivedAt + skew) && 'an auth_time that is not ahead';
  },
  acr: ({ idToken }) => idToken['acr'] !== undefined && typeof idToken['acr'] !== 'string' && 'an acr that is a string',
};

function judgeClaims({ idToken, sent, receivedAt }: CallbackObservation): readonly CheckMismatch[] {
  if (idToken === undefined) return [];
  const [clientId, nonce] = [textMemberOf(sent.claims, 'client_id'), sent.claims?.['nonce']];
  const at = { idToken, clientId, nonce, sentAt: sent.sentAt, receivedAt };
  return Object.entries(claimJudges).flatMap(([name, judge]) => {
    const expected = judge(at);
    return expected === false ? [] : [{ path: `idToken.${name}`, expected, actual: idToken[name] ?? null }];
  });
}

/** OIDC Core §3.1.3.6: base64url of the left half of the hash of the access token, by the hash of the id token's alg. */
function halfHash(accessToken: string, alg: Json | undefined): string {
  const bits = typeof alg === 'string' ? /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(alg)?.[1] : undefined;
  const digest = createHash(`sha${bits ?? '256'}`)
    .update(accessToken, 'ascii')
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

const requestIdClaim = 'urn:openid:params:jwt:claim:auth_req_id';

function judgeTie({ body, idToken, idTokenHeader, sent }: CallbackObservation): readonly CheckMismatch[] {
  const accessToken = textMemberOf(body, 'access_token');
  if (idToken === undefined || accessToken === undefined) return [];
  const hash = halfHash(accessToken, idTokenHeader?.['alg']);
  const id = textMemberOf(sent.body, 'auth_req_id');
  const { at_hash: actual = null, [requestIdClaim]: given = null } = idToken;
  return [
    ...(actual === hash ? [] : [{ path: 'idToken.at_hash', expected: `at_hash ${hash}`, actual }]),
    ...(id === undefined || given === id
      ? []
      : [{ path: 'idToken', expected: `${requestIdClaim} ${id}`, actual: given }]),
  ];
}

/** What OIDC Discovery §3 makes every carrier support. */
const always = 'RS256';

/** The algorithms that a discovery document lists; undefined where the message has none. */
function algorithmsIn(message: RunMessage): readonly string[] | undefined {
  const listed = memberOf(responseIn(message)?.body, 'id_token_signing_alg_values_supported');
  return Array.isArray(listed) ? listed.filter((alg): alg is string => typeof alg === 'string') : undefined;
}

/** What is wrong with the signature; undefined where nothing is. Nothing is advertised while no list of algorithms was read. */
function describeSignature(
  jws: string,
  keys: readonly JsonObject[],
  advertised: ReadonlySet<string> | undefined,
): string | undefined {
  const { alg = null, kid } = decodeCompactJws(jws)?.header ?? {};
  if (typeof alg !== 'string' || alg === 'none' || advertised?.has(alg) === false) return `alg ${JSON.stringify(alg)}`;
  // Without a kid any of the keys will do; a kid that nobody published names none.
  const tried = kid === undefined ? keys : keys.filter((key) => key['kid'] === kid);
  if (tried.some((key) => verifiesWith(jws, key, alg))) return undefined;
  return `alg ${alg}, kid ${JSON.stringify(kid ?? null)}, not verified`;
}

/** The id token that an SP gets, as OpenID Connect has it. */
export const tokenChecks: readonly NamedCheck[] = [
  /** SEC-31: the claims of an id token are in order for the SP that gets it. */
  defineCallbackCheck('id-token-in-order', judgeClaims),

  /** CIBA Core §10.3.1: at_hash, and the auth_req_id of the request in its own claim. */
  defineCallbackCheck('id-token-tied-to-its-tokens', judgeTie),

  /**
   * OIDC Core §3.1.3.7 (6, 7): an advertised algorithm, and a key of jwks_uri. Judged by all keys that came during the run; what
   * came after the last reading of them is not. A run that read no list of algorithms judges by the keys alone.
   */
  defineRunCheck('id-tokens-signed-by-published-key', () => {
    const tokens = openSignedTokens<string>('jwks');
    let advertised: ReadonlySet<string> | undefined;
    return {
      observe: (message) => {
        const listed = algorithmsIn(message);
        if (listed !== undefined) advertised = new Set([always, ...(advertised ?? []), ...listed]);
        const jws = 'callback' in message ? textMemberOf(message.callback.body, 'id_token') : undefined;
        tokens.observe(message, jws);
      },
      conclude: () =>
        tokens.conclude((jws, keys) => {
          const actual = describeSignature(jws, keys, advertised);
          const expected = 'an advertised algorithm, and a signature that a key of jwks_uri verifies';
          return actual === undefined ? undefined : { path: 'body.id_token', expected, actual };
        }),
    };
  }),
];
