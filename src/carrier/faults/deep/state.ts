import { jtiNotRepeated, replayKey } from '../../checks/subscriber.ts';
import { stringMember } from '../../json.ts';
import type { Client, Subscriber } from '../../state/accounts.ts';
import type { AuthorizationRequest, Wanted } from '../../state/requests.ts';
import { all, type Edit } from '../edit/define.ts';
import { insteadOfLast, withBuilders, withEvents } from '../edit/parts.ts';
import { letThrough } from '../edit/requests.ts';
import type { DeepFault } from './define.ts';
import { defineRemembering, notingDenials, waitingRequests, watching } from './lives.ts';
import { accountStateFaults } from './state-accounts.ts';
import { flowStateFaults } from './state-flow.ts';

/** What the phone, and who sends to it, keep of the request before. */
const phoneFaults = defineRemembering('state', {
  'no-event-while-a-request-waits': [
    'The carrier takes a phone with a request on it for busy, and drops the events of its subscriber.',
    'EVT-001 EVT-002 EVT-003',
    () => {
      const waiting = waitingRequests();
      return all(
        waiting.watch,
        withEvents(({ isReported }) => ({
          isReported: (what) =>
            isReported(what) && !waiting.list().some(({ subscriber }) => subscriber === what.subscriber),
        })),
      );
    },
  ],
  'user-shielded-after-three-denials': [
    'A user who denied three times in a row is left in peace: what comes then is accepted and never shown.',
    'FLOW-001',
    () => {
      const denials = new WeakMap<Subscriber, number>();
      const hidden = new WeakSet<AuthorizationRequest>();
      return all(
        watching({
          opened: (request) => {
            if ((denials.get(request.subscriber) ?? 0) >= 3) hidden.add(request);
          },
          ended: ({ subscriber }, how) => {
            denials.set(subscriber, how === 'denied' ? (denials.get(subscriber) ?? 0) + 1 : 0);
          },
        }),
        withBuilders(({ card, isOpen }) => ({
          card: (request, authentication) => {
            const shown = card(request, authentication);
            return hidden.has(request) ? { ...shown, shown: false } : shown;
          },
          isOpen: (request) => isOpen(request) && !hidden.has(request),
        })),
      );
    },
  ],
});

/** What the end of one request, or one that still waits, does to the next. */
const requestFaults = defineRemembering('state', {
  'login-forgotten-after-denial': [
    'The carrier takes a denial for the answer to prompt login as well, so the next one asks for no authentication.',
    'REQ-045',
    () => {
      const denied = new WeakSet<Subscriber>();
      return all(
        notingDenials(denied),
        withBuilders(({ authentication }) => ({
          authentication: (request, policy, now) =>
            denied.has(request.subscriber) && request.wanted.prompt.includes('login')
              ? 'reused'
              : authentication(request, policy, now),
        })),
      );
    },
  ],
  'notification-uri-unchecked-after-cancel': [
    'A cancellation marks the session of the SP as verified, so its next notification_uri is not compared.',
    'REQ-033',
    () => {
      const verified = new WeakSet<Client>();
      return all(
        watching({
          ended: ({ client }, how) => void (how === 'cancelled' ? verified.add(client) : verified.delete(client)),
        }),
        letThrough(
          ['notification-uri-registered'],
          ({ client, claims }) => verified.has(client) && stringMember(claims, 'notification_uri') !== undefined,
        ),
      );
    },
  ],
  'redirect-uri-by-origin-while-one-waits': [
    'While a request of the SP waits, its next one is taken for a retry, and only the origin of redirect_uri is compared.',
    'REQ-030',
    () => {
      const waiting = waitingRequests();
      return all(
        waiting.watch,
        letThrough(
          ['redirect-uri-registered'],
          ({ client, claims }) =>
            waiting.list().some((one) => one.client === client) &&
            hasOriginOf(stringMember(claims, 'redirect_uri') ?? '', client.redirectUris),
        ),
      );
    },
  ],
  'replay-overwrites-the-card': [
    'A repeated jti is refused only after the carrier has stored its context over that of the request that waits.',
    'REQ-072 FLOW-017',
    () => {
      const contexts = new Map<string, string>();
      const keys = new WeakMap<Wanted, string>();
      let opening = '';
      return all(
        storingContexts(contexts),
        withBuilders(({ claims, authReqId, card }) => ({
          claims: (context) => {
            opening = replayKey(context);
            return claims(context);
          },
          authReqId: (wanted) => {
            keys.set(wanted, opening);
            return authReqId(wanted);
          },
          card: (request, authentication) => {
            const { wanted } = request;
            const context = contexts.get(keys.get(wanted) ?? '') ?? wanted.context;
            return card(
              context === undefined ? request : { ...request, wanted: { ...wanted, context } },
              authentication,
            );
          },
        })),
      );
    },
  ],
});

/** What was left behind by a request, a subscriber, the portal or a key rotation. */
export const stateFaults: readonly DeepFault[] = [
  ...requestFaults,
  ...phoneFaults,
  ...flowStateFaults,
  ...accountStateFaults,
];

function hasOriginOf(uri: string, registered: readonly string[]): boolean {
  const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : 'null');
  return originOf(uri) !== 'null' && registered.some((one) => originOf(one) === originOf(uri));
}

function storingContexts(contexts: Map<string, string>): Edit {
  return insteadOfLast('jti-not-repeated', (context) => {
    try {
      jtiNotRepeated.run(context);
    } catch (error) {
      const text = stringMember(context.claims, 'context');
      if (text !== undefined) contexts.set(replayKey(context), text);
      throw error;
    }
  });
}
