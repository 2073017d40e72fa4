import { check, type SubscriberContext, words } from '../pipeline/context.ts';
import { stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';

/** §2.3 prompt: none needs silent_authorization_enabled, and nothing left for the user to do. */
export const promptNoneIsAllowed = check('prompt-none-is-allowed', (context: SubscriberContext) => {
  const { claims, client, subscriber } = context;
  if (!words(stringMember(claims, 'prompt') ?? '').includes('none')) return;
  const consents = subscriber.consents.get(client.name);
  const allConsented = words(stringMember(claims, 'scope') ?? '').every((scope) => consents?.has(scope) === true);
  const strongEnough = claims['acr_values'] !== 'a3' || authenticatedRecently(context);
  if (client.flags.get('silent_authorization_enabled') !== true || !allConsented || !strongEnough) {
    refuse('interaction_required', 'the subscriber must be asked');
  }
});

function authenticatedRecently({ subscriber, now, policy }: SubscriberContext): boolean {
  return now - (subscriber.authenticatedAt ?? -Infinity) <= policy.authenticationReuse * 1000;
}
