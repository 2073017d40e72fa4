import { check } from '../pipeline/context.ts';
import { type ProofContext, refuseProof } from '../pipeline/usertrait-context.ts';

const longest = 100;

/** The header-signing proof: version 1, the names signed, and the hash of their values. */
export const proofIsTaap = check('proof-is-taap', ({ proofHeader, proofClaims }: ProofContext) => {
  const { v, ehts, edts } = proofClaims;
  const named = typeof ehts === 'string' ? ehts.split(';') : [];
  if (proofHeader['alg'] !== 'RS256' || v !== '1' || typeof edts !== 'string') refuseProof('the proof is malformed');
  if (named.length > longest || new Set(named).size < named.length) refuseProof('ehts of the proof is malformed');
  for (const name of ['uri', 'http-method', 'body']) {
    if (!named.includes(name)) refuseProof(`the proof does not sign ${name}`);
  }
});
