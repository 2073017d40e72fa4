import { importPublicJwk, type RegisteredKey } from '../state/accounts.ts';
import { reader } from '../pipeline/context.ts';
import type { JsonObject } from '../json.ts';
import { parseCompactJws } from '../jose/jws.ts';
import { parseStrictObject, StrictJsonError } from '../jose/strict-json.ts';
import { type ProofContext, refuseProof, type TraitClient } from '../pipeline/usertrait-context.ts';

/** §4.7 x-authorization: one compact JWS, and the key it says it is signed with is registered for the client. */
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
  try {
    return parseStrictObject(bytes).value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuseProof('the proof cannot be read');
  }
}
