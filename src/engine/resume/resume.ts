import { CarrierspecError } from '../../model/problem.ts';
import type { RecordCipher } from '../../wire/record/encrypt.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { RunOptions } from '../run-options.ts';
import type { World } from '../context/case-context.ts';
import { type Left, nothingLeft, recover } from './recover.ts';
import { denyPending, undoChanges } from './undo-changes.ts';

/**
 * Takes in what an interrupted run had found, and undoes what its cases had changed. `ids` are the cases of this run in their
 * order. Throws where a change cannot be undone.
 */
export async function resumeRun(
  ids: readonly string[],
  world: World,
  { seal, options }: { readonly seal: RecordCipher; readonly options: RunOptions },
): Promise<Left> {
  const { resume: interrupted, suites } = options;
  if (interrupted === undefined) return nothingLeft;
  const { unsolicited, correlationKeys, ...left } = recover(interrupted, ids, {
    seal,
    invariants: world.invariants,
    correlation: world.interface.correlation,
  });
  world.state.unsolicited.push(...unsolicited);
  for (const one of correlationKeys) world.correlator.disown(one);
  for (const { exchanges, deliveries } of interrupted.cases.values()) {
    world.state.exchanges += exchanges;
    world.state.deliveries += deliveries;
  }
  try {
    const changes = await undoChanges(left.changes, suites, world);
    return { ...left, changes, requests: await denyPending(left.requests, suites, world) };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const message =
      '--resume: interrupted while it undid what the run that was cut off had changed; its journal is as it was';
    throw new CarrierspecError(message, { code: 'interrupted', cause: error });
  }
}
