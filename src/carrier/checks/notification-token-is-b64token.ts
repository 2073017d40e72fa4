import { check, type KeyContext, optionalString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §5.3: it is sent back as a bearer credential, so it is a b64token (RFC 6750 §2.1). */
export const notificationTokenIsB64token = check('notification-token-is-b64token', (context: KeyContext) => {
  const token = optionalString(context, 'client_notification_token');
  if (token === undefined) return;
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token) || token.length > context.policy.notificationTokenMax) {
    refuse('invalid_request', 'client_notification_token must be 1 to 1024 characters of a bearer token');
  }
});
