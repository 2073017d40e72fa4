import { CarrierspecError } from '../../model/problem.ts';
import type { Seal } from '../../wire/seal.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { Journal } from '../journal.ts';
import type { Planned } from '../plan/plan.ts';
import type { RunOptions } from '../run-options.ts';
import type { RecoveryRecord } from '../world/aside.ts';
import type { World } from '../world/world.ts';
import { denyAfterKill, type Left, takeBackAfterKill } from './after-kill.ts';
import { restore } from './resume.ts';

export const encrypted = (seal: Seal, recoveryRecord: RecoveryRecord): string =>
  seal.close(JSON.stringify(recoveryRecord));

export const nothing: Left = { changes: [], requests: [], unanswered: [] };

/** Goes on where a run was cut off: takes in what it had found, and takes back what it had changed. */
export async function goOn(plan: readonly Planned[], world: World, seal: Seal, options: RunOptions): Promise<Left> {
  const { resume: kept, suites } = options;
  if (kept === undefined) return nothing;
  const { unsolicited, correlationKeys, ...left } = restore(kept, indexesOf(plan), {
    seal,
    invariants: world.invariants,
  });
  world.unsolicited.push(...unsolicited);
  for (const one of correlationKeys) world.correlator.disown(one);
  for (const { exchanges, deliveries } of kept.cases.values()) {
    world.counts.exchanges += exchanges;
    world.counts.deliveries += deliveries;
  }
  try {
    const changes = await takeBackAfterKill(left.changes, suites, world);
    return { ...left, changes, requests: await denyAfterKill(left.requests, suites, world) };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const message =
      '--resume: interrupted while what the run that was cut off had changed was taken back; its journal is as it was';
    throw new CarrierspecError(message, { code: 'interrupted', cause: error });
  }
}

export const indexesOf = (plan: readonly Planned[]): ReadonlyMap<string, number> =>
  new Map(plan.map((planned, index) => [planned.case.id, index]));

/** Notes what has just been taken back: nobody is to do it once more. */
export function noteTakenBack({ changes }: Left, { keep }: World): void {
  for (const { id, undoneAt } of changes) if (undoneAt !== undefined) keep?.({ what: 'undone', id, at: undoneAt });
}

/** Keeps with the journal what a run that goes on from here needs: what is about to be changed, and what nobody asked for. */
export function keepRecoveryRecords(
  opened: World,
  journal: Journal,
  seal: Seal | undefined,
): { world: World; beat: () => void } {
  if (seal === undefined) return { world: opened, beat: journal.beat };
  let unsolicited = opened.unsolicited.length;
  const keep = (recoveryRecord: RecoveryRecord): void => journal.addEncrypted(encrypted(seal, recoveryRecord));
  const beat = (): void => {
    for (const unsolicitedDelivery of opened.unsolicited.slice(unsolicited))
      keep({ what: 'unsolicited', unsolicitedDelivery });
    unsolicited = opened.unsolicited.length;
    journal.beat();
  };
  return { world: { ...opened, keep }, beat };
}
