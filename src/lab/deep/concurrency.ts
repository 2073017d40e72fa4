import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Tokens } from '../../carrier/builders/tokens.ts';
import { fewRequestsPending, jtiNotRepeated } from '../../carrier/checks/subscriber.ts';
import { readParameters } from '../../carrier/http/request.ts';
import { asText, type JsonObject, stringMember } from '../../carrier/json.ts';
import { type ClientContext, reader, type SubscriberContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, RequestState } from '../../carrier/state/requests.ts';
import { combineEdits, markDeep, defineStateful, type Edit } from '../edit/fault-table.ts';
import { observeLives } from '../edit/request-life.ts';
import { mergeMembers } from '../edit/messages.ts';
import {
  replaceSubscriberCheck,
  withBuilders,
  withEvents,
  withPipeline,
  withRoutes,
} from '../../carrier/seams/definition-parts.ts';

/** Real time in which two requests meet, in milliseconds; short, so that only chance or exploration hits it. */
export const meetingWindow = 40;

/** Delays the lookup of a request's key by `meetingWindow`, so that other requests come meanwhile; calls `note` first. */
function delayKeyLookup(note: (context: ClientContext) => void): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, async (context: ClientContext) => {
      note(context);
      await sleep(meetingWindow);
      return readKey.read(context);
    }),
  }));
}

/** Delays a route by `meetingWindow`; calls `before` and `after` around the delay. */
function delayRoute(
  name: string,
  before: (request: FastifyRequest) => void,
  after: (request: FastifyRequest) => void,
): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    const respond: typeof route.respond = async (carrier, request, reply) => {
      before(request);
      await sleep(meetingWindow);
      after(request);
      await route.respond(carrier, request, reply);
    };
    return { [name]: { ...route, respond } };
  });
}

/** Whether `at`, in real time, is less than `meetingWindow` ago. */
export function justNow(at: number | undefined): boolean {
  return at !== undefined && performance.now() - at < meetingWindow;
}

/** Lets a request be decided again within `meetingWindow` after it ended this way. */
function reopenAfter(end: RequestState): Edit {
  const endedAt = new WeakMap<AuthorizationRequest, number>();
  return combineEdits(
    observeLives({
      ended: (request, how) => {
        if (how === end && !endedAt.has(request)) endedAt.set(request, performance.now());
      },
    }),
    withBuilders(({ isOpen }) => ({
      isOpen: (request) => isOpen(request) || (request.state === end && justNow(endedAt.get(request))),
    })),
  );
}

