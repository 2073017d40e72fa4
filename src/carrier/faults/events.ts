import type { Client, Subscriber } from '../state/accounts.ts';
import { type EventNews, isSubscribed } from '../builders/events.ts';
import type { JsonObject } from '../json.ts';
import { defineFault, type Edit, leaveOut, withEvents, withPolicy } from './edit/define.ts';
import { otherKey } from './edit/other-key.ts';

/** On events and their delivery: §1.5, §4.8, §6. */
export const eventFaults = [
  defineFault({
    name: 'event-not-on-move',
    says: 'A SIM that moves to another device raises nothing.',
    breaks: ['EVT-001'],
    blinds: 'what follows',
    apply: raising('move-sim', []),
  }),
  defineFault({
    name: 'event-not-on-reset',
    says: 'A factory reset raises nothing.',
    breaks: ['EVT-002'],
    blinds: ['EVT-026', 'EVT-029', 'EVT-030'],
    apply: raising('factory-reset', []),
  }),
  defineFault({
    name: 'event-not-on-swap',
    says: 'A new SIM card raises nothing.',
    breaks: ['EVT-003', 'UT-023'],
    blinds: ['EVT-026', 'EVT-029', 'EVT-030'],
    apply: raising('swap-sim', []),
  }),
  defineFault({
    name: 'event-on-number-change',
    says: 'A changed number is taken for a changed device.',
    breaks: ['EVT-004'],
    apply: raising('change-number', ['device_change']),
  }),
  defineFault({
    name: 'event-without-consent',
    says: 'Events are sent for users who never consented.',
    breaks: ['EVT-005', 'EVT-008'],
    apply: withEvents(() => ({ isReported: ({ client }) => isSubscribed(client) })),
  }),
  defineFault({
    name: 'event-without-subscription',
    says: 'Events are sent to SPs that did not subscribe.',
    breaks: ['EVT-006', 'CRV-003'],
    apply: withEvents(() => ({
      isReported: ({ client, subscriber }) => client.flags.get('events') === true && hasConsented(client, subscriber),
    })),
  }),
  defineFault({
    name: 'event-without-access',
    says: 'Events are sent to SPs without access to the scope events.',
    breaks: ['EVT-008'],
    apply: withEvents(() => ({
      isReported: ({ client, subscriber }) =>
        client.flags.get('event_subscription') === true && hasConsented(client, subscriber),
    })),
  }),
  defineFault({
    name: 'event-without-endpoint',
    says: 'An event endpoint that was taken out of the portal is still used.',
    breaks: ['EVT-007'],
    apply: withEvents(() => ({ uri: ({ eventUri }) => eventUri })),
  }),
  defineFault({
    name: 'event-without-scope',
    says: 'Consent to openid is enough to be told of events.',
    breaks: ['EVT-005', 'EVT-008'],
    apply: withEvents(() => ({
      isReported: ({ client, subscriber }) =>
        isSubscribed(client) && subscriber.consents.get(client.name)?.has('openid') === true,
    })),
  }),
  defineFault({
    name: 'event-to-notification-uri',
    says: 'Events go to the notification URI.',
    breaks: ['EVT-007', 'EVT-009'],
    apply: withEvents(() => ({ uri: ({ notificationUris }) => notificationUris[0] })),
  }),
  defineFault({
    name: 'event-in-another-member',
    says: 'The event is in a member called event.',
    breaks: ['EVT-010', 'EVT-020'],
    blinds: [
      'EVT-001',
      'EVT-002',
      'EVT-003',
      'EVT-005',
      'EVT-015',
      'EVT-021',
      'EVT-026',
      'EVT-029',
      'EVT-030',
      'SEC-18',
      'SEC-40',
      'SEC-41',
    ],
    apply: withEvents(() => ({ body: (sign) => keptBody({ event: sign() }) })),
  }),
  defineFault({
    name: 'event-with-more-members',
    says: 'The body of an event names the subscriber beside the token.',
    breaks: ['EVT-010'],
    apply: withEvents(() => ({ body: (sign) => keptBody({ set: sign(), subscriber: 'first' }) })),
  }),
  defineFault({
    name: 'event-wrong-content-type',
    says: 'An event is sent as text/plain.',
    breaks: ['EVT-011'],
    apply: withEvents(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
  }),
  defineFault({
    name: 'event-cacheable',
    says: 'An event has no cache-control.',
    breaks: ['EVT-012'],
    apply: withEvents(({ headers }) => ({ headers: leaveOut(headers, 'cache-control') })),
  }),
  defineFault({
    name: 'event-never-retried',
    says: 'An event is sent once.',
    breaks: ['EVT-013', 'SEC-41'],
    blinds: ['EVT-015'],
    apply: withPolicy({ eventRetries: 0 }),
  }),
  defineFault({
    name: 'event-retried-once',
    says: 'An event is retried once.',
    breaks: ['EVT-013'],
    apply: withPolicy({ eventRetries: 1 }),
  }),
  defineFault({
    name: 'event-retried-4-times',
    says: 'An event is retried four times.',
    breaks: ['EVT-013'],
    apply: withPolicy({ eventRetries: 4 }),
  }),
  defineFault({
    name: 'event-retried-at-once',
    says: 'Retries are a second apart.',
    breaks: ['EVT-014'],
    apply: withPolicy({ eventRetryAfter: 1 }),
  }),
  defineFault({
    name: 'event-retried-late',
    says: 'Retries are five minutes apart.',
    breaks: ['EVT-014', 'EVT-027', 'SEC-41'],
    apply: withPolicy({ eventRetryAfter: 300 }),
  }),
  defineFault({
    name: 'event-200-not-believed',
    says: 'An event is retried although the SP confirmed it.',
    breaks: ['EVT-015', 'SEC-41'],
    apply: withEvents(() => ({ confirms: () => false })),
  }),
  defineFault({
    name: 'event-confirmed-by-any-answer',
    says: 'Any answer confirms an event.',
    breaks: ['EVT-013', 'SEC-41'],
    blinds: ['EVT-015'],
    apply: withEvents(() => ({ confirms: () => true })),
  }),
  defineFault({
    name: 'event-duplicates-sent',
    says: 'Every change of one device is reported.',
    breaks: ['EVT-018'],
    apply: withPolicy({ eventDuplicateWindow: 0 }),
  }),
  defineFault({
    name: 'event-duplicate-window-50-minutes',
    says: 'A duplicate is sent after 50 minutes.',
    breaks: ['EVT-018'],
    apply: withPolicy({ eventDuplicateWindow: 3000 }),
  }),
  defineFault({
    name: 'event-duplicate-window-2-hours',
    says: 'A duplicate is dropped for two hours.',
    breaks: ['EVT-019'],
    blinds: ['EVT-005', 'EVT-020', 'EVT-030', 'SEC-18', 'SEC-41'],
    apply: withPolicy({ eventDuplicateWindow: 7200 }),
  }),
  defineFault({
    name: 'event-key-without-sub',
    says: 'One device a hour is reported to an SP.',
    breaks: ['EVT-020'],
    blinds: ['EVT-030'],
    crosses: true,
    apply: withEvents(() => ({ duplicateKey: ({ client, event }) => JSON.stringify([client.clientId, event]) })),
  }),
  defineFault({
    name: 'event-key-without-sp',
    says: 'A change is reported to the first SP only.',
    breaks: ['EVT-021', 'UT-023'],
    blinds: ['EVT-029', 'EVT-030'],
    crosses: true,
    apply: withEvents(() => ({ duplicateKey: ({ subscriber, event }) => JSON.stringify([subscriber.name, event]) })),
  }),
  defineFault({
    name: 'event-key-without-event',
    says: 'After a changed device a revoked consent is dropped as a duplicate.',
    breaks: ['EVT-022'],
    apply: withEvents(() => ({ duplicateKey: ({ sub, client }) => JSON.stringify([sub, client.clientId]) })),
  }),
  defineFault({
    name: 'set-typed-jwt',
    says: 'The event token is typed JWT.',
    breaks: ['EVT-023'],
    apply: withEvents(() => ({ type: 'JWT' })),
  }),
  defineFault({
    name: 'set-unknown-kid',
    says: 'The event token names a key that is not published.',
    breaks: ['EVT-024', 'EVT-025'],
    apply: withEvents(({ signingKey }) => ({
      signingKey: (carrier) => ({ ...signingKey(carrier), kid: 'unpublished' }),
    })),
  }),
  defineFault({
    name: 'set-kid-empty',
    says: 'The kid of the event token is empty.',
    breaks: ['EVT-024', 'EVT-025'],
    apply: withEvents(({ signingKey }) => ({ signingKey: (carrier) => ({ ...signingKey(carrier), kid: '' }) })),
  }),
  defineFault({
    name: 'set-signed-with-another-key',
    says: 'The event token is signed with a key that is not published.',
    breaks: ['EVT-025'],
    apply: withEvents(({ signingKey }) => ({
      signingKey: (carrier) => ({ ...signingKey(carrier), privateKey: otherKey() }),
    })),
  }),
  defineFault({
    name: 'set-iss-of-the-platform',
    says: 'iss of the event token is the platform.',
    breaks: ['EVT-026', 'SEC-40'],
    apply: changedSet((claims) => ({ ...claims, iss: 'https://platform.test' })),
  }),
  defineFault({
    name: 'set-without-iat',
    says: 'The event token has no iat.',
    breaks: ['EVT-027', 'SEC-41'],
    apply: changedSet((claims) => leaveOut(claims, 'iat')),
  }),
  defineFault({
    name: 'set-iat-in-milliseconds',
    says: 'iat of the event token is in milliseconds.',
    breaks: ['EVT-027', 'SEC-41'],
    apply: changedSet((claims) => ({ ...claims, iat: Number(claims['iat']) * 1000 })),
  }),
  defineFault({
    name: 'set-jti-of-the-subscriber',
    says: 'jti of the event token is the subscriber.',
    breaks: ['EVT-028'],
    apply: changedSet((claims) => ({ ...claims, jti: claims['sub'] ?? null })),
  }),
  defineFault({
    name: 'set-without-jti',
    says: 'The event token has no jti.',
    breaks: ['EVT-028'],
    blinds: ['SEC-41'],
    apply: changedSet((claims) => leaveOut(claims, 'jti')),
  }),
  defineFault({
    name: 'set-aud-missing',
    says: 'The event token has no aud.',
    breaks: ['EVT-029'],
    apply: changedSet((claims) => leaveOut(claims, 'aud')),
  }),
  defineFault({
    name: 'set-aud-as-list',
    says: 'aud of the event token is a list of one.',
    breaks: ['EVT-029'],
    apply: changedSet((claims) => ({ ...claims, aud: [claims['aud'] ?? null] })),
  }),
  defineFault({
    name: 'set-aud-with-another',
    says: 'aud of the event token names another SP beside the one it is sent to.',
    breaks: ['EVT-029'],
    apply: changedSet((claims) => ({ ...claims, aud: [claims['aud'] ?? null, 'ccid-ofanothersp'] })),
  }),
  defineFault({
    name: 'set-aud-is-the-endpoint',
    says: 'aud of the event token is the event endpoint.',
    breaks: ['EVT-029'],
    apply: changedSet((claims, { uri }) => ({ ...claims, aud: uri })),
  }),
  defineFault({
    name: 'set-sub-is-the-number',
    says: 'sub of the event token is the phone number.',
    breaks: ['EVT-020', 'EVT-030', 'EVT-031', 'SEC-32'],
    blinds: ['EVT-005'],
    apply: changedSet((claims, { subscriber }) => ({ ...claims, sub: subscriber.phone })),
  }),
  defineFault({
    name: 'set-sub-of-the-carrier',
    says: 'sub of the event token is the carrier’s own, the same for every SP.',
    breaks: ['EVT-020', 'EVT-030', 'SEC-32'],
    blinds: ['EVT-005'],
    apply: changedSet((claims, { subscriber, sub }) => ({ ...claims, sub: `${sub.slice(0, 7)}${subscriber.name}` })),
  }),
  defineFault({
    name: 'set-sub-of-another-subscriber',
    says: 'Events about everybody carry the sub of one subscriber; those about that one, of another.',
    breaks: ['EVT-001', 'EVT-002', 'EVT-003', 'EVT-030', 'CRV-001', 'UT-023'],
    blinds: [
      'EVT-004',
      'EVT-005',
      'EVT-006',
      'EVT-007',
      'EVT-008',
      'EVT-009',
      'EVT-013',
      'EVT-014',
      'EVT-015',
      'EVT-017',
      'EVT-018',
      'EVT-019',
      'EVT-020',
      'EVT-021',
      'EVT-022',
      'EVT-026',
      'EVT-029',
      'CRV-002',
      'CRV-003',
      'CRV-005',
      'SEC-18',
      'SEC-40',
      'SEC-41',
    ],
    crosses: true,
    apply: withEvents(() => ({
      sub: ({ accounts }, { subscriber, client }) => {
        const [first, second] = accounts.subscribers.values();
        return (subscriber === second ? first : second)?.subs.get(client.name);
      },
    })),
  }),
  defineFault({
    name: 'set-sub-without-carrier-code',
    says: 'sub of the event token lacks the carrier code.',
    breaks: ['EVT-020', 'EVT-030', 'EVT-031'],
    blinds: ['EVT-005'],
    apply: changedSet((claims, { sub }) => ({ ...claims, sub: sub.slice(7) })),
  }),
  defineFault({
    name: 'set-events-as-text',
    says: 'events of the event token is a string.',
    breaks: ['EVT-032'],
    apply: changedSet((claims, { event }) => ({ ...claims, events: event })),
  }),
  defineFault({
    name: 'set-events-empty',
    says: 'events of the event token is an empty list.',
    breaks: ['EVT-032'],
    apply: changedSet((claims) => ({ ...claims, events: [] })),
  }),
  defineFault({
    name: 'set-with-exp',
    says: 'The event token expires.',
    breaks: ['SEC-41'],
    apply: changedSet((claims) => ({ ...claims, exp: Number(claims['iat']) + 120 })),
  }),
  defineFault({
    name: 'set-anew-at-each-retry',
    says: 'A retry carries a new event token.',
    breaks: ['SEC-41'],
    apply: withEvents(() => ({ body: (sign) => () => ({ set: sign() }) })),
  }),
  defineFault({
    name: 'consent-revoked-missing',
    says: 'Nobody is told that all scopes were removed.',
    breaks: ['CRV-001'],
    blinds: ['CRV-002', 'CRV-003', 'CRV-005', 'EVT-015', 'EVT-022'],
    apply: withEvents(() => ({ isRevoked: () => false })),
  }),
  defineFault({
    name: 'consent-revoked-on-any-scope',
    says: 'One removed scope is reported as a revoked consent.',
    breaks: ['CRV-002'],
    apply: withEvents(() => ({ isRevoked: (before, after) => after.size < before.size })),
  }),
  defineFault({
    name: 'receiver-redirects-followed',
    says: 'A redirect of the receiver is followed.',
    breaks: ['EVT-009', 'SEC-25'],
    apply: withPolicy({ receiverRedirectsFollowed: 3 }),
  }),
] as const;

function raising(change: string, events: readonly string[]): Edit {
  return withEvents(({ raisedBy }) => ({ raisedBy: { ...raisedBy, [change]: events } }));
}

function changedSet(change: (claims: JsonObject, news: EventNews) => JsonObject): Edit {
  return withEvents(({ claims }) => ({ claims: (news) => change(claims(news), news) }));
}

function keptBody(body: JsonObject): () => JsonObject {
  return () => body;
}

function hasConsented(client: Client, { enrolled, consents }: Subscriber): boolean {
  return enrolled && consents.get(client.name)?.has('events') === true;
}
