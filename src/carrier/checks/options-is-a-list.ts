import { check, type KeyContext, optionalString } from '../pipeline/context.ts';

/** §2.3 options: a space-separated list; words it does not know are ignored (§9.5). */
export const optionsIsAList = check(
  'options-is-a-list',
  (context: KeyContext) => void optionalString(context, 'options'),
);
