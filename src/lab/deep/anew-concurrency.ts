import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientContext, type ProofContext, reader } from '../../carrier/context.ts';
import { asText, type Json, stringMember } from '../../carrier/json.ts';
import { refuse } from '../../carrier/refusal.ts';
import { withBuilders, withEvents, withPipeline, withTraitSteps } from '../../carrier/seams/definition-parts.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { combineEdits, defineStateful, type Edit, markDeep } from '../edit/fault-table.ts';
import { observeLives, userKey } from '../edit/request-life.ts';
import { justNow, meetingWindow } from './concurrency.ts';

/** Holds a request for `meetingWindow` where its key is looked up; `enter` and `leave` run before and after. */
function holdKeyLookup(
  enter: (context: ClientContext) => void,
  leave: (context: ClientContext) => ClientContext = (context) => context,
): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, async (context: ClientContext) => {
      enter(context);
      await sleep(meetingWindow);
      const { key } = await readKey.read(leave(context));
      return { ...context, key };
    }),
  }));
}

const requestRaces = defineStateful({
  'key-of-the-sp-at-once': [
    'The cache of keys has one slot for the SP that is looked up, so of two SPs at once both get the key of the second.',
    'FLOW-001 HDR-001',
    () => {
      let newest: ClientState | undefined;
      return holdKeyLookup(
        ({ client }) => {
          newest = client;
        },
        (context) => ({ ...context, client: newest ?? context.client }),
      );
    },
  ],
  'one-request-of-a-user-at-once': [
    'The carrier locks a user while it handles a request, and refuses the next one of its SP instead of waiting.',
    'FLOW-001 FLOW-002',
    () => {
      const locked = new Set<string>();
      const lockOf = ({ client, claims }: ClientContext): string =>
        JSON.stringify([client.clientId, asText(claims['login_hint'])]);
      return holdKeyLookup(
        (context) => {
          if (locked.has(lockOf(context))) refuse('invalid_request', 'a request of the subscriber is being handled');
          locked.add(lockOf(context));
        },
        (context) => {
          locked.delete(lockOf(context));
          return context;
        },
      );
    },
  ],
  'jti-taken-by-a-forgery-at-once': [
    'A jti is reserved before the signature is verified, so a forged object keeps out the true one that comes meanwhile.',
    'FLOW-001 REQ-014',
    () => {
      const reserved = new Set<string>();
      const keyOf = ({ client, claims }: ClientContext): string | undefined => {
        const jti = stringMember(claims, 'jti');
        return jti === undefined ? undefined : JSON.stringify([client.clientId, jti]);
      };
      return holdKeyLookup(
        (context) => {
          const key = keyOf(context);
          if (key === undefined) return;
          if (reserved.has(key)) refuse('invalid_request', 'the request object was sent before');
          reserved.add(key);
        },
        (context) => {
          reserved.delete(keyOf(context) ?? '');
          return context;
        },
      );
    },
  ],
  'auth-req-id-of-the-same-moment': [
    'The generator of ids starts anew for each request, from the clock and the state, so two at once get one id.',
    'RSP-004 SEC-23',
    () => {
      const made = new Map<string, { readonly id: string; readonly at: number }>();
      return combineEdits(
        holdKeyLookup(() => undefined),
        withBuilders(({ authReqId }) => ({
          authReqId: (wanted) => {
            const seed = JSON.stringify([wanted.state ?? null, wanted.scopes]);
            const before = made.get(seed);
            if (before !== undefined && performance.now() - before.at < 5) return before.id;
            const id = authReqId(wanted);
            made.set(seed, { id, at: performance.now() });
            return id;
          },
        })),
      );
    },
  ],
  'timer-shared-by-two-at-once': [
    'Requests of a user that come at the same moment have one timer, which ends with the first of them.',
    'FLOW-012 FLOW-013',
    () => {
      const last = new Map<string, { readonly request: AuthorizationRequest; readonly at: number }>();
      return combineEdits(
        holdKeyLookup(() => undefined),
        observeLives({
          opened: (request) => {
            const before = last.get(userKey(request));
            last.set(userKey(request), { request, at: performance.now() });
            if (before === undefined || !justNow(before.at)) return;
            const stops = [before.request.cancelTimeOut, request.cancelTimeOut];
            const stopBoth = (): void => {
              for (const stop of stops) stop();
            };
            before.request.cancelTimeOut = stopBoth;
            request.cancelTimeOut = stopBoth;
          },
        }),
      );
    },
  ],
});

const serviceRaces = defineStateful({
  'tenure-of-the-query-at-once': [
    'The sub of a query waits in the session of the SP for the subscriber service, so two at once ask for one user.',
    'UT-015 UT-016',
    () => {
      const newest = new WeakMap<ClientState, Json>();
      return withTraitSteps(({ readSubscriber }) => ({
        readSubscriber: reader(readSubscriber.name, async (context: ProofContext) => {
          newest.set(context.client, context.body['sub'] ?? null);
          await sleep(meetingWindow);
          const sub = newest.get(context.client) ?? null;
          return readSubscriber.read({ ...context, body: { ...context.body, sub } });
        }),
      }));
    },
  ],
  'approval-lost-beside-a-denial': [
    'A denial closes the screen of the phone, and the approval of another request at the same moment fails with it.',
    'FLOW-002 FLOW-017',
    () => {
      const denied = new Map<string, number>();
      return combineEdits(
        observeLives({
          ended: (request, how) => {
            if (how === 'denied') denied.set(userKey(request), performance.now());
          },
        }),
        withBuilders(({ mayComplete }) => ({
          mayComplete: (request) => mayComplete(request) && !justNow(denied.get(userKey(request))),
        })),
      );
    },
  ],
  'jti-of-the-event-at-once': [
    'The jti of an event is made from the SP and the tick of the clock, so two users at once give two events one jti.',
    'EVT-028',
    () => {
      const last = new WeakMap<
        ClientState,
        { readonly at: number; readonly of: SubscriberState; readonly jti: Json | undefined }
      >();
      return withEvents(({ claims }) => ({
        claims: (news) => {
          const built = claims(news);
          const before = last.get(news.client);
          const isShared = before?.jti !== undefined && before.of !== news.subscriber && justNow(before.at);
          const jti = isShared ? before.jti : built['jti'];
          last.set(news.client, { at: performance.now(), of: news.subscriber, jti });
          return jti === undefined ? built : { ...built, jti };
        },
      }));
    },
  ],
});

/** Faults of calls and decisions that meet, written from the interface alone. */
export const anewConcurrencyFaults = markDeep('concurrency', [...requestRaces, ...serviceRaces]);
