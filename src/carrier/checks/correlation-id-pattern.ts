import { check, type KeyContext, optionalString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 correlation_id: up to 128 letters, digits, hyphens and underscores. */
export const correlationIdPattern = check('correlation-id-pattern', (context: KeyContext) => {
  const id = optionalString(context, 'correlation_id');
  if (id === undefined) return;
  if (!/^[A-Za-z0-9\-_]*$/.test(id) || id.length > context.policy.correlationIdMax) {
    refuse('invalid_request', 'correlation_id must be at most 128 letters, digits, hyphens and underscores');
  }
});
