import { check, type ObjectContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

const names = ['crit', 'b64', 'zip', 'enc'];

/** RFC 7515 §4.1.11: no extension is understood, and what is encrypted or compressed is no request object of §2.1. */
export const headerHasNoExtension = check('header-has-no-extension', ({ header }: ObjectContext) => {
  const found = names.find((name) => Object.hasOwn(header, name));
  if (found !== undefined) refuse('invalid_request_object', `the header member ${found} is not supported`);
});
