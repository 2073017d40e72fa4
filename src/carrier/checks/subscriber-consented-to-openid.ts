import { check, type SubscriberContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { nobody } from './login-hint-names-a-subscriber.ts';

/** §1.3: the user has consented to at least openid for this SP. */
export const subscriberConsentedToOpenid = check('subscriber-consented-to-openid', (context: SubscriberContext) => {
  const { subscriber, client, policy } = context;
  if (subscriber.consents.get(client.name)?.has('openid') !== true) {
    refuse(policy.unconsentedError, nobody);
  }
});
