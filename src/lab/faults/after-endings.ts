import { check, type MessageContext, type ObjectContext, type SubscriberContext } from '../../carrier/context.ts';
import { authorizeRequest, sendResponse } from '../../carrier/endpoints/signed-requests.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, RequestState } from '../../carrier/state/requests.ts';
import { addSubscriberCheck, changeRoute, withTraitSteps } from '../../carrier/seams/definition-parts.ts';
import { combineEdits, defineStateful, type Edit, type Fault } from '../edit/fault-table.ts';
import { changeTimeOut } from '../edit/messages.ts';
import { observeLives } from '../edit/request-life.ts';
import { dropRefused } from '../variants/requests.ts';

/** A message that fails, or a request that brings nothing, spoils the next one (C8.14). */
export const afterEndingFaults: readonly Fault[] = defineStateful({
  'message-refused-after-another-ending': [
    'A message that is refused or closes its connection spoils what a worker keeps of the last user, whose next message is refused.',
    'FLOW-001 UT-001 CFG-001',
    refuseAfterAnotherEnding,
  ],
  'request-refused-after-a-fruitless-one': [
    'A request that is denied or missed right after an approved one ends the session of the app, and the next is refused.',
    'FLOW-001',
    () => refuseAfterFruitless('denied', 'timed-out'),
  ],
  'request-dropped-after-a-missed-one': [
    'A request that is missed right after an approved one ends the session of the app, and the next is dropped after its 200.',
    'FLOW-002',
    () => combineEdits(refuseAfterFruitless('timed-out'), dropRefused('app-has-a-session')),
  ],
  'query-refused-after-a-time-out': [
    'A request that the subscriber let pass takes his consent for user traits away (C8.14).',
    'UT-001',
    refuseQueryAfterTimeOut,
  ],
  'request-dropped-after-a-cancellation': [
    'The app takes the request after a cancelled one for the cancelled one, and it is dropped after its 200 (C8.14).',
    'FLOW-002',
    () => combineEdits(refuseAfterCancellation(), dropRefused('app-has-let-go')),
  ],
});

/** Which claims a request has, how long each is, and how it came. Plain requests of one user have the same. */
function formOf({ accept, contentType, header, claims, texts }: ObjectContext): string {
  const lengths = [...texts].map(([name, text]) => [name, text.length]);
  const life = Number(claims['exp']) - Number(claims['iat']);
  return JSON.stringify([accept, contentType, Object.keys(header), lengths, life]);
}

/** The last accepted message, as a worker keeps it. */
interface Served {
  readonly subscriber: SubscriberState;
  readonly at: number;
  /** Undefined: a query of user traits. */
  readonly form?: string;
}

/** Refuses a message like the last accepted one, within a minute, if one in between ended otherwise. */
function refuseAfterAnotherEnding(): Edit {
  let [last, isSpoilt]: [Served | undefined, boolean] = [undefined, false];
  const serve = (subscriber: SubscriberState, { now: at }: MessageContext, form?: string): void => {
    const isLike = last?.subscriber === subscriber && at - last.at < 60_000 && (form ?? last.form) === last.form;
    const isRefused = isSpoilt && isLike;
    [last, isSpoilt] = [isRefused ? undefined : { subscriber, at, ...(form === undefined ? {} : { form }) }, false];
    if (isRefused) refuse('server_error', 'the worker starts again');
  };
  return combineEdits(
    addSubscriberCheck('worker-is-well', (context) => serve(context.subscriber, context, formOf(context))),
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: [...onSubscriber, check('worker-is-well', (context) => serve(context.subscriber, context))],
    })),
    changeRoute('serverInitiated', {
      methods: ['POST', 'PUT'],
      respond: async (carrier, request, reply) => {
        const isPost = request.method === 'POST';
        const response = isPost ? await authorizeRequest(carrier, request) : undefined;
        isSpoilt ||= response?.status !== 200 || request.headers.connection === 'close';
        if (response !== undefined) return sendResponse(reply, response);
        throw new Refusal('invalid_request', 'the method must be POST', { status: 405, headers: { allow: 'POST' } });
      },
    }),
  );
}

/** Refuses the third of three requests of a user in a row, if the first, which was like it, was approved and the second ended this way. */
function refuseAfterFruitless(...ends: readonly RequestState[]): Edit {
  const forms = new WeakMap<AuthorizationRequest, string>();
  let opened: readonly AuthorizationRequest[] = [];
  let form = '';
  const endsSession = ({ subscriber, client }: SubscriberContext): boolean => {
    const [first, second] = opened;
    if (first?.state !== 'completed' || second === undefined || !ends.includes(second.state)) return false;
    const areOfOne = opened.every((one) => one.subscriber === subscriber && one.client === client);
    return areOfOne && forms.get(first) === form;
  };
  return combineEdits(
    observeLives({
      opened: (request) => {
        forms.set(request, form);
        opened = [...opened.slice(-1), request];
      },
    }),
    addSubscriberCheck('app-has-a-session', (context) => {
      form = formOf(context);
      if (!endsSession(context)) return;
      opened = [];
      refuse('server_error', 'the app starts again');
    }),
  );
}

function refuseQueryAfterTimeOut(): Edit {
  const missed = new WeakSet<SubscriberState>();
  return combineEdits(
    changeTimeOut(({ request }) => {
      missed.add(request.subscriber);
      return {};
    }),
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: [
        ...onSubscriber,
        check('not-missed', ({ subscriber }) => {
          if (missed.has(subscriber)) refuse('access_denied', 'there is no consent');
        }),
      ],
    })),
  );
}

/** Refuses a user's first request after a cancelled one. */
function refuseAfterCancellation(): Edit {
  const cancelled = new WeakSet<SubscriberState>();
  return combineEdits(
    observeLives({ ended: ({ subscriber }, how) => void (how === 'cancelled' && cancelled.add(subscriber)) }),
    addSubscriberCheck('app-has-let-go', ({ subscriber }) => {
      if (cancelled.delete(subscriber)) refuse('server_error', 'the app still shows the cancelled request');
    }),
  );
}
