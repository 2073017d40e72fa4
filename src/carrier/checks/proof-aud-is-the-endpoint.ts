import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

/** A signed JWT as proof is made for this endpoint only. */
export const proofAudIsTheEndpoint = check('proof-aud-is-the-endpoint', ({ proofClaims, origin }: ProofContext) => {
  if (proofClaims['aud'] !== `${origin}/v1/usertrait`) refuseProof('aud of the proof is not this endpoint');
});
