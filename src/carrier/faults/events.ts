import { isSubscribed } from '../builders/events.ts';
import type { JsonObject } from '../json.ts';
import type { Client, Subscriber } from '../state/accounts.ts';
import { defineFaults, type Edit, type Fault, faultTable, ruleIds } from './edit/define.ts';
import { otherKey } from './edit/keys.ts';
import { changedSet, leaveOut } from './edit/messages.ts';
import { withEvents, withPolicy } from './edit/parts.ts';

/** On events and their delivery: §1.5, §4.8, §6. */
export const eventFaults: readonly Fault[] = [
  ...defineFaults({
    'event-not-on-move': {
      description: 'A SIM that moves to another device raises nothing.',
      breaks: ['EVT-001'],
      masks: 'what follows',
      apply: raising('move-sim', []),
    },
    'event-not-on-reset': {
      description: 'A factory reset raises nothing.',
      breaks: ['EVT-002'],
      masks: ['EVT-026', 'EVT-029', 'EVT-030'],
      apply: raising('factory-reset', []),
    },
    'event-not-on-swap': {
      description: 'A new SIM card raises nothing.',
      breaks: ['EVT-003', 'UT-023'],
      masks: ['EVT-026', 'EVT-029', 'EVT-030'],
      apply: raising('swap-sim', []),
    },
    'event-on-number-change': {
      description: 'A changed number is taken for a changed device.',
      breaks: ['EVT-004'],
      apply: raising('change-number', ['device_change']),
    },
    'event-without-consent': {
      description: 'Events are sent for users who never consented.',
      breaks: ['EVT-005', 'EVT-008'],
      apply: withEvents(() => ({ isReported: ({ client }) => isSubscribed(client) })),
    },
    'event-without-subscription': {
      description: 'Events are sent to SPs that did not subscribe.',
      breaks: ['EVT-006', 'CRV-003'],
      apply: withEvents(() => ({
        isReported: ({ client, subscriber }) => client.flags.get('events') === true && hasConsented(client, subscriber),
      })),
    },
    'event-without-access': {
      description: 'Events are sent to SPs without access to the scope events.',
      breaks: ['EVT-008'],
      apply: withEvents(() => ({
        isReported: ({ client, subscriber }) =>
          client.flags.get('event_subscription') === true && hasConsented(client, subscriber),
      })),
    },
    'event-without-endpoint': {
      description: 'An event endpoint that was taken out of the portal is still used.',
      breaks: ['EVT-007'],
      apply: withEvents(() => ({ uri: ({ eventUri }) => eventUri })),
    },
    'event-without-scope': {
      description: 'Consent to openid is enough for events.',
      breaks: ['EVT-005', 'EVT-008'],
      apply: withEvents(() => ({
        isReported: ({ client, subscriber }) =>
          isSubscribed(client) && subscriber.consents.get(client.name)?.has('openid') === true,
      })),
    },
    'event-to-notification-uri': {
      description: 'Events go to the notification URI.',
      breaks: ['EVT-007', 'EVT-009'],
      apply: withEvents(() => ({ uri: ({ notificationUris }) => notificationUris[0] })),
    },
    'event-in-another-member': {
      description: 'The event is in a member called event.',
      breaks: ['EVT-010', 'EVT-020'],
      masks: ruleIds(`
      EVT-001 EVT-002 EVT-003 EVT-005 EVT-015 EVT-021 EVT-026 EVT-029 EVT-030 SEC-18 SEC-40 SEC-41
    `),
      apply: withEvents(() => ({ body: (sign) => keptBody({ event: sign() }) })),
    },
    'event-with-more-members': {
      description: 'The body of an event names the subscriber beside the token.',
      breaks: ['EVT-010'],
      apply: withEvents(() => ({ body: (sign) => keptBody({ set: sign(), subscriber: 'first' }) })),
    },
    'event-wrong-content-type': {
      description: 'An event is sent as text/plain.',
      breaks: ['EVT-011'],
      apply: withEvents(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
    },
    'event-cacheable': {
      description: 'An event has no cache-control.',
      breaks: ['EVT-012'],
      apply: withEvents(({ headers }) => ({ headers: leaveOut(headers, 'cache-control') })),
    },
    'event-200-not-believed': {
      description: 'An event is retried although the SP confirmed it.',
      breaks: ['EVT-015', 'SEC-41'],
      apply: withEvents(() => ({ confirms: () => false })),
    },
    'event-confirmed-by-any-answer': {
      description: 'Any response confirms an event.',
      breaks: ['EVT-013', 'SEC-41'],
      masks: ['EVT-015'],
      apply: withEvents(() => ({ confirms: () => true })),
    },
    'event-duplicate-window-50-minutes': {
      description: 'A duplicate is sent after 50 minutes.',
      breaks: ['EVT-018'],
      apply: withPolicy({ eventDuplicateWindow: 3000 }),
    },
    'event-duplicate-window-2-hours': {
      description: 'A duplicate is dropped for two hours.',
      breaks: ['EVT-019'],
      masks: ['EVT-005', 'EVT-020', 'EVT-030', 'SEC-18', 'SEC-41'],
      apply: withPolicy({ eventDuplicateWindow: 7200 }),
    },
    'event-key-without-sub': {
      description: 'One device a hour is reported to an SP.',
      breaks: ['EVT-020'],
      masks: ['EVT-030'],
      stateful: true,
      apply: withEvents(() => ({ duplicateKey: ({ client, event }) => JSON.stringify([client.clientId, event]) })),
    },
    'event-key-without-sp': {
      description: 'A change is reported to the first SP only.',
      breaks: ['EVT-021', 'UT-023'],
      masks: ['EVT-029', 'EVT-030'],
      stateful: true,
      apply: withEvents(() => ({ duplicateKey: ({ subscriber, event }) => JSON.stringify([subscriber.name, event]) })),
    },
    'event-key-without-event': {
      description: 'After a changed device a revoked consent is dropped as a duplicate.',
      breaks: ['EVT-022'],
      apply: withEvents(() => ({ duplicateKey: ({ sub, client }) => JSON.stringify([sub, client.clientId]) })),
    },
    'set-unknown-kid': {
      description: 'The event token names a key that is not published.',
      breaks: ['EVT-024', 'EVT-025'],
      apply: withEvents(({ signingKey }) => ({
        signingKey: (key) => ({ ...signingKey(key), kid: 'unpublished' }),
      })),
    },
    'set-kid-empty': {
      description: 'The kid of the event token is empty.',
      breaks: ['EVT-024', 'EVT-025'],
      apply: withEvents(({ signingKey }) => ({ signingKey: (key) => ({ ...signingKey(key), kid: '' }) })),
    },
    'set-signed-with-another-key': {
      description: 'The event token is signed with a key that is not published.',
      breaks: ['EVT-025'],
      apply: withEvents(({ signingKey }) => ({
        signingKey: (key) => ({ ...signingKey(key), privateKey: otherKey() }),
      })),
    },
    'set-iss-of-the-platform': {
      description: 'iss of the event token is the platform.',
      breaks: ['EVT-026', 'SEC-40'],
      apply: changedSet(() => ({ iss: 'https://platform.test' })),
    },
    'set-iat-in-milliseconds': {
      description: 'iat of the event token is in milliseconds.',
      breaks: ['EVT-027', 'SEC-41'],
      apply: changedSet(({ iat }) => ({ iat: Number(iat) * 1000 })),
    },
    'set-jti-of-the-subscriber': {
      description: 'jti of the event token is the subscriber.',
      breaks: ['EVT-028'],
      apply: changedSet(({ sub }) => ({ jti: sub ?? null })),
    },
    'set-aud-with-another': {
      description: 'aud of the event token names another SP beside the one it is sent to.',
      breaks: ['EVT-029'],
      apply: changedSet(({ aud }) => ({ aud: [aud ?? null, 'ccid-ofanothersp'] })),
    },
    'set-aud-is-the-endpoint': {
      description: 'aud of the event token is the event endpoint.',
      breaks: ['EVT-029'],
      apply: changedSet((_, { uri }) => ({ aud: uri })),
    },
    'set-sub-is-the-number': {
      description: 'sub of the event token is the phone number.',
      breaks: ['EVT-020', 'EVT-030', 'EVT-031', 'SEC-32'],
      masks: ['EVT-005'],
      apply: changedSet((_, { subscriber }) => ({ sub: subscriber.phone })),
    },
    'set-sub-of-the-carrier': {
      description: 'sub of the event token is the carrier’s own, the same for every SP.',
      breaks: ['EVT-020', 'EVT-030', 'SEC-32'],
      masks: ['EVT-005'],
      apply: changedSet((_, { subscriber, sub }) => ({ sub: `${sub.slice(0, 7)}${subscriber.name}` })),
    },
    'set-sub-of-another-subscriber': {
      description: 'All events carry the sub of one subscriber; events about that one, the sub of another.',
      breaks: ['EVT-001', 'EVT-002', 'EVT-003', 'EVT-030', 'CRV-001', 'UT-023'],
      masks: ruleIds(`
      EVT-004 EVT-005 EVT-006 EVT-007 EVT-008 EVT-009 EVT-013 EVT-014 EVT-015 EVT-017 EVT-018 EVT-019
      EVT-020 EVT-021 EVT-022 EVT-026 EVT-029 CRV-002 CRV-003 CRV-005 SEC-18 SEC-40 SEC-41
    `),
      stateful: true,
      apply: withEvents(() => ({
        sub: ({ subscriber, client }, accounts) => {
          const [first, second] = accounts.subscribers.values();
          return (subscriber === second ? first : second)?.subs.get(client.name);
        },
      })),
    },
    'set-sub-without-carrier-code': {
      description: 'sub of the event token lacks the carrier code.',
      breaks: ['EVT-020', 'EVT-030', 'EVT-031'],
      masks: ['EVT-005'],
      apply: changedSet((_, { sub }) => ({ sub: sub.slice(7) })),
    },
    'set-anew-at-each-retry': {
      description: 'A retry carries a new event token.',
      breaks: ['SEC-41'],
      apply: withEvents(() => ({ body: (sign) => () => ({ set: sign() }) })),
    },
    'consent-revoked-missing': {
      description: 'The removal of all scopes raises no event.',
      breaks: ['CRV-001'],
      masks: ['CRV-002', 'CRV-003', 'CRV-005', 'EVT-015', 'EVT-022'],
      apply: withEvents(() => ({ isRevoked: () => false })),
    },
    'consent-revoked-on-any-scope': {
      description: 'One removed scope is reported as a revoked consent.',
      breaks: ['CRV-002'],
      apply: withEvents(() => ({ isRevoked: (before, after) => after.size < before.size })),
    },
    'receiver-redirects-followed': {
      description: 'A redirect of the receiver is followed.',
      breaks: ['EVT-009', 'SEC-25'],
      apply: withPolicy({ receiverRedirectsFollowed: 3 }),
    },
    'set-typed-jwt': {
      description: 'The event token is typed JWT.',
      breaks: ['EVT-023'],
      apply: withEvents(() => ({ type: 'JWT' })),
    },
  }),
  ...faultTable(withPolicy, {
    'event-never-retried': ['An event is sent once.', ['EVT-013', 'SEC-41'], { eventRetries: 0 }, ['EVT-015']],
    'event-retried-once': ['An event is retried once.', ['EVT-013'], { eventRetries: 1 }],
    'event-retried-4-times': ['An event is retried four times.', ['EVT-013'], { eventRetries: 4 }],
    'event-retried-at-once': ['Retries are a second apart.', ['EVT-014'], { eventRetryAfter: 1 }],
    'event-retried-late': [
      'Retries are five minutes apart.',
      ['EVT-014', 'EVT-027', 'SEC-41'],
      { eventRetryAfter: 300 },
    ],
    'event-duplicates-sent': ['Every change of one device is reported.', ['EVT-018'], { eventDuplicateWindow: 0 }],
    'event-retried-twice': ['An event is retried twice.', ['EVT-013'], { eventRetries: 2 }],
    'event-retried-after-40-seconds': ['Retries are 40 seconds apart.', ['EVT-014'], { eventRetryAfter: 40 }],
    'event-retried-after-80-seconds': ['Retries are 80 seconds apart.', ['EVT-014'], { eventRetryAfter: 80 }],
  }),
  ...faultTable(changedSet, {
    'set-without-iat': ['The event token has no iat.', ['EVT-027', 'SEC-41'], () => ({ iat: undefined })],
    'set-without-jti': ['The event token has no jti.', ['EVT-028'], () => ({ jti: undefined }), ['SEC-41']],
    'set-aud-missing': ['The event token has no aud.', ['EVT-029'], () => ({ aud: undefined })],
    'set-aud-as-list': ['aud of the event token is a list of one.', ['EVT-029'], ({ aud }) => ({ aud: [aud ?? null] })],
    'set-events-as-text': [
      'events of the event token is a string.',
      ['EVT-032'],
      (_, { event }) => ({ events: event }),
    ],
    'set-events-empty': ['events of the event token is an empty list.', ['EVT-032'], () => ({ events: [] })],
    'set-with-exp': ['The event token expires.', ['SEC-41'], ({ iat }) => ({ exp: Number(iat) + 120 })],
  }),
];

function raising(change: string, events: readonly string[]): Edit {
  return withEvents(({ raisedBy }) => ({ raisedBy: { ...raisedBy, [change]: events } }));
}

function hasConsented(client: Client, { enrolled, consents }: Subscriber): boolean {
  return enrolled && consents.get(client.name)?.has('events') === true;
}

function keptBody(body: JsonObject): () => JsonObject {
  return () => body;
}
