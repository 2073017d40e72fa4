import { importPublicJwk } from '../state/accounts.ts';
import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

/** RFC 9449 §4.2: typed, and with the public key, which here has to be a registered one. */
export const proofIsDpop = check('proof-is-dpop', ({ proofHeader, key }: ProofContext) => {
  if (proofHeader['typ'] !== 'dpop+jwt') refuseProof('typ of the proof is not dpop+jwt');
  const jwk = importPublicJwk(proofHeader['jwk'])?.jwk;
  if (JSON.stringify(jwk) !== JSON.stringify(key.jwk)) refuseProof('jwk of the proof is not the registered key');
});
