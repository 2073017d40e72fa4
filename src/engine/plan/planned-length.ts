import type { PlannedLength } from '../../model/progress.ts';
import { startOrder, type Way } from './order.ts';
import { pathOf } from './path.ts';
import { bookRun, lengthOf } from './schedule.ts';
import type { Timed } from './timed.ts';

/** How long these cases are planned to take in real time, and the path that keeps them from being over sooner. */
export async function planLength(cases: readonly Timed[], way: Way): Promise<PlannedLength> {
  const booked = await bookRun(startOrder(cases, way), way);
  const path = pathOf(booked).map(({ planned, ends }) => ({ case: planned.case.id, ends }));
  return { seconds: lengthOf(booked), path };
}
