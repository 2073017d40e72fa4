import { check, type KeyContext, words } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 scope: a space-separated list of scopes that the portal approved for this client (§2.12). */
export const scopeIsAllowed = check('scope-is-allowed', ({ claims, client }: KeyContext) => {
  const scope = claims['scope'];
  const named = typeof scope === 'string' ? words(scope) : [];
  if (named.length === 0) refuse('invalid_scope', 'scope is required and must name a scope');
  if (!named.every((word) => client.scopes.includes(word))) {
    refuse('invalid_scope', 'scope names one that the client may not ask for');
  }
});
