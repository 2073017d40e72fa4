import type { Approval, Tokens } from '../../carrier/builders/tokens.ts';
import { check, type SubscriberContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, RequestState } from '../../carrier/state/requests.ts';
import { combineEdits, type Edit, freshEdit } from './fault-table.ts';
import { replaceSubscriberCheck, withBuilders, withCancel } from '../../carrier/seams/definition-parts.ts';

export const tooManyPending = 'too many requests are pending for the subscriber';

interface LifeObserver {
  /** Called before the 200 is written. */
  readonly opened?: (request: AuthorizationRequest) => void;
  /** Called before the callback is written; a cancelled request has none. */
  readonly ended?: (request: AuthorizationRequest, how: RequestState) => void;
}

/** Reports every approval before its callback is written. */
export const observeApprovals = (note: (approval: Approval, tokens: Tokens) => void): Edit =>
  withBuilders(({ success }) => ({
    success: (approval, tokens) => {
      note(approval, tokens);
      return success(approval, tokens);
    },
  }));

/** Reports when every request opens and how it ends (§3); of two such edits, the later one reports first. */
export function observeLives({ opened, ended }: LifeObserver): Edit {
  return freshEdit(() => {
    const byId = new Map<string, AuthorizationRequest>();
    return combineEdits(
      withBuilders(({ response, success, failure }) => ({
        response: (request, policy) => {
          byId.set(request.id, request);
          opened?.(request);
          return response(request, policy);
        },
        success: (approval, tokens) => {
          const request = byId.get(approval.request.id ?? '');
          if (request !== undefined) ended?.(request, 'completed');
          return success(approval, tokens);
        },
        failure: (given) => {
          ended?.(given.request, given.request.state);
          return failure(given);
        },
      })),
      withCancel(({ onRequest }) => ({
        onRequest: [...onRequest, check('cancel-is-noted', ({ request }) => ended?.(request, 'cancelled'))],
      })),
    );
  });
}

/** Requests that wait for the user, oldest first. */
export function waitingRequests(): { readonly watch: Edit; readonly list: () => readonly AuthorizationRequest[] } {
  const opened: AuthorizationRequest[] = [];
  return {
    watch: observeLives({ opened: (request) => void opened.push(request) }),
    list: () => opened.filter(({ state }) => state === 'pending'),
  };
}

/** Refuses a request if the user's waiting requests that `isAlike` accepts reach the policy's maxPending. */
export function limitAlike(isAlike: (waiting: AuthorizationRequest, context: SubscriberContext) => boolean): Edit {
  const { watch, list } = waitingRequests();
  return combineEdits(
    watch,
    replaceSubscriberCheck('few-requests-pending', (context) => {
      const alike = list().filter((one) => userKey(one) === userKey(context) && isAlike(one, context));
      if (alike.length >= context.policy.maxPending) refuse('temporarily_unavailable', tooManyPending);
    }),
  );
}

/** Key of a user of an SP. */
export function userKey({
  client,
  subscriber,
}: {
  readonly client: ClientState;
  readonly subscriber: SubscriberState;
}): string {
  return JSON.stringify([client.clientId, subscriber.name]);
}

/** Keeps in `kept` the users whose last request was denied. */
export function noteDenials(kept: WeakSet<SubscriberState>): Edit {
  return observeLives({
    ended: ({ subscriber }, how) => void (how === 'denied' ? kept.add(subscriber) : kept.delete(subscriber)),
  });
}
