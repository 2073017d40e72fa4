import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

/** RFC 9449 §4.3: htm and htu are those of the query. */
export const proofNamesMethodAndUri = check('proof-names-method-and-uri', (context: ProofContext) => {
  const { proofClaims, origin, method, target } = context;
  if (proofClaims['htm'] !== method) refuseProof('htm of the proof is not the method');
  const [path = ''] = target.split('?');
  if (proofClaims['htu'] !== `${origin}${path}`) refuseProof('htu of the proof is not the address');
});
