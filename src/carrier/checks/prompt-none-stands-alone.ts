import { check, type KeyContext, optionalString, words } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** OIDC Core §3.1.2.1: none with any other value is an error. */
export const promptNoneStandsAlone = check('prompt-none-stands-alone', (context: KeyContext) => {
  const prompt = words(optionalString(context, 'prompt') ?? '');
  if (prompt.includes('none') && prompt.length > 1) refuse('invalid_request', 'prompt none must stand alone');
});
