import { createIdleOptions, type RunOptions } from '../../engine/run-options.ts';
import { caseOfOne, casesOf, type MadeCase, breachOf, shownBy, signatureOf, type Tried } from '../../explore/cases.ts';
import { type ExplorationGround, groundOf, allOf, kinds } from '../../explore/exploration.ts';
import { planRounds } from '../../explore/rounds.ts';
import { tryCases, type TriedCases } from '../../explore/try-cases.ts';
import { serverInitiatedProbes } from '../../interfaces/server-initiated/exploration/exploration.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { thisTool } from '../../setup/paths.ts';
import { messageOf } from '../../lib/errors.ts';
import { defined } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { type Differences, differingBy, withCarrier } from '../place.ts';
import { warnedBy } from '../space/freedoms.ts';
import type { DeepJob, DeepOutcome, DeepShown, ThreadSettings } from '../job.ts';

/** Cases of an exploration, and the request objects sent before each. */
interface Exploration {
  readonly cases: readonly MadeCase[];
  readonly before: readonly number[];
  readonly requests: number;
}

const requestsOf = ({ probes }: MadeCase): number => [...probes.values()].reduce((sum, one) => sum + one.requests, 0);

type DeepSuites = Pick<ExplorationGround, 'suites' | 'written'>;

function makeExploration({ seed, requests }: DeepJob, { suites, written }: DeepSuites, target: Target): Exploration {
  const ground = groundOf({ suites, written, target }, serverInitiated);
  const probes = planRounds({ ground, probesOf: serverInitiatedProbes, seed, strength: 2, kinds, requests });
  const cases = casesOf(probes, 'explored');
  let sent = 0;
  const before = cases.map((one) => {
    sent += requestsOf(one);
    return sent - requestsOf(one);
  });
  return { cases, before, requests: sent };
}

const made = new Map<string, Exploration>();

/** Exploration of a job; for the reference carrier it is made once per seed. */
function explorationOf(job: DeepJob, suites: DeepSuites, target: Target): Exploration {
  if (job.choices !== undefined) return makeExploration(job, suites, target);
  const key = `${job.seed} ${job.requests}`;
  const known = made.get(key) ?? makeExploration(job, suites, target);
  made.set(key, known);
  return known;
}

/** Request objects sent up to and including a probe of a case. */
function sentAt({ probes }: MadeCase, before: number, red: Tried): number {
  let sent = before;
  for (const probe of probes.values()) {
    sent += probe.requests;
    if (probe === red.probe) break;
  }
  return sent;
}

/** Cases in one run; red ones end the exploration after it. */
const together = 40;

interface Stretch {
  readonly exploration: Exploration;
  readonly places: readonly number[];
  readonly found: Differences;
  readonly differing: Record<string, number[]>;
}

/** Runs some cases, and notes in which of them traced faults differ. */
async function runStretch({ exploration, places, found, differing }: Stretch, options: RunOptions): Promise<Stretched> {
  const cases = places.flatMap((place) => exploration.cases[place] ?? []);
  const placeOf = new Map(cases.map(({ id }, at) => [id, places[at] ?? 0]));
  const outcome = await tryCases(
    cases.map(({ json }) => json),
    { options, tampers: tamperNames },
  );
  for (const [id, names] of Object.entries(differingBy(found, outcome))) {
    const place = placeOf.get(id);
    if (place === undefined) continue;
    for (const name of names) differing[name] = [...(differing[name] ?? []), place];
  }
  // The differences of these cases are noted; confirmations send other requests.
  found.clear();
  const stretched = await stretchedBy(cases, outcome, {
    before: (id) => exploration.before[placeOf.get(id) ?? 0] ?? 0,
    isShownAgain: (red) => isShownAgain(red, options),
  });
  found.clear();
  return stretched;
}

/** Whether a finding recurs in a case of its own (docs/explore.md). */
async function isShownAgain({ probe, shown: [first] }: Tried, options: RunOptions): Promise<boolean> {
  const made = caseOfOne('explored-again', probe);
  if (made === undefined || first === undefined) return false;
  const outcome = await tryCases([made.json], { options, tampers: tamperNames });
  const signature = signatureOf(first);
  return shownBy([made], outcome).some(({ shown }) => shown.some((one) => signatureOf(one) === signature));
}

/** Outcome of one run of cases. */
type Stretched = Pick<DeepOutcome, 'shown' | 'unjudged' | 'stopped'>;

interface Settling {
  /** Request objects sent before a case. */
  readonly before: (id: string) => number;
  readonly isShownAgain: (red: Tried) => Promise<boolean>;
}

async function stretchedBy(
  cases: readonly MadeCase[],
  outcome: TriedCases,
  { before, isShownAgain: isConfirmed }: Settling,
): Promise<Stretched> {
  const tried = cases.flatMap((one) => shownBy([one], outcome).map((of) => ({ one, of })));
  const unjudged = tried.reduce((sum, { of }) => sum + (of.unjudged === undefined ? 0 : of.probe.requests), 0);
  const shown: DeepShown[] = [];
  for (const { one, of } of tried) {
    const [first] = of.shown;
    if (first === undefined || !(await isConfirmed(of))) continue;
    const title = of.probe.title(allOf(of.probe));
    const requests = sentAt(one, before(one.id), of);
    shown.push({ rule: first.finding.rule, kind: of.probe.kind, title, finding: first.finding, requests });
  }
  return { shown, unjudged, ...defined({ stopped: outcome.stopped }) };
}

/** First finding of each breach. */
function unlike(all: readonly DeepShown[]): readonly DeepShown[] {
  const known = new Set<string>();
  return all.filter(({ finding }) => {
    const breach = breachOf(finding);
    const isNew = !known.has(breach);
    known.add(breach);
    return isNew;
  });
}

/** Explores a running carrier until enough is red. */
async function runAll(
  job: DeepJob,
  exploration: Exploration,
  { found, options }: { readonly found: Differences; readonly options: RunOptions },
): Promise<DeepOutcome> {
  const all = job.cases ?? [...exploration.cases.keys()];
  const excused = job.choices === undefined ? new Set<string>() : warnedBy(job.choices);
  const outcome = { differing: {}, requests: exploration.requests, cases: exploration.cases.length };
  let shown: readonly DeepShown[] = [];
  let unjudged = 0;
  let stopped: string | undefined;
  for (let from = 0; from < all.length && shown.length < job.enough; from += together) {
    const places = all.slice(from, from + together);
    const some = await runStretch({ exploration, found, places, differing: outcome.differing }, options);
    const reds = some.shown.filter(({ rule, finding }) => finding.level === 'required' || !excused.has(rule));
    shown = unlike([...shown, ...reds]).slice(0, job.enough);
    unjudged += some.unjudged;
    stopped ??= some.stopped;
  }
  return { ...outcome, shown, unjudged, ...(shown.length > 0 ? {} : defined({ stopped })) };
}

/** Runs one exploration in this thread; an error becomes `stopped`. */
export async function runDeep(job: DeepJob, suites: DeepSuites, settings: ThreadSettings): Promise<DeepOutcome> {
  try {
    return await withCarrier(job, settings, ({ target, journal, found }) => {
      const of = { interface: serverInitiated, suites: suites.suites, target, tool: thisTool() };
      const options = { ...createIdleOptions({ ...of, profile: 'hardened' }), journal };
      return runAll(job, explorationOf(job, suites, target), { found, options });
    });
  } catch (error) {
    return { shown: [], differing: {}, requests: 0, cases: 0, unjudged: 0, stopped: messageOf(error) };
  }
}
