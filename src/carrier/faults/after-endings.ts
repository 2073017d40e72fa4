import { check } from '../pipeline/step.ts';
import type { MessageContext } from '../pipeline/context.ts';
import type { Policy } from '../policy.ts';
import { refuse } from '../refusal.ts';
import type { Subscriber } from '../state/accounts.ts';
import { dropping } from '../variants/requests.ts';
import { all, defineFaults, type Edit, type Fault } from './edit/define.ts';
import { failing } from './edit/messages.ts';
import { withExtra, withLastCheck, withPipeline, withTraitSteps } from './edit/parts.ts';

/** A worker that is left broken by one message, and refuses the next. */
interface Worker {
  broken: boolean;
}

function refuseOnce(worker: Worker): void {
  if (!worker.broken) return;
  worker.broken = false;
  refuse('server_error', 'the worker starts again');
}

/** Refuses the request after one that is so, once it is read. */
function refusedAfter(isSo: (message: MessageContext) => boolean): Edit {
  const worker: Worker = { broken: false };
  const watch = check('worker-sees-the-message', (message: MessageContext) => {
    worker.broken ||= isSo(message);
  });
  return all(
    withPipeline(({ onMessage }) => ({ onMessage: [watch, ...onMessage] })),
    withExtra('worker-is-well', () => refuseOnce(worker)),
  );
}

/** Seconds that a request object is old which breaks the worker. */
const veryOld = 80_000;

function queryRefusedAfterAStaleRequest(): Edit {
  const worker: Worker = { broken: false };
  return all(
    withPipeline(({ onClaims }) => ({
      onClaims: [
        check('worker-sees-the-age', ({ claims, now }) => {
          worker.broken = now / 1000 - Number(claims['iat']) > veryOld;
        }),
        ...onClaims,
      ],
    })),
    withTraitSteps(({ onClaims }) => ({ onClaims: [...onClaims, check('worker-is-well', () => refuseOnce(worker))] })),
  );
}

/** Subscribers whose sign-in a step refuses: it was for prompt login, and ended so. The next request of each finds it. */
function afterSignIn(name: string, ends: (policy: Policy) => string): Edit {
  const ended = new WeakSet<Subscriber>();
  return (definition) =>
    all(
      failing((_, { request, error }) => {
        if (request.wanted.prompt.includes('login') && error === ends(definition.policy)) ended.add(request.subscriber);
        return {};
      }),
      withLastCheck(name, ({ subscriber }) => {
        if (ended.delete(subscriber)) refuse('server_error', 'the app starts again');
      }),
    )(definition);
}

/** Faults that show at the second request, not at the first: C8.14. */
export const afterEndingFaults: readonly Fault[] = defineFaults({
  'request-refused-after-an-empty-body': [
    'An empty body breaks a worker, which refuses the next request (C8.14).',
    'FLOW-001',
    refusedAfter(({ bytes }) => bytes.length === 0),
    { stateful: true },
  ],
  'query-refused-after-a-stale-request': [
    'A request object of yesterday breaks a worker, which refuses the next query of user traits (C8.14).',
    'UT-001',
    queryRefusedAfterAStaleRequest(),
    { stateful: true },
  ],
  'request-refused-after-a-denied-sign-in': [
    'A sign-in that the subscriber denied leaves the app without a session, and the next request is refused (C8.14).',
    'FLOW-001',
    afterSignIn('app-has-a-session', ({ deniedError }) => deniedError),
    { stateful: true },
  ],
  'request-dropped-after-a-missed-sign-in': [
    'A sign-in that timed out leaves the app without a session, and the next request is dropped after its 200 (C8.14).',
    'FLOW-002',
    all(
      afterSignIn('app-has-a-session', ({ timedOutError }) => timedOutError),
      dropping('app-has-a-session'),
    ),
    { stateful: true },
  ],
});
