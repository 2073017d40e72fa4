import { check, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

const names = ['jwk', 'jku', 'x5c', 'x5u', 'x5t', 'x5t#S256'];

/** §5.1: only a registered key verifies, so a key in the header, or a place to fetch one, is refused. */
export const headerBringsNoKey = check('header-brings-no-key', ({ header }: ObjectContext) => {
  const found = names.find((name) => Object.hasOwn(header, name));
  if (found !== undefined) refuse('invalid_request_object', `the header member ${found} is not supported`);
});
