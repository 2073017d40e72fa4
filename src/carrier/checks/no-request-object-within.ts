import { check, hasClaim, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** RFC 9101 §4: request and request_uri are never inside a request object. */
export const noRequestObjectWithin = check('no-request-object-within', (context: ObjectContext) => {
  if (hasClaim(context, 'request') || hasClaim(context, 'request_uri')) {
    refuse('invalid_request_object', 'a request object holds neither request nor request_uri');
  }
});
