import { check } from '../pipeline/context.ts';
import type { ProofContext } from '../pipeline/usertrait-context.ts';
import { defineFault, type Edit, withTraitSteps } from './edit/define.ts';
import { isHmac, pemOf } from './signatures.ts';

/** On the signature of the proof of possession: §5.4, SEC-42. */
export const proofFaults = [
  defineFault({
    name: 'proof-alg-none-accepted',
    says: 'A proof with alg none and an empty signature is taken.',
    breaks: ['UT-007', 'UT-019', 'SEC-42'],
    apply: proofLetThrough(({ proof, proofHeader }) => proofHeader['alg'] === 'none' && proof.signature.length === 0),
  }),
  defineFault({
    name: 'proof-hmac-with-the-pem',
    says: 'The alg of a proof chooses how to verify, and HMAC takes the PEM file of the public key for its secret.',
    breaks: ['SEC-42'],
    apply: proofLetThrough(({ proof, proofHeader, key }) => isHmac({ header: proofHeader, jws: proof }, pemOf(key))),
  }),
] as const;

/** Such a proof is not verified, and goes on as if its alg were the one that it should be. */
function proofLetThrough(isExcused: (context: ProofContext) => boolean): Edit {
  return withTraitSteps(({ onProof, onFormat }) => ({
    onProof: onProof.map(({ name, run }) =>
      check(name, (context) => {
        if (!isExcused(context)) run(context);
      }),
    ),
    onFormat: {
      ...onFormat,
      taap: onFormat.taap.map(({ name, run }) =>
        check(name, (context) => {
          run(isExcused(context) ? { ...context, proofHeader: { ...context.proofHeader, alg: 'RS256' } } : context);
        }),
      ),
    },
  }));
}
