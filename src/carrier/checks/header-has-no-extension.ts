import { check, type ObjectContext } from '../context.ts';
import { refuse } from '../refusal.ts';

const names = ['crit', 'b64', 'zip', 'enc', 'jwk', 'jku', 'x5c', 'x5u', 'x5t', 'x5t#S256'];

/** §5.1: only a registered key verifies, so a key or a place to fetch one is refused, and no extension is understood. */
export const headerHasNoExtension = check('header-has-no-extension', ({ header }: ObjectContext) => {
  const found = names.find((name) => Object.hasOwn(header, name));
  if (found !== undefined) refuse('invalid_request_object', `the header member ${found} is not supported`);
});
