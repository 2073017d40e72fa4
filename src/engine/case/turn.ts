import type { OpenHours } from '../clock/open-hours.ts';
import type { LockRequest, Scheduler } from '../clock/scheduler.ts';
import { casePlaces } from './locks.ts';

interface TurnRequest {
  /** Id of the case. */
  readonly id: string;
  readonly subscriber: string;
  readonly wants: readonly LockRequest[];
  /** Seconds after its beginning at which it reaches a phone or a person. */
  readonly reaches: () => readonly number[];
}

interface TurnServices {
  readonly locks: Pick<Scheduler, 'take'>;
  readonly places?: Pick<Scheduler, 'take'>;
  readonly hours?: OpenHours;
}

interface Turn {
  readonly releaseLocks: () => void;
  readonly releasePlace: () => void;
}

/** Waits for the locks and a place of a case, within the hours. Throws Quarantined and Interrupted. */
export async function takeTurn(
  { id, subscriber, wants, reaches }: TurnRequest,
  { locks, places, hours }: TurnServices,
): Promise<Turn> {
  const label = { case: id, for: 'its locks' };
  for (;;) {
    await hours?.wait(reaches(), id);
    const releaseLocks = await locks.take(wants, label);
    const releasePlace = await places?.take(casePlaces(subscriber), label);
    const turn = { releaseLocks, releasePlace: () => releasePlace?.() };
    if (hours === undefined || hours.allow(reaches())) return turn;
    // It waited past the hours for its locks.
    turn.releasePlace();
    turn.releaseLocks();
  }
}