const requestRaceFaults = defineStateful({
  // Requests handled at the same time.
  'same-object-twice-at-once': [
    'An object without jti is looked up when it comes and kept when it is accepted, so two copies at once both pass.',
    'SEC-21 REQ-015',
    () =>
      keptAfterTheKey(
        ({ claims, client, jws }) => ('jti' in claims ? undefined : JSON.stringify([client.clientId, jws.payloadText])),
        (context) => {
          if ('jti' in context.claims) jtiNotRepeated.run(context);
        },
      ),
  ],
  'pending-counted-before-the-key': [
    'Requests that wait are counted when another comes and not when it is accepted, so many at once pass the limit.',
    'SEC-46',
    () => {
      const counts = new WeakMap<JsonObject, number>();
      return combineEdits(
        delayKeyLookup(({ claims, accounts, client, countPending }) => {
          const found = accounts.findSub(stringMember(claims, 'login_hint') ?? '');
          if (found !== undefined) counts.set(claims, countPending(client, found.subscriber));
        }),
        replaceSubscriberCheck('few-requests-pending', (context) => {
          const count = counts.get(context.claims);
          fewRequestsPending.run(count === undefined ? context : { ...context, countPending: () => count });
        }),
      );
    },
  ],
  'answer-echo-of-the-request-at-once': [
    'The 200 is built from the newest request of the log, so of two at once the first has the correlation_id of the other.',
    'RSP-002',
    () => {
      let newest: string | undefined;
      return combineEdits(
        delayKeyLookup(({ claims }) => {
          newest = stringMember(claims, 'correlation_id');
        }),
        withBuilders(({ response }) => ({
          response: (request, policy) => {
            const built = response(request, policy);
            return { ...built, body: mergeMembers(built.body, { correlation_id: newest }) };
          },
        })),
      );
    },
  ],
  'user-of-the-request-at-once': [
    'The login_hint is kept with the session of the SP while the key is fetched, so two at once reach the same user.',
    'FLOW-001 REQ-064',
    () => {
      const hints = new WeakMap<ClientState, JsonObject>();
      return combineEdits(
        delayKeyLookup(({ client, claims }) => void hints.set(client, claims)),
        withPipeline(({ readSubscriber }) => ({
          readSubscriber: reader(readSubscriber.name, (context) => {
            const hint = hints.get(context.client)?.['login_hint'];
            if (hint === undefined) return readSubscriber.read(context);
            const found = readSubscriber.read({ ...context, claims: { ...context.claims, login_hint: hint } });
            return { ...found, claims: context.claims };
          }),
        })),
      );
    },
  ],
  'push-overwritten-by-one-at-once': [
    'Two pushes to one phone at the same moment have one slot, so the first is accepted and never shown.',
    'FLOW-001 FLOW-002',
    () => {
      const newest = new Map<string, JsonObject>();
      const hidden = new WeakSet<AuthorizationRequest>();
      let isOverwritten = false;
      const hintOf = ({ claims }: ClientContext): string => stringMember(claims, 'login_hint') ?? '';
      return combineEdits(
        delayKeyLookup((context) => void newest.set(hintOf(context), context.claims)),
        withBuilders(({ claims, response, card, isOpen }) => ({
          claims: (context) => {
            isOverwritten = newest.get(hintOf(context)) !== context.claims;
            return claims(context);
          },
          response: (request, policy) => {
            if (isOverwritten) hidden.add(request);
            return response(request, policy);
          },
          isOpen: (request) => isOpen(request) && !hidden.has(request),
          card: (request, authentication) => {
            const shown = card(request, authentication);
            return hidden.has(request) ? { ...shown, shown: false } : shown;
          },
        })),
      );
    },
  ],
  // Decisions and calls of other endpoints at the same time.
  'approval-right-after-denial': [
    'A denial is written a moment after it was made, so an approval on another device meanwhile is delivered as well.',
    'FLOW-003 FLOW-014',
    () => reopenAfter('denied'),
  ],
  'approval-lost-while-a-cancel-runs': [
    'A cancellation holds the callbacks of its request back, and forgets one that came up before it was refused.',
    'FLOW-002',
    () => {
      const cancelling = new Set<string>();
      return combineEdits(
        delayRoute(
          'cancel',
          (request) => void cancelling.add(asText(readParameters(request)['auth_req_id'])),
          (request) => void cancelling.delete(asText(readParameters(request)['auth_req_id'])),
        ),
        withBuilders(({ callbackCopies }) => ({
          callbackCopies: (body) =>
            cancelling.has(stringMember(body, 'auth_req_id') ?? '') ? 0 : callbackCopies(body),
        })),
      );
    },
  ],
  'approval-of-the-last-second-and-time-out': [
    'The timer of a request is armed a second ahead, so an approval in its last second is followed by a time-out.',
    'FLOW-014 FLOW-015 CB-019',
    () => {
      const late = new WeakSet<AuthorizationRequest>();
      return combineEdits(
        observeLives({
          opened: (request) => {
            const stop = request.cancelTimeOut;
            request.cancelTimeOut = () => {
              if (!late.has(request)) stop();
            };
          },
        }),
        withBuilders(({ authentication }) => ({
          authentication: (request, policy, now) => {
            if (request.receivedAt + request.granted * 1000 - now < 1000) late.add(request);
            return authentication(request, policy, now);
          },
        })),
      );
    },
  ],
  'tokens-of-the-approval-at-once': [
    'Two users of an SP who approve at the same moment are served from one buffer, so both callbacks have one token.',
    'SEC-31 SEC-28',
    () => {
      const last = new WeakMap<
        ClientState,
        { readonly at: number; readonly of: SubscriberState; readonly tokens: Tokens }
      >();
      return withBuilders(({ success }) => ({
        success: (approval, tokens) => {
          const { client, subscriber } = approval.request;
          const before = last.get(client);
          last.set(client, { at: performance.now(), of: subscriber, tokens });
          const isShared = before !== undefined && before.of !== subscriber && justNow(before.at);
          return success(approval, isShared ? before.tokens : tokens);
        },
      }));
    },
  ],
  'correlation-id-of-the-connection': [
    'A correlation_id is kept with the connection, so the next request on it that has none gets that of the last.',
    'RSP-002',
    () => {
      const kept = new WeakMap<object, string>();
      let connection: object = kept;
      return combineEdits(
        withRoutes(({ serverInitiated }) => {
          if (serverInitiated === undefined) return {};
          const respond: typeof serverInitiated.respond = (carrier, request, reply) => {
            connection = request.raw.socket;
            return serverInitiated.respond(carrier, request, reply);
          };
          return { serverInitiated: { ...serverInitiated, respond } };
        }),
        withBuilders(({ response }) => ({
          response: (request, policy) => {
            const built = response(request, policy);
            const echoed = request.wanted.correlationId ?? kept.get(connection);
            if (echoed !== undefined) kept.set(connection, echoed);
            return { ...built, body: mergeMembers(built.body, { correlation_id: echoed }) };
          },
        })),
      );
    },
  ],
  'events-confirmed-in-batches': [
    'Events of one second for an SP are a batch, and the first response decides whether all of them were received.',
    'EVT-013 EVT-015',
    () => {
      const decided = new Map<string, boolean>();
      return withEvents(({ confirms }) => ({
        confirms: (status, attempt, news) => {
          const key = JSON.stringify([news.client.clientId, Math.floor(news.now / 1000), attempt]);
          const isConfirmed = decided.get(key) ?? confirms(status, attempt, news);
          decided.set(key, isConfirmed);
          return isConfirmed;
        },
      }));
    },
  ],
  'user-info-of-the-call-at-once': [
    'Calls of user info at the same moment are taken for one, so the token of the newest serves all of them.',
    'SEC-34 SEC-33',
    () => {
      let newest: string | undefined;
      return delayRoute(
        'userinfo',
        ({ headers }) => {
          newest = headers.authorization ?? newest;
        },
        ({ raw }) => {
          if (raw.headers.authorization !== undefined && newest !== undefined) raw.headers.authorization = newest;
        },
      );
    },
  ],
});

/** Faults of simultaneous requests, decisions and calls. */
export const concurrencyFaults = markDeep('concurrency', requestRaceFaults);

/** Looks a request object up before its key is fetched, and keeps it after all other checks. */
function keptAfterTheKey(
  keyOf: (context: ClientContext) => string | undefined,
  also: (context: SubscriberContext) => void,
): Edit {
  const kept = new Map<string, number>();
  const seen = new WeakSet<JsonObject>();
  return combineEdits(
    delayKeyLookup((context) => {
      const at = kept.get(keyOf(context) ?? '');
      if (at !== undefined && context.now - at <= context.policy.jtiWindow * 1000) seen.add(context.claims);
    }),
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      if (seen.has(context.claims)) refuse('invalid_request', 'the request object was sent before');
      also(context);
      const key = keyOf(context);
      if (key !== undefined) kept.set(key, context.now);
    }),
  );
}
