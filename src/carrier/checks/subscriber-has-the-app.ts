import { check, type SubscriberContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { nobody } from './login-hint-names-a-subscriber.ts';

/** §1.3: the user has the phone app and is registered. */
export const subscriberHasTheApp = check('subscriber-has-the-app', ({ subscriber, policy }: SubscriberContext) => {
  if (!subscriber.enrolled) refuse(policy.unenrolledError, nobody);
});
