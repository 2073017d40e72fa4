import type { Tokens } from '../../builders/tokens.ts';
import { parametersOf } from '../../http/request.ts';
import { asText, stringMember } from '../../json.ts';
import type { Client, Subscriber } from '../../state/accounts.ts';
import type { AuthorizationRequest, RequestState } from '../../state/requests.ts';
import { all, type Edit } from '../edit/define.ts';
import { merged } from '../edit/messages.ts';
import { withBuilders, withEvents, withRoutes } from '../edit/parts.ts';
import { defineRemembering, watching } from './lives.ts';
import { justNow, whileRouteWaits } from './races.ts';

/** Decisions and calls of other endpoints at the same moment. */
export const outcomeRaceFaults = defineRemembering('concurrency', {
  'approval-right-after-denial': [
    'A denial is written a moment after it was made, so an approval on another device meanwhile is delivered as well.',
    'FLOW-003 FLOW-014',
    () => openAgainAfter('denied'),
  ],
  'approval-lost-while-a-cancel-runs': [
    'A cancellation holds the callbacks of its request back, and forgets one that came up before it was refused.',
    'FLOW-002',
    () => {
      const cancelling = new Set<string>();
      return all(
        whileRouteWaits(
          'cancel',
          (request) => void cancelling.add(asText(parametersOf(request)['auth_req_id'])),
          (request) => void cancelling.delete(asText(parametersOf(request)['auth_req_id'])),
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
      return all(
        watching({
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
      const last = new WeakMap<Client, { readonly at: number; readonly of: Subscriber; readonly tokens: Tokens }>();
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
      return all(
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
            return { ...built, body: merged(built.body, { correlation_id: echoed }) };
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
      return whileRouteWaits(
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

/** For a moment after it has ended in this way, a request can still be decided. */
function openAgainAfter(end: RequestState): Edit {
  const endedAt = new WeakMap<AuthorizationRequest, number>();
  return all(
    watching({
      ended: (request, how) => {
        if (how === end && !endedAt.has(request)) endedAt.set(request, performance.now());
      },
    }),
    withBuilders(({ isOpen }) => ({
      isOpen: (request) => isOpen(request) || (request.state === end && justNow(endedAt.get(request))),
    })),
  );
}
