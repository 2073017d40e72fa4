import { hasClaim, type KeyContext, optionalString, requireInteger, seconds } from '../pipeline/context.ts';
import { check } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';

/** §2.3 iat: integer, epoch seconds. */
export const iatIsAnInteger = check('iat-is-an-integer', (context: KeyContext) => void requireInteger(context, 'iat'));

/** §5.1: a request object is at most 5 minutes old; one from the future is refused. */
export const iatWithin5Minutes = check('iat-within-5-minutes', (context: KeyContext) => {
  const age = seconds(context) - Number(context.claims['iat']);
  if (age > context.policy.iatMaxAge) refuse('invalid_request', 'iat is more than 5 minutes ago');
  if (-age > context.policy.iatMaxAhead) refuse('invalid_request', 'iat is in the future');
});

/** §2.3 exp: integer, epoch seconds. */
export const expIsAnInteger = check('exp-is-an-integer', (context: KeyContext) => void requireInteger(context, 'exp'));

/** RFC 7519 §4.1.4: not after exp; and exp comes after iat. */
export const expHasNotPassed = check('exp-has-not-passed', (context: KeyContext) => {
  const exp = Number(context.claims['exp']);
  if (exp + context.policy.expLeeway <= seconds(context)) refuse('invalid_request', 'exp has passed');
  if (exp <= Number(context.claims['iat'])) refuse('invalid_request', 'exp is not after iat');
});

/** §5.1: exp at most 5 minutes ahead. */
export const expWithin5Minutes = check('exp-within-5-minutes', (context: KeyContext) => {
  if (Number(context.claims['exp']) - seconds(context) > context.policy.expMaxAhead) {
    refuse('invalid_request', 'exp is more than 5 minutes ahead');
  }
});

/** RFC 7519 §4.1.5: not before nbf. */
export const notBeforeHasCome = check('not-before-has-come', (context: KeyContext) => {
  if (!hasClaim(context, 'nbf')) return;
  if (requireInteger(context, 'nbf') > seconds(context) + context.policy.notBeforeLeeway) {
    refuse('invalid_request', 'nbf is in the future');
  }
});

/** §2.3 jti: optional, a string. */
export const jtiIsAString = check('jti-is-a-string', (context: KeyContext) => void optionalString(context, 'jti'));

/** §2.3 expires_in: a JSON integer, at least one second. */
export const expiresInIsAnInteger = check('expires-in-is-an-integer', (context: KeyContext) => {
  if (requireInteger(context, 'expires_in') < 1) refuse('invalid_request', 'expires_in must be at least 1');
});

/** §2.3 expires_in: carriers may error above 48 hours. */
export const expiresInWithin48Hours = check('expires-in-within-48-hours', ({ claims, policy }: KeyContext) => {
  if (Number(claims['expires_in']) > policy.maxExpiresIn) refuse('invalid_request', 'expires_in is above 48 hours');
});
