import { check, hasClaim, type KeyContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 aud: the issuer URL of this carrier, character by character, alone or in a list (RFC 7519 §4.1.3). */
export const audIsTheIssuer = check('aud-is-the-issuer', (context: KeyContext) => {
  if (!hasClaim(context, 'aud')) refuse('invalid_request_object', 'aud is required');
  const aud = context.claims['aud'];
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.every((entry) => typeof entry === 'string') || !named.includes(context.issuer)) {
    refuse('invalid_request_object', 'aud must be the issuer');
  }
});
