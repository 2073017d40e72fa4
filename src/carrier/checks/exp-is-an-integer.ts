import { check, type KeyContext, requireInteger } from '../pipeline/context.ts';

/** §2.3 exp: integer, epoch seconds. */
export const expIsAnInteger = check('exp-is-an-integer', (context: KeyContext) => void requireInteger(context, 'exp'));
