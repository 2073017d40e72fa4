import { createHash } from 'node:crypto';
import { importPublicJwk, parseCompactJws, verifyJws } from '../jose/jws.ts';
import { strictObjectOr } from '../jose/strict-json.ts';
import { asText, type JsonObject } from '../json.ts';
import { type ProofContext, refuseProof, type TraitClient } from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import type { RegisteredKey } from '../state/accounts.ts';

/** §4.7 x-authorization: one compact JWS, and the key it names is registered for the client. */
export const proofKeyIsRegistered = reader('proof-key-is-registered', (context: TraitClient): ProofContext => {
  const text = context.header('x-authorization') ?? '';
  const proof = parseCompactJws(text.replace(/^(bearer|pop|dpop) /i, '')) ?? refuseProof('a proof is required');
  const proofHeader = readPart(proof.header);
  const key = findKey(context, proofHeader) ?? refuseProof('the proof is not signed with a registered key');
  return { ...context, proof, proofHeader, proofClaims: readPart(proof.payload), key };
});

function findKey({ client }: TraitClient, { kid, jwk }: JsonObject): RegisteredKey | undefined {
  const keys = [...client.keys.values()];
  if (kid !== undefined) return keys.find((key) => key.kid === kid);
  const named = importPublicJwk(jwk)?.jwk;
  if (named !== undefined) return keys.find((key) => JSON.stringify(key.jwk) === JSON.stringify(named));
  return keys.length === 1 ? keys[0] : undefined;
}

function readPart(bytes: Uint8Array): JsonObject {
  return strictObjectOr(bytes, () => refuseProof('the proof cannot be read')).value;
}

/** §5.4: the proof is signed with the SP's key, by the algorithm of that key. */
export const proofSignatureVerifies = check('proof-signature-verifies', (context: ProofContext) => {
  const { proof, proofHeader, key } = context;
  const plain = proofHeader['alg'] === key.alg && !('crit' in proofHeader);
  if (!plain || !verifyJws(proof, key.key, key.alg)) refuseProof('the signature of the proof does not verify');
});

const longest = 100;

/** The header-signing proof: version 1, the names signed, and the hash of their values. */
export const proofIsTaap = check('proof-is-taap', ({ proofClaims }: ProofContext) => {
  const { v, ehts, edts } = proofClaims;
  const named = typeof ehts === 'string' ? ehts.split(';') : [];
  if (v !== '1' || typeof edts !== 'string') refuseProof('the proof is malformed');
  if (named.length > longest || new Set(named).size < named.length) refuseProof('ehts of the proof is malformed');
  for (const name of ['uri', 'http-method', 'body']) {
    if (!named.includes(name)) refuseProof(`the proof does not sign ${name}`);
  }
});

/** The hash is over the values of this very query, in the order of the names. */
export const proofSignsTheRequest = check('proof-signs-the-request', (context: ProofContext) => {
  const { ehts, edts } = context.proofClaims;
  const values = asText(ehts)
    .split(';')
    .map((name) => signedValue(context, name) ?? refuseProof('the proof signs what was not sent'));
  const digest = createHash('sha256').update(values.join(''), 'utf8').digest('base64url');
  if (edts !== digest) refuseProof('the proof was made for another request');
});

function signedValue({ method, target, bytes, header }: ProofContext, name: string): string | undefined {
  if (name === 'http-method') return method;
  if (name === 'uri') return target;
  if (name === 'body') return Buffer.from(bytes).toString('utf8');
  return header(name.toLowerCase());
}

/** A signed JWT as proof names its client. */
export const proofIssIsTheClient = check('proof-iss-is-the-client', ({ proofClaims, client }: ProofContext) => {
  if (proofClaims['iss'] !== client.clientId) refuseProof('iss of the proof is not client_id');
});

/** A signed JWT as proof is made for this endpoint only. */
export const proofAudIsTheEndpoint = check(
  'proof-aud-is-the-endpoint',
  ({ proofClaims, origin, target }: ProofContext) => {
    if (proofClaims['aud'] !== `${origin}${target.split('?')[0] ?? ''}`)
      refuseProof('aud of the proof is not this endpoint');
  },
);

/** RFC 9449 §4.2: typed, and with the public key, which here has to be a registered one. */
export const proofIsDpop = check('proof-is-dpop', ({ proofHeader, key }: ProofContext) => {
  if (proofHeader['typ'] !== 'dpop+jwt') refuseProof('typ of the proof is not dpop+jwt');
  const jwk = importPublicJwk(proofHeader['jwk'])?.jwk;
  if (JSON.stringify(jwk) !== JSON.stringify(key.jwk)) refuseProof('jwk of the proof is not the registered key');
});

/** RFC 9449 §4.3: htm and htu are those of the query. */
export const proofNamesMethodAndUri = check('proof-names-method-and-uri', (context: ProofContext) => {
  const { proofClaims, origin, method, target } = context;
  if (proofClaims['htm'] !== method) refuseProof('htm of the proof is not the method');
  const [path = ''] = target.split('?');
  if (proofClaims['htu'] !== `${origin}${path}`) refuseProof('htu of the proof is not the address');
});

/** Two minutes, and ten seconds for a clock that is off; a DPoP proof has no exp, so its iat counts alone. */
export const proofLivesTwoMinutes = check('proof-lives-two-minutes', ({ proofClaims, now, policy }: ProofContext) => {
  const { iat, exp } = proofClaims;
  const at = Math.floor(now / 1000);
  if (typeof iat !== 'number' || !Number.isSafeInteger(iat)) refuseProof('iat of the proof must be an integer');
  const end = exp ?? iat + policy.proofLife;
  if (typeof end !== 'number' || !Number.isSafeInteger(end)) refuseProof('exp of the proof must be an integer');
  if (end - iat > policy.proofLife) refuseProof('the proof is made for more than 2 minutes');
  if (iat > at + policy.proofLeeway || end < at - policy.proofLeeway) refuseProof('the proof is not of now');
});

/** Under what a proof is kept. */
export function proofKey({ proofClaims: { jti }, client }: ProofContext): string {
  if (typeof jti !== 'string' || jti === '') refuseProof('jti of the proof is required');
  return JSON.stringify([client.clientId, 'proof', jti]);
}

export function refuseRepeatedProof(): never {
  return refuseProof('the proof was used before');
}

/** A proof is good for one query. */
export const proofJtiNotRepeated = check('proof-jti-not-repeated', (context: ProofContext) => {
  const { replays, now, policy } = context;
  if (!replays.takeFirst(proofKey(context), now, policy.proofWindow)) refuseRepeatedProof();
});
