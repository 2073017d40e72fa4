import { check, type KeyContext, requireInteger } from '../pipeline/context.ts';

/** §2.3 iat: integer, epoch seconds. */
export const iatIsAnInteger = check('iat-is-an-integer', (context: KeyContext) => void requireInteger(context, 'iat'));
