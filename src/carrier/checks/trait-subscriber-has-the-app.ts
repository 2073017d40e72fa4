import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import type { TraitSubscriber } from '../pipeline/usertrait-context.ts';

/** §1.6: only users with the phone app are covered. */
export const traitSubscriberHasTheApp = check('trait-subscriber-has-the-app', ({ subscriber }: TraitSubscriber) => {
  if (!subscriber.enrolled) refuse('access_denied', 'the subscriber is not covered', 403);
});
