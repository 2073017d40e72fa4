import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

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
