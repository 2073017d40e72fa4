import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

/** A proof is good for one query. */
export const proofJtiNotRepeated = check('proof-jti-not-repeated', (context: ProofContext) => {
  const { proofClaims, client, replays, now, policy } = context;
  const { jti } = proofClaims;
  if (typeof jti !== 'string' || jti === '') refuseProof('jti of the proof is required');
  const key = JSON.stringify([client.clientId, 'proof', jti]);
  if (!replays.takeFirst(key, now, policy.proofWindow)) refuseProof('the proof was used before');
});
