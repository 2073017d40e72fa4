import { check, type SubscriberContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** Nobody is to be worn out by pushes (CIBA Core §14). */
export const fewRequestsPending = check('few-requests-pending', (context: SubscriberContext) => {
  const { policy, client, subscriber, countPending } = context;
  if (countPending(client, subscriber) >= policy.maxPending) {
    refuse('temporarily_unavailable', 'too many requests are pending for the subscriber');
  }
});
