import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { TraitSubscriber } from '../pipeline/usertrait-context.ts';

/** §4.7, §5.4: the user's consent for the SP is verified. */
export const traitSubscriberConsented = check(
  'trait-subscriber-consented',
  ({ subscriber, client }: TraitSubscriber) => {
    const consented = subscriber.consents.get(client.name)?.has('openid') === true;
    if (!consented) refuse('access_denied', 'the subscriber is not covered', 403);
  },
);
