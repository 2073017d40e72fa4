import { threadId } from 'node:worker_threads';
import { createCarrier } from '../../carrier/create-carrier.ts';
import { createIdleOptions } from '../../engine/run-options.ts';
import { slimmed, tryCases, type TriedCases } from '../../explore/try-cases.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { thisTool } from '../../setup/paths.ts';
import type { Suites } from '../../suite/suites.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import type { ThreadSettings } from '../job.ts';
import { inPlace, type Place } from '../place.ts';

type TryHere = (cases: readonly JsonObject[]) => Promise<TriedCases>;

/** Tries cases against a reference carrier that lives as long as this thread. */
export function openHere(suites: Suites, { folder, faults = [] }: ThreadSettings): TryHere {
  const targets = new WeakMap<Place, Target>();
  /** A new place, after another program has taken a port, gets a new carrier. */
  const targetAt = async (place: Place): Promise<Target> => {
    const known = targets.get(place);
    if (known !== undefined) return known;
    const { options, target } = place.prepare(undefined);
    await createCarrier({ ...options, clock: 'virtual', faults });
    targets.set(place, target);
    return target;
  };
  return (cases) =>
    inPlace(folder, async (place) => {
      const target = await targetAt(place);
      const idle = createIdleOptions({ interface: serverInitiated, suites, target, profile: 'interface', tool: thisTool() });
      const options = { ...idle, journal: `${folder}/explored-${threadId}.jsonl` };
      return slimmed(await tryCases(cases, { options, tampers: tamperNames }));
    });
}
