import { createIdleOptions, type RunOptions } from '../../../engine/run-options.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { omitUndefined } from '../../../lib/json.ts';
import type { Target } from '../../../model/target.ts';
import { describeTool } from '../../../setup/paths.ts';
import type { Suites } from '../../../suite/suites.ts';
import { tamperNames } from '../../../wire/build/tamper.ts';
import { serverInitiatedProbes } from '../../exploration/exploration.ts';
import {
  breachKey,
  buildCase,
  buildCases,
  findingSignature,
  type GeneratedCase,
  type ProbeResult,
  readProbeResults,
} from '../../explore/cases.ts';
import { createGround, keepAllParts, probeKinds } from '../../explore/exploration.ts';
import { planRounds } from '../../explore/rounds.ts';
import { type TryResult, tryCases } from '../../explore/try-cases.ts';
import { warningRules } from '../../space/freedoms.ts';
import { workWithCarrier } from '../carrier-place.ts';
import type { DeepFinding, DeepJob, DeepOutcome, ThreadSettings } from '../job.ts';

/** Cases of an exploration, and the request objects sent up to and including each. */
interface Exploration {
  readonly cases: readonly GeneratedCase[];
  readonly reached: readonly number[];
  readonly requests: number;
}

function makeExploration({ seed, requests }: DeepJob, suites: Suites, target: Target): Exploration {
  const ground = createGround({ suites, target }, serverInitiated);
  const planned = planRounds({
    ground,
    probesOf: serverInitiatedProbes,
    seed,
    kinds: probeKinds,
    requests,
  });
  const cases = buildCases([...planned], 'explored');
  let sent = 0;
  const reached = cases.map(({ probe }) => {
    sent += probe.requests;
    return sent;
  });
  return { cases, reached, requests: sent };
}

const explorationCache = new Map<string, Exploration>();

/** Exploration of a job; for the reference carrier it is made once per seed. */
function cachedExploration(job: DeepJob, suites: Suites, target: Target): Exploration {
  if (job.choices !== undefined) return makeExploration(job, suites, target);
  const key = `${job.seed} ${job.requests}`;
  const known = explorationCache.get(key) ?? makeExploration(job, suites, target);
  explorationCache.set(key, known);
  return known;
}

/** Cases in one run; red ones end the exploration after it. */
const maxCasesPerRun = 40;

/** Runs some cases, and confirms what they show. */
async function runStretch(
  { exploration, places }: { readonly exploration: Exploration; readonly places: readonly number[] },
  options: RunOptions,
): Promise<StretchOutcome> {
  const cases = places.flatMap((place) => exploration.cases[place] ?? []);
  const placeOf = new Map(cases.map(({ id }, at) => [id, places[at] ?? 0]));
  const outcome = await tryCases(
    cases.map(({ json }) => json),
    { options, tampers: tamperNames },
  );
  return judgeStretch(cases, outcome, {
    reached: (id) => exploration.reached[placeOf.get(id) ?? 0] ?? 0,
    isShownAgain: (red) => rerunShowsFinding(red, options),
  });
}

/** Whether a finding recurs in a case of its own (docs/explore.md). */
async function rerunShowsFinding({ probe, shown: [first] }: ProbeResult, options: RunOptions): Promise<boolean> {
  const made = buildCase('explored-again', probe);
  if (made === undefined || first === undefined) return false;
  const outcome = await tryCases([made.json], { options, tampers: tamperNames });
  const signature = findingSignature(first);
  return readProbeResults([made], outcome).some(({ shown }) =>
    shown.some((one) => findingSignature(one) === signature),
  );
}

/** Outcome of one run of cases. */
type StretchOutcome = Pick<DeepOutcome, 'shown' | 'unjudged' | 'stopped'>;

interface StretchContext {
  /** Request objects sent up to and including a case. */
  readonly reached: (id: string) => number;
  readonly isShownAgain: (red: ProbeResult) => Promise<boolean>;
}

async function judgeStretch(
  cases: readonly GeneratedCase[],
  outcome: TryResult,
  { reached, isShownAgain: isConfirmed }: StretchContext,
): Promise<StretchOutcome> {
  const tried = cases.flatMap((one) => readProbeResults([one], outcome).map((of) => ({ one, of })));
  const unjudged = tried.reduce((sum, { of }) => sum + (of.unjudged === undefined ? 0 : of.probe.requests), 0);
  const shown: DeepFinding[] = [];
  for (const { one, of } of tried) {
    const [first] = of.shown;
    if (first === undefined || !(await isConfirmed(of))) continue;
    const title = of.probe.title(keepAllParts(of.probe));
    shown.push({
      rule: first.finding.rule,
      kind: of.probe.kind,
      title,
      finding: first.finding,
      requests: reached(one.id),
    });
  }
  return { shown, unjudged, ...omitUndefined({ stopped: outcome.stopped }) };
}

/** First finding of each breach. */
function firstPerBreach(all: readonly DeepFinding[]): readonly DeepFinding[] {
  const known = new Set<string>();
  return all.filter(({ finding }) => {
    const breach = breachKey(finding);
    const isNew = !known.has(breach);
    known.add(breach);
    return isNew;
  });
}

/** Explores a running carrier until enough is red. */
async function runStretches(job: DeepJob, exploration: Exploration, options: RunOptions): Promise<DeepOutcome> {
  const all = [...exploration.cases.keys()];
  const excused = job.choices === undefined ? new Set<string>() : warningRules(job.choices);
  let shown: readonly DeepFinding[] = [];
  let unjudged = 0;
  let stopped: string | undefined;
  for (let from = 0; from < all.length && shown.length < job.enough; from += maxCasesPerRun) {
    const places = all.slice(from, from + maxCasesPerRun);
    const some = await runStretch({ exploration, places }, options);
    const reds = some.shown.filter(({ rule, finding }) => finding.level === 'required' || !excused.has(rule));
    shown = firstPerBreach([...shown, ...reds]).slice(0, job.enough);
    unjudged += some.unjudged;
    stopped ??= some.stopped;
  }
  return { requests: exploration.requests, shown, unjudged, ...(shown.length > 0 ? {} : omitUndefined({ stopped })) };
}

/** Runs one exploration in this thread; an error becomes `stopped`. */
export async function runDeep(job: DeepJob, suites: Suites, settings: ThreadSettings): Promise<DeepOutcome> {
  try {
    return await workWithCarrier(job, settings, ({ target, journal }) => {
      const of = { interface: serverInitiated, suites, target, tool: describeTool() };
      const options = { ...createIdleOptions({ ...of, profile: 'hardened' }), journal };
      return runStretches(job, cachedExploration(job, suites, target), options);
    });
  } catch (error) {
    return { shown: [], requests: 0, unjudged: 0, stopped: errorMessage(error) };
  }
}
