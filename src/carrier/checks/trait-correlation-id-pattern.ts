import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { TraitBody } from '../pipeline/usertrait-context.ts';

/** §2.8 correlation_id, in the pattern of §2.3. */
export const traitCorrelationIdPattern = check('trait-correlation-id-pattern', ({ body, policy }: TraitBody) => {
  const id = body['correlation_id'];
  if (id === undefined) return;
  if (typeof id !== 'string' || !/^[A-Za-z0-9\-_]*$/.test(id) || id.length > policy.correlationIdMax) {
    refuse('invalid_request', 'correlation_id must be at most 128 letters, digits, hyphens and underscores');
  }
});
