import { check, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

const types = ['jwt', 'oauth-authz-req+jwt'];

/** §2.2: the sample says JWT; another explicit type is a token made for something else (RFC 8725 §3.11). */
export const typeIsARequestObject = check('type-is-a-request-object', ({ header }: ObjectContext) => {
  if (!Object.hasOwn(header, 'typ')) return;
  const typ = header['typ'];
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (!types.includes(name)) refuse('invalid_request_object', 'typ does not name a request object');
});
