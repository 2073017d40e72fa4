import { check, type KeyContext } from '../pipeline/context.ts';
import { verifyJws } from '../jose/jws.ts';
import { refuse } from '../refusal.ts';

/** §5.1: the request object verifies with the key the client registered. */
export const signatureVerifies = check('signature-verifies', ({ jws, key }: KeyContext) => {
  if (!verifyJws(jws, key.key, key.alg)) refuse('invalid_request_object', 'the signature does not verify');
});
