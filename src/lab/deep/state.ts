import { isSubscribed } from '../../carrier/builders/events.ts';
import type { Tokens } from '../../carrier/builders/tokens.ts';
import { jtiNotRepeated, promptNoneIsAllowed, replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import type { CarrierSigningKey } from '../../carrier/jose/jws.ts';
import { asText, stringMember, words } from '../../carrier/json.ts';
import { reader } from '../../carrier/context.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, AcceptedClaims } from '../../carrier/state/requests.ts';
import { combineEdits, markDeep, defineStateful, type Edit } from '../edit/fault-table.ts';
import { noteDenials, userKey, waitingRequests, observeLives } from '../edit/request-life.ts';
import { changeBuilt, changeIdTokenKey } from '../edit/messages.ts';
import {
  replaceCheck,
  replaceSubscriberCheck,
  withBuilders,
  withCancel,
  withEvents,
  withPipeline,
  withTraits,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import { skipCheckIf } from '../edit/requests.ts';

function correlationKey({ client, wanted }: Pick<AuthorizationRequest, 'client' | 'wanted'>): string {
  return JSON.stringify([client.clientId, wanted.correlationId ?? null]);
}

const leftoverFaults = defineStateful({
  // Effects of an ended or waiting request on the next one.
  'login-forgotten-after-denial': [
    'The carrier takes a denial for the answer to prompt login as well, so the next one asks for no authentication.',
    'REQ-045',
    () => {
      const denied = new WeakSet<SubscriberState>();
      return combineEdits(
        noteDenials(denied),
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
      const verified = new WeakSet<ClientState>();
      return combineEdits(
        observeLives({
          ended: ({ client }, how) => void (how === 'cancelled' ? verified.add(client) : verified.delete(client)),
        }),
        skipCheckIf(
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
      return combineEdits(
        waiting.watch,
        skipCheckIf(
          ['redirect-uri-registered'],
          ({ client, claims }) =>
            waiting.list().some((one) => one.client === client) &&
            hasRegisteredOrigin(stringMember(claims, 'redirect_uri') ?? '', client.redirectUris),
        ),
      );
    },
  ],
  'replay-overwrites-the-card': [
    'A repeated jti is refused only after the carrier has stored its context over that of the request that waits.',
    'REQ-072 FLOW-017',
    () => {
      const contexts = new Map<string, string>();
      const keys = new WeakMap<AcceptedClaims, string>();
      let opening = '';
      return combineEdits(
        storeContexts(contexts),
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
  // State of the phone after the previous request.
  'no-event-while-a-request-waits': [
    'The carrier takes a phone with a request on it for busy, and drops the events of its subscriber.',
    'EVT-001 EVT-002 EVT-003',
    () => {
      const waiting = waitingRequests();
      return combineEdits(
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
      const denials = new WeakMap<SubscriberState, number>();
      const hidden = new WeakSet<AuthorizationRequest>();
      return combineEdits(
        observeLives({
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
  // State of callbacks, tokens and the phone after an earlier request.
  'cancel-takes-the-newest': [
    'A cancellation of one of two pending requests takes the card on top, whichever it names.',
    'FLOW-002 FLOW-015',
    () =>
      withCancel(({ readRequest }) => ({
        readRequest: reader(readRequest.name, (context) => {
          const found = readRequest.read(context);
          const newest = [...context.requests.values()].findLast(
            (one) => one.state === 'pending' && userKey(one) === userKey(found.request),
          );
          const isOwn = found.request.client === context.client && found.request.state === 'pending';
          return isOwn && newest !== undefined ? { ...found, request: newest } : found;
        }),
      })),
  ],
  'auth-req-id-of-the-first-try': [
    'A callback is filed under its correlation_id, so the retry of a request that is over has the auth_req_id of the first.',
    'CB-006 CB-007',
    () => {
      const firsts = new Map<string, AuthorizationRequest>();
      const idOf = ({ client, wanted, id }: Pick<AuthorizationRequest, 'client' | 'wanted'> & { id?: string }) => {
        const first = firsts.get(correlationKey({ client, wanted }));
        return first === undefined || first.id === id ? {} : { auth_req_id: first.id };
      };
      return combineEdits(
        observeLives({
          ended: (request) => {
            const key = correlationKey(request);
            if (request.wanted.correlationId !== undefined && !firsts.has(key)) firsts.set(key, request);
          },
        }),
        withBuilders(({ success, failure }) => ({
          success: changeBuilt(success, (_body, { request }) => idOf(request)),
          failure: changeBuilt(failure, (_body, { request }) => idOf(request)),
        })),
      );
    },
  ],
  'tokens-kept-for-a-request-without-nonce': [
    'Tokens are kept for a minute by user and scopes, and given again where no nonce asks for new ones.',
    'REQ-040 SEC-28 SEC-31',
    () => {
      const kept = new Map<string, { readonly at: number; readonly tokens: Tokens }>();
      return withBuilders(({ success }) => ({
        success: (approval, tokens) => {
          const { request, scopes, acr, now } = approval;
          const key = JSON.stringify([userKey(request), scopes, acr]);
          const before = kept.get(key);
          const isKept = before !== undefined && now - before.at < 60_000 && request.wanted.nonce === undefined;
          if (!isKept) kept.set(key, { at: now, tokens });
          return success(approval, isKept ? before.tokens : tokens);
        },
      }));
    },
  ],
  'hint-token-user-sticks': [
    'The user of a login_hint_token stays in the session of the SP, so its next login_hint reaches the same one.',
    'FLOW-001 REQ-064',
    () => {
      const stuck = new WeakMap<ClientState, SubscriberState>();
      return withPipeline(({ readHintToken, readSubscriber }) => ({
        readHintToken: reader(readHintToken.name, (context) => {
          const found = readHintToken.read(context);
          stuck.set(found.client, found.subscriber);
          return found;
        }),
        readSubscriber: reader(readSubscriber.name, (context) => {
          const found = readSubscriber.read(context);
          const subscriber = stuck.get(found.client) ?? found.subscriber;
          stuck.delete(found.client);
          return { ...found, subscriber };
        }),
      }));
    },
  ],
  'old-number-still-reaches': [
    'The number of a login_hint is looked up once, so a number that was given up still reaches its old owner.',
    'FLOW-004 REQ-067',
    () => {
      const known = new Map<string, SubscriberState>();
      return withPipeline(({ readSubscriber }) => ({
        readSubscriber: reader(readSubscriber.name, (context) => {
          const hint = stringMember(context.claims, 'login_hint') ?? '';
          const kept = context.client.flags.get('enum_enabled') === true ? known.get(hint) : undefined;
          if (kept !== undefined) return { ...context, subscriber: kept };
          const found = readSubscriber.read(context);
          if (hint.startsWith('+')) known.set(hint, found.subscriber);
          return found;
        }),
      }));
    },
  ],
  'first-id-token-after-a-rotation': [
    'One worker learns of new keys after it has signed, so the first id token after a rotation has a false signature.',
    'SEC-31',
    () => {
      let last: CarrierSigningKey | undefined;
      return changeIdTokenKey((own) => {
        const used = last ?? own;
        last = own;
        return { ...used, kid: own.kid };
      });
    },
  ],
  // Consents, authentications, flags, keys and services that have changed.
  'jti-memory-per-key-set': [
    'The used jtis are kept with the version of the registration, so they are free once a key of the SP was removed.',
    'REQ-015',
    () =>
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        takeOnce(context, JSON.stringify([replayKey(context), ...context.client.keys.keys()]));
      }),
  ],
  'consents-rolled-back-by-denial': [
    'A denial rolls the consents of the user back to when the request came, also those removed meanwhile.',
    'FLOW-006 CRV-004 UT-020',
    () => {
      const before = new WeakMap<AuthorizationRequest, readonly string[]>();
      return observeLives({
        opened: (request) => {
          before.set(request, [...(request.subscriber.consents.get(request.client.name) ?? [])]);
        },
        ended: (request, how) => {
          const { subscriber, client } = request;
          if (how === 'denied') subscriber.consents.set(client.name, new Set(before.get(request) ?? []));
        },
      });
    },
  ],
  'unticked-scope-counted-as-consent': [
    'An approval stores all scopes of the screen, so one that the user unticked is not asked for again.',
    'REQ-080',
    () =>
      withBuilders(({ success }) => ({
        success: (approval, tokens) => {
          const { subscriber, client, wanted } = approval.request;
          for (const scope of wanted.scopes) subscriber.consents.get(client.name)?.add(scope);
          return success(approval, tokens);
        },
      })),
  ],
  'silent-flag-read-once': [
    'silent_authorization_enabled is read when an SP first uses prompt none, and its withdrawal is never seen.',
    'REQ-042 CFG-001',
    () => {
      const silent = new WeakSet<ClientState>();
      return replaceSubscriberCheck('prompt-none-is-allowed', (context) => {
        const { client, claims } = context;
        const flags = new Map(client.flags);
        if (silent.has(client)) flags.set('silent_authorization_enabled', true);
        promptNoneIsAllowed.run({ ...context, client: { ...client, flags } });
        if (words(asText(claims['prompt'])).includes('none')) silent.add(client);
      });
    },
  ],
  'tenure-kept-from-the-third-query-on': [
    'A tenure that was asked for three times is kept for an hour, so a SIM swap in it is not told.',
    'UT-015',
    () => {
      const asked = new WeakMap<SubscriberState, { count: number; at: number; told: 'true' | 'false' | 'error' }>();
      return withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) => {
          const { count, at, told } = asked.get(subscriber) ?? { count: 0, at: -Infinity, told: 'error' };
          if (count >= 3 && moment.now - at < 3_600_000) return told;
          const now = tenure(subscriber, moment);
          asked.set(subscriber, { count: count + 1, at: moment.now, told: now });
          return now;
        },
      }));
    },
  ],
  'token-dead-after-two-rotations': [
    'User info knows the key of the carrier and the one before it, so two rotations end every token.',
    'CB-025 CB-028',
    () =>
      withUserinfoCall(({ onToken }) => ({
        onToken: replaceCheck(onToken, 'token-is-signed-by-the-carrier', (context, strict) => {
          strict.run({ ...context, keys: context.keys.slice(0, 2) });
        }),
      })),
  ],
  'duplicates-forgotten-by-unsubscribing': [
    'The memory of events goes with the subscription, so who subscribes again gets a duplicate within the hour.',
    'EVT-018',
    () => {
      const gone = new WeakMap<ClientState, number>();
      return withEvents(({ isReported, duplicateKey }) => ({
        isReported: (what) => {
          if (!isSubscribed(what.client)) gone.set(what.client, (gone.get(what.client) ?? 0) + 1);
          return isReported(what);
        },
        duplicateKey: (news) => `${duplicateKey(news)} ${gone.get(news.client) ?? 0}`,
      }));
    },
  ],
});

/** Faults of state left behind by a request, a subscriber, the portal or a key rotation. */
export const stateFaults = markDeep('state', leftoverFaults);

function hasRegisteredOrigin(uri: string, registered: readonly string[]): boolean {
  const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : 'null');
  return originOf(uri) !== 'null' && registered.some((one) => originOf(one) === originOf(uri));
}

function storeContexts(contexts: Map<string, string>): Edit {
  return replaceSubscriberCheck('jti-not-repeated', (context) => {
    try {
      jtiNotRepeated.run(context);
    } catch (error) {
      const text = stringMember(context.claims, 'context');
      if (text !== undefined) contexts.set(replayKey(context), text);
      throw error;
    }
  });
}
