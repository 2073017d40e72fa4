import { type PendingEvent, isConnected, isSubscribed } from '../../carrier/builders/events.ts';
import { stringMember, words } from '../../carrier/json.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable, freshEdit } from '../edit/fault-table.ts';
import { otherKey, removeSignature, breakSignature } from '../edit/keys.ts';
import { changeEventToken, omitMembers } from '../edit/messages.ts';
import { addClaimCheck, withContent, withEvents, withPolicy } from '../../carrier/seams/definition-parts.ts';

const changeSetText = (change: (jws: string) => string): Edit =>
  withEvents(({ body }) => ({ body: (sign) => body(() => change(sign())) }));

/** Faults of events and their delivery: §1.5, §4.8, §6. */
export const eventFaults: readonly Fault[] = [
  ...defineFaults({
    'event-not-on-move': ['A SIM that moves to another device raises nothing.', 'EVT-001', raiseOn('move-sim', [])],
    'event-not-on-reset': ['A factory reset raises nothing.', 'EVT-002', raiseOn('factory-reset', [])],
    'event-not-on-swap': ['A new SIM card raises nothing.', 'EVT-003 UT-023', raiseOn('swap-sim', [])],
    'event-on-number-change': [
      'A changed number is taken for a changed device.',
      'EVT-004',
      raiseOn('change-number', ['device_change']),
    ],
    'event-without-consent': [
      'Events are sent for users who never consented.',
      'EVT-005 EVT-008 EVT-033',
      withEvents(() => ({ isReported: ({ client }) => isSubscribed(client) })),
    ],
    'event-without-subscription': [
      'Events are sent to SPs that did not subscribe.',
      'EVT-006 CRV-003',
      withEvents(() => ({
        isReported: ({ client, subscriber }) => client.flags.get('events') === true && hasConsented(client, subscriber),
      })),
    ],
    'event-without-access': [
      'Events are sent to SPs without access to the scope events.',
      'EVT-008',
      withEvents(() => ({
        isReported: ({ client, subscriber }) =>
          client.flags.get('event_subscription') === true && hasConsented(client, subscriber),
      })),
    ],
    'event-without-endpoint': [
      'An event endpoint that was taken out of the portal is still used.',
      'EVT-007',
      withEvents(() => ({ uri: ({ eventUri }) => eventUri })),
    ],
    'event-without-scope': [
      'Consent to openid is enough for events.',
      'EVT-005 EVT-008 EVT-033',
      withEvents(() => ({
        isReported: ({ client, subscriber }) =>
          isSubscribed(client) && subscriber.consents.get(client.name)?.has('openid') === true,
      })),
    ],
    'event-to-notification-uri': [
      'Events go to the notification URI.',
      'EVT-007 EVT-009',
      withEvents(() => ({ uri: ({ notificationUris }) => notificationUris[0] })),
    ],
    'event-as-secevent': [
      'An event is sent as RFC 8935 has it: the token alone, as application/secevent+jwt (C7.14).',
      'EVT-010 EVT-011',
      wrapSetAs('application/secevent+jwt', (set) => set),
    ],
    'event-wrong-content-type': [
      'An event is sent as text/plain.',
      'EVT-011',
      withEvents(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
    ],
    'set-with-exp': [
      'The event token has an exp.',
      'SEC-41',
      changeEventToken(({ iat }) => ({ exp: Number(iat) + 300 })),
    ],
    'event-cacheable': [
      'An event has no cache-control.',
      'EVT-012',
      withEvents(({ headers }) => ({ headers: omitMembers(headers, 'cache-control') })),
    ],
    'event-200-not-believed': [
      'An event is retried although the SP confirmed it.',
      'EVT-015 EVT-018 SEC-41 EVT-006',
      withEvents(() => ({ confirms: () => false })),
    ],
    'event-confirmed-by-any-answer': [
      'Any response confirms an event.',
      'EVT-013 EVT-017 SEC-41',
      withEvents(() => ({ confirms: () => true })),
    ],
    'event-confirmed-by-any-success': [
      'Any status from 200 to 299 confirms an event (C10.8).',
      'EVT-017',
      withEvents(() => ({ confirms: (status) => status !== undefined && status >= 200 && status < 300 })),
    ],
    'event-given-up-at-other-statuses': [
      'An event is retried at the usual statuses, and given up at any other (C10.2).',
      'EVT-013',
      withEvents(() => ({
        confirms: (status) =>
          status !== undefined && ![400, 401, 403, 404, 410, 429, 500, 502, 503, 504].includes(status),
      })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'event-key-without-sp': [
      'A change is reported to the first SP only.',
      'EVT-021',
      withEvents(() => ({ duplicateKey: ({ subscriber, event }) => JSON.stringify([subscriber.name, event]) })),
      { stateful: true },
    ],
    'event-key-without-subscriber': [
      'After an event about one subscriber, one about another is dropped as a duplicate.',
      'EVT-020',
      withEvents(() => ({ duplicateKey: ({ client, event }) => JSON.stringify([client.clientId, event]) })),
      { stateful: true },
    ],
    'event-key-without-event': [
      'After a changed device a revoked consent is dropped as a duplicate.',
      'EVT-022',
      withEvents(() => ({ duplicateKey: ({ sub, client }) => JSON.stringify([sub, client.clientId]) })),
    ],
    'set-unknown-kid': [
      'The event token names a key that is not published.',
      'EVT-024 EVT-025',
      withEvents(({ signingKey }) => ({
        signingKey: (key) => ({ ...signingKey(key), kid: 'unpublished' }),
      })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'set-kid-empty': [
      'The kid of the event token is empty.',
      'EVT-024 EVT-025',
      withEvents(({ signingKey }) => ({ signingKey: (key) => ({ ...signingKey(key), kid: '' }) })),
    ],
    'set-signed-with-another-key': [
      'The event token is signed with a key that is not published.',
      'EVT-025',
      withEvents(({ signingKey }) => ({
        signingKey: (key) => ({ ...signingKey(key), privateKey: otherKey() }),
      })),
      { keeps: 'src/cli/run/critical.test.ts runs with it' },
    ],
    'set-unsigned': [
      'The event token has alg none and no signature (C8.1).',
      'EVT-025',
      changeSetText(removeSignature),
      { keeps: 'src/cli/run/critical.test.ts runs with it' },
    ],
    'set-signature-broken': [
      'The signature of the event token is damaged on its way (C8.1).',
      'EVT-025',
      changeSetText(breakSignature),
      { keeps: 'src/cli/run/critical.test.ts runs with it' },
    ],
    'set-iss-of-the-platform': [
      'iss of the event token is the platform.',
      'EVT-026 SEC-40',
      changeEventToken(() => ({ iss: 'https://platform.test' })),
    ],
    'set-iat-in-milliseconds': [
      'iat of the event token is in milliseconds.',
      'EVT-027 SEC-41',
      changeEventToken(({ iat }) => ({ iat: Number(iat) * 1000 })),
    ],
    'set-jti-of-the-subscriber': [
      'jti of the event token is the subscriber.',
      'EVT-028',
      changeEventToken(({ sub }) => ({ jti: sub ?? null })),
    ],
    'set-aud-with-another': [
      'aud of the event token names another SP beside the one it is sent to.',
      'EVT-029',
      changeEventToken(({ aud }) => ({ aud: [aud ?? null, 'ccid-ofanothersp'] })),
    ],
    'set-aud-is-the-endpoint': [
      'aud of the event token is the event endpoint.',
      'EVT-029',
      changeEventToken((_, { uri }) => ({ aud: uri })),
    ],
    'set-sub-is-the-number': [
      'sub of the event token is the phone number.',
      'EVT-030 EVT-031 SEC-32',
      changeEventToken((_, { subscriber }) => ({ sub: subscriber.phone })),
    ],
    'set-sub-of-another-subscriber': [
      'All events carry the sub of one subscriber; events about that one, the sub of another.',
      'EVT-030',
      withEvents(() => ({
        sub: ({ subscriber, client }, accounts) => {
          const [first, second] = accounts.subscribers.values();
          return (subscriber === second ? first : second)?.subs.get(client.name);
        },
      })),
      { stateful: true, keeps: 'the SP knows the other subscriber, and would block that phone' },
    ],
    'set-sub-without-carrier-code': [
      'sub of the event token lacks the carrier code.',
      'EVT-030 EVT-031',
      changeEventToken((_, { sub }) => ({ sub: sub.slice(7) })),
    ],
    'event-retried-without-end': [
      'The confirmation of the last retry is not believed, and another one follows (C2.4).',
      'EVT-013 EVT-015',
      combineEdits(
        withPolicy({ eventRetries: 4 }),
        withEvents(({ confirms }) => ({
          confirms: (status, attempt, news) => attempt !== 3 && confirms(status, attempt, news),
        })),
      ),
    ],
    'event-confirmation-taken-for-the-next': [
      'A 200 of an SP confirms its next event within 5 minutes as well, whatever it responds to that one (C2.4).',
      'EVT-013',
      freshEdit(confirmNextEvent),
      { stateful: true },
    ],
    'event-remembered-from-its-last-attempt': [
      'The hour in which a duplicate is dropped begins with the last attempt to deliver the event (C2.5).',
      'EVT-019',
      freshEdit(rememberLastAttempt),
      { stateful: true, keeps: 'it counts the hour from another moment' },
    ],
    'event-of-a-new-card-beside-a-new-number': [
      'A SIM card that is swapped within an hour of a new number is taken for part of that change.',
      'EVT-003',
      withEvents(({ isReported }) => ({
        isReported: (news) => isReported(news) && !(news.cause === 'swap-sim' && hasNewNumber(news)),
      })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'event-kept-once-confirmed': [
      'Duplicates of an event are found once the SP has confirmed it (C2.5).',
      'EVT-018',
      withEvents(() => ({ keptOnce: 'confirmed' })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'consent-revoked-never-a-duplicate': [
      'Duplicates of consent_revoked are sent (C2.5).',
      'EVT-018',
      withEvents(({ duplicateKey }) => ({
        duplicateKey: (news) => JSON.stringify([duplicateKey(news), news.event === 'device_change' ? 0 : news.now]),
      })),
    ],
    'events-scope-unknown': [
      'A request for the scope events is refused (C2.12).',
      'EVT-034',
      addClaimCheck('scope-is-known', ({ claims }) => {
        if (words(stringMember(claims, 'scope') ?? '').includes('events'))
          refuse('invalid_scope', 'there is no events');
      }),
    ],
    'consent-revoked-missing': [
      'The removal of all scopes raises no event.',
      'CRV-001',
      withEvents(() => ({ isRevoked: () => false })),
      { keeps: 'src/testing/program/decisions.golden.test.ts runs with it' },
    ],
    'consent-revoked-on-any-scope': [
      'One removed scope is reported as a revoked consent.',
      'CRV-002',
      withEvents(() => ({ isRevoked: (before, after) => after.size < before.size })),
    ],
    'consent-revoked-to-every-sp': [
      'The consent removed for one SP is reported to all.',
      'CRV-002',
      withEvents(() => ({ isRevokedForAll: true })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'receiver-redirects-followed': [
      'A redirect of the receiver is followed.',
      'EVT-009 SEC-25',
      withPolicy({ receiverRedirectsFollowed: 3 }),
    ],
    'set-typed-jwt': ['The event token is typed JWT.', 'EVT-023', withEvents(() => ({ type: 'JWT' }))],
  }),
  ...faultTable(withPolicy, {
    'event-retried-once': ['An event is retried once.', 'EVT-013', { eventRetries: 1 }],
    'event-retried-4-times': [
      'An event is retried four times.',
      'EVT-013',
      { eventRetries: 4 },
      { keeps: 'src/testing/program/decisions.golden.test.ts runs with it' },
    ],
    'event-retried-at-once': ['Retries are a second apart.', 'EVT-013 EVT-014', { eventRetryAfter: 1 }],
    'event-duplicates-sent': ['Every change of one device is reported.', 'EVT-018', { eventDuplicateWindow: 0 }],
    'event-duplicate-window-a-second-long': [
      'A duplicate is dropped until a second after the hour (C2.18).',
      'EVT-019',
      { eventDuplicateWindow: 3602 },
      { keeps: 'it is too long by a second only' },
    ],
  }),
  ...faultTable(changeEventToken, {
    'set-without-iat': ['The event token has no iat.', 'EVT-027 SEC-41', () => ({ iat: undefined })],
    'set-without-jti': ['The event token has no jti.', 'EVT-028', () => ({ jti: undefined })],
    'set-events-as-text': [
      'events of the event token is a string.',
      'EVT-032',
      (_, { event }) => ({ events: event }),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'set-events-of-another-name': [
      'events of the event token names the device change otherwise.',
      'EVT-032',
      (_, { event }) => (event === 'device_change' ? { events: ['equipment_replaced'] } : {}),
    ],
    'set-events-empty': [
      'events of the event token is an empty list.',
      'EVT-032',
      () => ({ events: [] }),
      {
        except: { 'events-of-a-move': 'the attempts of two events cannot be distinguished if neither can be read' },
        keeps: 'another fault shows the same, and carriers have either',
      },
    ],
  }),
];

function confirmNextEvent(): Edit {
  const confirmed = new Map<string, PendingEvent>();
  return withEvents(({ confirms }) => ({
    confirms: (status, attempt, news) => {
      const { clientId } = news.client;
      const last = confirmed.get(clientId);
      const before = last !== undefined && news.now - last.now < 300_000 ? last : undefined;
      if (confirms(status, attempt, news)) {
        confirmed.set(clientId, news);
        return true;
      }
      if (before !== undefined && before !== news) confirmed.delete(clientId);
      return before !== undefined && before !== news;
    },
  }));
}

/** Whether the number changed less than an hour before. */
const hasNewNumber = ({ now, subscriber: { phoneChangedAt = -Infinity } }: PendingEvent): boolean =>
  now - phoneChangedAt < 3_600_000;

function rememberLastAttempt(): Edit {
  const last = new Map<string, number>();
  return withEvents(({ confirms, isReported, duplicateKey }) => ({
    confirms: (status, attempt, news) => {
      last.set(duplicateKey(news), news.now + attempt * 60_000);
      return confirms(status, attempt, news);
    },
    isReported: (news) =>
      isReported(news) &&
      news.now - (last.get(duplicateKey(news)) ?? -Infinity) >= news.policy.eventDuplicateWindow * 1000,
  }));
}

function raiseOn(change: string, events: readonly string[]): Edit {
  return withEvents(({ raisedBy }) => ({ raisedBy: { ...raisedBy, [change]: events } }));
}

function hasConsented(client: ClientState, subscriber: SubscriberState): boolean {
  return isConnected(subscriber, client) && subscriber.consents.get(client.name)?.has('events') === true;
}

/** Sends each event token in a body other than a JSON object. */
function wrapSetAs(type: string, wrap: (set: string) => string): Edit {
  return combineEdits(
    withContent(() => ({
      event: (text) => ({ bytes: Buffer.from(wrap(/"set":"([^"]+)"/.exec(text)?.[1] ?? text)), headers: {} }),
    })),
    withEvents(({ headers }) => ({ headers: { ...headers, 'content-type': type } })),
  );
}
