import { check } from '../pipeline/step.ts';
import type { MessageContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { all, defineFaults, type Edit, type Fault } from './edit/define.ts';
import { withExtra, withPipeline, withTraitSteps } from './edit/parts.ts';

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
});
