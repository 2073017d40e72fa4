import { stringMember, words } from '../json.ts';
import {
  check,
  type HintTokenContext,
  type KeyContext,
  optionalString,
  reader,
  requireString,
  nowInSeconds,
  type SubscriberContext,
} from '../context.ts';
import { refuse } from '../refusal.ts';
import type { SubscriberState } from '../state/accounts.ts';

/** §2.3, §4.6 login_hint_token: encrypted by this carrier, so only it can read it. */
export const loginHintTokenNamesASubscriber = reader(
  'login-hint-token-names-a-subscriber',
  (context: KeyContext): HintTokenContext => {
    const hint = context.openHintToken(optionalString(context, 'login_hint_token') ?? '');
    const subscriber = context.accounts.subscribers.get(typeof hint?.['sub'] === 'string' ? hint['sub'] : '');
    if (hint === undefined || subscriber === undefined) {
      return refuse('invalid_login_hint_token', 'login_hint_token is not valid');
    }
    return { ...context, hint, subscriber };
  },
);

/** §2.7 exp. */
export const loginHintTokenHasNotExpired = check('login-hint-token-has-not-expired', (context: HintTokenContext) => {
  if (!(Number(context.hint['exp']) > nowInSeconds(context))) {
    refuse('expired_login_hint_token', 'login_hint_token has expired');
  }
});

/** Only the SP that got the token can use it. */
export const loginHintTokenIsForTheClient = check('login-hint-token-is-for-the-client', (context: HintTokenContext) => {
  if (context.hint['client_id'] !== context.client.clientId) {
    refuse('invalid_login_hint_token', 'login_hint_token is not valid');
  }
});

/** §2.3 login_hint: this client's own pairwise sub, or a phone number where the client has enum_enabled. */
export const loginHintNamesASubscriber = reader(
  'login-hint-names-a-subscriber',
  (context: KeyContext): SubscriberContext => {
    const hint = requireString(context, 'login_hint');
    return { ...context, subscriber: hint.startsWith('+') ? findByPhone(context, hint) : findBySub(context, hint) };
  },
);

/** One description for all of these refusals, so that no SP learns who is a subscriber. */
export const unreachableDescription = 'the subscriber cannot be asked';

/** Without the flag the refusal is the same for every number, known or not. */
function findByPhone({ client, accounts, policy }: KeyContext, phone: string): SubscriberState {
  if (client.flags.get('enum_enabled') !== true) refuse(policy.unknownHintError, unreachableDescription);
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) refuse('invalid_request', 'login_hint is not a phone number');
  return accounts.findPhone(phone) ?? refuse(policy.unknownHintError, unreachableDescription);
}

function findBySub({ client, accounts, policy }: KeyContext, sub: string): SubscriberState {
  const found = accounts.findSub(sub);
  if (found === undefined) return refuse(policy.unknownHintError, unreachableDescription);
  if (found.clientName === client.name) return found.subscriber;
  return refuse(policy.foreignHintError, unreachableDescription);
}

/** §1.3: the user has the phone app and is registered. */
export const subscriberHasTheApp = check('subscriber-has-the-app', ({ subscriber, policy }: SubscriberContext) => {
  if (!subscriber.enrolled) refuse(policy.unenrolledError, unreachableDescription);
});

/** §1.3: the user has consented to at least openid for this SP. */
export const subscriberConsentedToOpenid = check('subscriber-consented-to-openid', (context: SubscriberContext) => {
  const { subscriber, client, policy } = context;
  if (subscriber.consents.get(client.name)?.has('openid') !== true) {
    refuse(policy.unconsentedError, unreachableDescription);
  }
});

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

/** Limits the pushes to one user (CIBA Core §14). */
export const fewRequestsPending = check('few-requests-pending', (context: SubscriberContext) => {
  const { policy, client, subscriber, countPending } = context;
  if (countPending(client, subscriber) >= policy.maxPending) {
    refuse('temporarily_unavailable', 'too many requests are pending for the subscriber');
  }
});

/** §2.3 jti: refused if repeated within 5 minutes; without jti the same signed claims count as a repetition. */
export const jtiNotRepeated = check('jti-not-repeated', (context: SubscriberContext) => {
  takeOnce(context, replayKey(context));
});

/** Identity of a request object: the client with the jti, or else with the signed claims. */
export function replayKey({ claims, jws, client }: SubscriberContext): string {
  const jti = claims['jti'];
  return JSON.stringify([client.clientId, ...(typeof jti === 'string' ? ['jti', jti] : ['claims', jws.payloadText])]);
}

export function takeOnce({ replays, now, policy }: SubscriberContext, key: string): void {
  if (!replays.takeFirst(key, now, policy.jtiWindow)) refuse('invalid_request', 'the request object was sent before');
}
