import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

/** A signed JWT as proof says whose it is. */
export const proofIssIsTheClient = check('proof-iss-is-the-client', ({ proofClaims, client }: ProofContext) => {
  if (proofClaims['iss'] !== client.clientId) refuseProof('iss of the proof is not client_id');
});
