import { fewRequestsPending, jtiNotRepeated } from '../../checks/subscriber.ts';
import { type JsonObject, stringMember } from '../../json.ts';
import type { ClientContext, SubscriberContext } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import { refuse } from '../../refusal.ts';
import type { Client } from '../../state/accounts.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { all, type Edit } from '../edit/define.ts';
import { merged } from '../edit/messages.ts';
import { insteadOfLast, withBuilders, withPipeline } from '../edit/parts.ts';
import { outcomeRaceFaults } from './concurrency-outcomes.ts';
import type { DeepFault } from './define.ts';
import { defineRemembering } from './lives.ts';
import { whileKeyIsFetched } from './races.ts';

/** Requests that are worked on at the same moment. */
const requestRaceFaults = defineRemembering('concurrency', {
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
      return all(
        whileKeyIsFetched(({ claims, accounts, client, countPending }) => {
          const found = accounts.findSub(stringMember(claims, 'login_hint') ?? '');
          if (found !== undefined) counts.set(claims, countPending(client, found.subscriber));
        }),
        insteadOfLast('few-requests-pending', (context) => {
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
      return all(
        whileKeyIsFetched(({ claims }) => {
          newest = stringMember(claims, 'correlation_id');
        }),
        withBuilders(({ response }) => ({
          response: (request, policy) => {
            const built = response(request, policy);
            return { ...built, body: merged(built.body, { correlation_id: newest }) };
          },
        })),
      );
    },
  ],
  'user-of-the-request-at-once': [
    'The login_hint is kept with the session of the SP while the key is fetched, so two at once reach the same user.',
    'FLOW-001 REQ-064',
    () => {
      const hints = new WeakMap<Client, JsonObject>();
      return all(
        whileKeyIsFetched(({ client, claims }) => void hints.set(client, claims)),
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
      return all(
        whileKeyIsFetched((context) => void newest.set(hintOf(context), context.claims)),
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
});

/** What requests, decisions and calls at the same moment do to each other. */
export const concurrencyFaults: readonly DeepFault[] = [...requestRaceFaults, ...outcomeRaceFaults];

/** Looks an object up before its key is fetched, and keeps it after all other checks. */
function keptAfterTheKey(
  keyOf: (context: ClientContext) => string | undefined,
  also: (context: SubscriberContext) => void,
): Edit {
  const kept = new Map<string, number>();
  const seen = new WeakSet<JsonObject>();
  return all(
    whileKeyIsFetched((context) => {
      const at = kept.get(keyOf(context) ?? '');
      if (at !== undefined && context.now - at <= context.policy.jtiWindow * 1000) seen.add(context.claims);
    }),
    insteadOfLast('jti-not-repeated', (context) => {
      if (seen.has(context.claims)) refuse('invalid_request', 'the request object was sent before');
      also(context);
      const key = keyOf(context);
      if (key !== undefined) kept.set(key, context.now);
    }),
  );
}
