import { type BodyContext, check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.1: the request object travels in the body; it is never fetched (RFC 9101 §10.4). */
export const noRequestUriBeside = check('no-request-uri-beside', ({ outside }: BodyContext) => {
  if (Object.hasOwn(outside, 'request_uri')) refuse('request_uri_not_supported', 'request_uri is not supported');
});
