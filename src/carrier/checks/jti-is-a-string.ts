import { check, type KeyContext, optionalString } from '../pipeline/context.ts';

/** §2.3 jti: optional, a string. */
export const jtiIsAString = check('jti-is-a-string', (context: KeyContext) => void optionalString(context, 'jti'));
