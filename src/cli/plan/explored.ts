import type { Selected } from '../../engine/plan/select.ts';
import { groundOf } from '../../explore/exploration.ts';
import { isAbout, kinds, type Probe } from '../../explore/probe.ts';
import { pushesOfAll } from '../../explore/pushes.ts';
import { planRounds } from '../../explore/rounds.ts';
import { serverInitiatedProbes } from '../../interfaces/server-initiated/exploration/exploration.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { defined } from '../../lib/optional.ts';
import type { Target } from '../../model/target.ts';
import { readWritten } from '../../setup/read.ts';
import type { Suites } from '../../suite/suites.ts';
import type { planDefinition } from '../definitions/certify.ts';
import type { Given } from '../shared/command.ts';

/** What an exploration before a run would send. */
export interface PlannedExploration {
  readonly seed: string;
  /** Request objects by kind. */
  readonly requests: Readonly<Record<string, number>>;
  /** Request objects that may show on a phone, by the tag of its subscriber. */
  readonly pushes: Readonly<Record<string, number>>;
}

interface Ground {
  readonly suites: Suites;
  readonly target: Target;
  readonly selected: Selected;
}

/** Without a seed every run draws anew: what one draw sends is about what another sends. */
const anyDraw = '1';

/** What `run --explore` would send first; undefined without the flag. */
export async function planExplored(
  { explore, seed = anyDraw, requests = 5000, pushes, what, suites: dirs }: Given<typeof planDefinition>,
  { suites, target, selected }: Ground,
): Promise<PlannedExploration | undefined> {
  if (!explore) return undefined;
  const probes = planRounds({
    ground: groundOf({ suites, written: await readWritten(dirs), target }, serverInitiated),
    probesOf: serverInitiatedProbes,
    seed,
    strength: 2,
    kinds,
    requests,
    ...defined({ pushes }),
    ...(what.length === 0 ? {} : { isChosen: (probe: Probe) => isAbout(probe, selected.rules) }),
  });
  const sent = kinds.map((kind): readonly [string, number] => {
    const own = probes.filter((probe) => probe.kind === kind);
    return [kind, own.reduce((sum, one) => sum + one.requests, 0)];
  });
  return { seed, requests: Object.fromEntries(sent), pushes: Object.fromEntries(pushesOfAll(probes)) };
}
