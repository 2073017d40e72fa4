import { check, type KeyContext, requireString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §5.2: notification_uri is registered for this client_id. */
export const notificationUriRegistered = check('notification-uri-registered', (context: KeyContext) => {
  if (!context.client.notificationUris.includes(requireString(context, 'notification_uri'))) {
    refuse('invalid_request', 'notification_uri is not registered for the client');
  }
});
