import type { Subscriber } from '../state/accounts.ts';
import { type KeyContext, reader, requireString, type SubscriberContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 login_hint: this client's own pairwise sub, or a phone number where the client has enum_enabled. */
export const loginHintNamesASubscriber = reader(
  'login-hint-names-a-subscriber',
  (context: KeyContext): SubscriberContext => {
    const hint = requireString(context, 'login_hint');
    return { ...context, subscriber: hint.startsWith('+') ? byPhone(context, hint) : bySub(context, hint) };
  },
);

/** In one word for all of them, so that nobody learns who is a subscriber. */
export const nobody = 'the subscriber cannot be asked';

/** Without the flag the answer is the same for every number, known or not. */
function byPhone({ client, accounts, policy }: KeyContext, phone: string): Subscriber {
  if (client.flags.get('enum_enabled') !== true) refuse(policy.unknownHintError, nobody);
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) refuse('invalid_request', 'login_hint is not a phone number');
  return accounts.findPhone(phone) ?? refuse(policy.unknownHintError, nobody);
}

function bySub({ client, accounts, policy }: KeyContext, sub: string): Subscriber {
  const found = accounts.findSub(sub);
  if (found === undefined) return refuse(policy.unknownHintError, nobody);
  if (found.clientName === client.name) return found.subscriber;
  return refuse(policy.foreignHintError, nobody);
}
