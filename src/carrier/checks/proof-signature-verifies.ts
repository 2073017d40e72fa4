import { verifyJws } from '../jose/jws.ts';
import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

/** §5.4: the proof is signed with the SP's key, by the algorithm of that key. */
export const proofSignatureVerifies = check('proof-signature-verifies', (context: ProofContext) => {
  const { proof, proofHeader, key } = context;
  const plain = proofHeader['alg'] === key.alg && !('crit' in proofHeader);
  if (!plain || !verifyJws(proof, key.key, key.alg)) refuseProof('the signature of the proof does not verify');
});
