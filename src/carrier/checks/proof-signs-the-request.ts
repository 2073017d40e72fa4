import { createHash } from 'node:crypto';
import { check } from '../pipeline/context.ts';
import { asText } from '../json.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

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
