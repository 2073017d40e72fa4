import { randomUUID } from 'node:crypto';
import type { Accounts, ClientState, SubscriberState } from '../state/accounts.ts';
import type { JsonObject } from '../json.ts';
import type { CarrierSigningKey } from '../jose/jws.ts';
import type { Policy } from '../policy.ts';

/** One event for one SP, before it is signed. */
export interface PendingEvent {
  readonly subscriber: SubscriberState;
  readonly client: ClientState;
  readonly event: string;
  /** Name of the action that raised the event. */
  readonly cause: string;
  readonly sub: string;
  readonly uri: string;
  readonly issuer: string;
  /** Milliseconds. */
  readonly now: number;
  readonly policy: Policy;
}

/** Decisions and messages of events (§4.8, §6), by name; a fault replaces one. */
export interface EventBuilders {
  /** Events raised by each change of a SIM, a phone or a number. */
  readonly raisedBy: Readonly<Record<string, readonly string[]>>;
  readonly isReported: (news: PendingEvent) => boolean;
  readonly uri: (client: ClientState) => string | undefined;
  /** Pairwise sub of the subscriber for the SP; undefined: nothing is sent. */
  readonly sub: (news: Pick<PendingEvent, 'subscriber' | 'client'>, accounts: Accounts) => string | undefined;
  readonly duplicateKey: (news: PendingEvent) => string;
  /** Whether a dropped duplicate restarts the 60 minutes. */
  readonly duplicateSlides: boolean;
  /** When an event starts to block duplicates: once generated (§6), or once the SP has confirmed it. */
  readonly keptOnce: 'generated' | 'confirmed';
  readonly type: string;
  readonly claims: (news: PendingEvent) => JsonObject;
  readonly signingKey: (key: CarrierSigningKey) => CarrierSigningKey;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (sign: () => string) => () => JsonObject;
  /** Whether a status confirms receipt; `status` is undefined without a response, and `attempt` counts from 0. */
  readonly confirms: (status: number | undefined, attempt: number, news: PendingEvent) => boolean;
  /** Whether a consent_revoked is due after a user removed scopes. */
  readonly isRevoked: (before: ReadonlySet<string>, after: ReadonlySet<string>) => boolean;
  /** Whether consent_revoked goes to every SP. */
  readonly isRevokedForAll: boolean;
}

export const strictEvents: EventBuilders = {
  raisedBy: {
    'move-sim': ['device_change'],
    'swap-sim': ['device_change'],
    'factory-reset': ['device_change'],
    'change-number': [],
  },
  isReported: isEntitled,
  uri: ({ eventUri, flags }) => (flags.get('event_endpoint') === true ? eventUri : undefined),
  sub: ({ subscriber, client }) => subscriber.subs.get(client.name),
  duplicateKey: ({ sub, client, event }) => JSON.stringify([sub, client.clientId, event]),
  duplicateSlides: false,
  keptOnce: 'generated',
  type: 'set+jwt',
  claims: ({ issuer, now, client, sub, event }) => ({
    iss: issuer,
    iat: Math.floor(now / 1000),
    jti: randomUUID(),
    aud: client.clientId,
    sub,
    events: event === 'device_change' ? [event, 'security_event'] : [event],
  }),
  signingKey: (key) => key,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' },
  body: (sign) => {
    const body = { set: sign() };
    return () => body;
  },
  confirms: (status) => status === 200,
  isRevoked: (before, after) => before.size > 0 && after.size === 0,
  isRevokedForAll: false,
};

/** §1.6, §6: the SP is subscribed and may use the scope events; the user is connected and consented to it. */
function isEntitled({ client, subscriber }: Pick<PendingEvent, 'subscriber' | 'client'>): boolean {
  return (
    isSubscribed(client) &&
    isConnected(subscriber, client) &&
    subscriber.consents.get(client.name)?.has('events') === true
  );
}

/** §1.6, §6: the user has the phone app, and it is linked to the SP's app or site. */
export const isConnected = ({ enrolled, unlinked }: SubscriberState, { name }: ClientState): boolean =>
  enrolled && !unlinked.has(name);

/** Subscribed to the alert service, and with access to its scope: two entries of the portal (§2.12). */
export const isSubscribed = ({ flags, disabled }: ClientState): boolean =>
  flags.get('event_subscription') === true && flags.get('events') === true && !disabled;
