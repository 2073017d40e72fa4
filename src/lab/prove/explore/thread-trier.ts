import { threadId } from 'node:worker_threads';
import { createAlteredCarrier } from '../../reference/altered-carrier.ts';
import { createIdleOptions } from '../../../engine/run-options.ts';
import { slimResult, tryCases, type TryResult } from '../../explore/try-cases.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Target } from '../../../model/target.ts';
import { describeTool } from '../../../setup/paths.ts';
import type { Suites } from '../../../suite/suites.ts';
import { tamperNames } from '../../../wire/build/tamper.ts';
import type { ThreadSettings } from '../job.ts';
import { workInPlace, type CarrierPlace } from '../carrier-place.ts';

type ThreadTrier = (cases: readonly JsonObject[]) => Promise<TryResult>;

/** Tries cases against a reference carrier that lives as long as this thread. */
export function openThreadTrier(suites: Suites, { folder, faults = [] }: ThreadSettings): ThreadTrier {
  const targets = new WeakMap<CarrierPlace, Target>();
  /** A new place, after another program has taken a port, gets a new carrier. */
  const targetAt = async (place: CarrierPlace): Promise<Target> => {
    const known = targets.get(place);
    if (known !== undefined) return known;
    const { options, target } = place.prepare(undefined);
    await createAlteredCarrier({ ...options, clock: 'virtual', faults });
    targets.set(place, target);
    return target;
  };
  return (cases) =>
    workInPlace(folder, async (place) => {
      const target = await targetAt(place);
      const idle = createIdleOptions({
        interface: serverInitiated,
        suites,
        target,
        profile: 'interface',
        tool: describeTool(),
      });
      const options = { ...idle, journal: `${folder}/explored-${threadId}.jsonl` };
      return slimResult(await tryCases(cases, { options, tampers: tamperNames }));
    });
}
