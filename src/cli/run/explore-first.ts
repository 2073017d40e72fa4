import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { select } from '../../engine/plan/select.ts';
import { isAbout, type Probe } from '../../explore/probe.ts';
import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import type { ExplorationSummary } from '../../model/exploration.ts';
import type { Target } from '../../model/target.ts';
import { readSuites } from '../../setup/read.ts';
import type { Suites } from '../../suite/suites.ts';
import type { runDefinition } from '../definitions/certify.ts';
import { type ExploredCarrier, exploreCarrier } from '../explore/exploring.ts';
import { type WrittenFinding, writeFindings } from '../explore/write.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { renderFlags } from '../shared/flags.ts';
import type { Invocation } from '../shared/invocation.ts';
import { idleRun } from '../shared/setup.ts';

type RunFlags = Given<typeof runDefinition>;

/** Without a budget. */
const longestSeconds = 600;

/** What a run is made of: all suites, and those without the areas that `--without` names. */
export interface Ground {
  readonly shipped: Suites;
  readonly suites: Suites;
  readonly target: Target;
  /** Of the run. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface Explored extends Pick<Ground, 'shipped' | 'suites'> {
  readonly given: RunFlags;
  readonly explored: ExplorationSummary | undefined;
}

/** Explores the carrier, within half of the budget, and keeps the findings as they come. Its journals go. */
async function explore(
  given: RunFlags,
  ground: Ground,
  { invocation, keep }: { readonly invocation: Invocation; readonly keep: Keep },
): Promise<ExploredCarrier> {
  const { suites: dirs, what, level, seed, requests = 5000, budget } = given;
  const { suites, target, signal } = ground;
  const selected = select(suites, { what, level }, suggestNames);
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-'));
  const journal = join(folder, 'journal.jsonl');
  const options = { ...idleRun({ suites, target }), journal, outlives: given.target !== undefined, signal };
  try {
    return await exploreCarrier(
      {
        ...defined({ seed, pushes: given.pushes }),
        ...(given.target === undefined ? { embedded: { faults: given.fault } } : {}),
        suites: dirs,
        strength: 2,
        requests,
        seconds: budget === undefined ? longestSeconds : budget.seconds / 2,
        onReached: ({ explored, seed: drawn }) => void keep({ found: explored.found, seed: drawn }),
        ...(what.length === 0 ? {} : { isChosen: (probe: Probe) => isAbout(probe, selected.rules) }),
      },
      { suites, target, options },
      invocation,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const area = 'explored';

/** Writes the findings as suites. */
type Keep = (explored: Pick<ExploredCarrier, 'found' | 'seed'>) => readonly WrittenFinding[];

/** What was found before the run is cases of the run, in an area of its own. */
export async function withExplored(given: RunFlags, ground: Ground, invocation: Invocation): Promise<Explored> {
  const { shipped, suites, folder } = ground;
  const keep: Keep = ({ found, seed }) => {
    const below = join(folder, `exploration-${seed}`, area);
    if (found.length > 0) mkdirSync(below, { recursive: true });
    return writeFindings(found, { folder: below, seed, flags: renderFlags(given) });
  };
  const ended = await explore(given, ground, { invocation, keep });
  const { seed, seconds, requests, unconfirmed, unjudged, stopped } = ended;
  const findings = keep(ended);
  const words = findings.length === 0 ? 'nothing was found' : `${countOf(findings.length, 'case')} of the area ${area}`;
  invocation.stderr.write(`explored in ${seconds.toFixed(1)} s: ${words}\n`);
  const explored = {
    seed,
    requests,
    unconfirmed: unconfirmed.length,
    unjudged: unjudged.count,
    findings: findings.map(({ id }) => id),
    ...defined({ stopped }),
  };
  if (findings.length === 0) return { given, shipped, suites, explored };
  const more = {
    ...given,
    what: given.what.length === 0 ? given.what : [...given.what, area],
    suites: [...given.suites, ...findings.map(({ file }) => file)],
  };
  const all = await readSuites(more.suites);
  return { given: more, shipped: all, suites: withoutAreas(all, given.without), explored };
}
