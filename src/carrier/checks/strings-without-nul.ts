import { check, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** NUL ends a string in too many places behind this one (RFC 8725 §3.7). */
export const stringsWithoutNul = check('strings-without-nul', ({ claims }: ObjectContext) => {
  if (Object.values(claims).some((value) => typeof value === 'string' && value.includes('\0'))) {
    refuse('invalid_request', 'a claim holds NUL');
  }
});
