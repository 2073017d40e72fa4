import type { ResponseObservation } from '../../judge/observation.ts';
import type { Driver } from '../../model/target.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import type { World } from '../context/world.ts';
import { drive } from './drive.ts';
import type { Driven } from './driver.ts';

/** Denies a request by its own answer: of a step that is done several times each has one. Undefined where the driver does not work. */
export async function denyRequest(
  { step, response }: { readonly step: string; readonly response: ResponseObservation },
  driver: Driver,
  ctx: CaseContext,
  world: World,
): Promise<Driven | undefined> {
  ctx.traces.set(step, response);
  try {
    return await drive({ action: 'deny', driver, of: step, given: {} }, `end of ${step}`, ctx, world);
  } catch (error) {
    if (error instanceof Unmet) return undefined;
    throw error;
  }
}
