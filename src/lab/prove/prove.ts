import { type FindingContext, reproducingSelection } from '../../model/result.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { renderRuleRef, type RuleRef } from '../../model/rule.ts';
import type { Suites } from '../../suite/suites.ts';
import { runOppositeCarriers, proveOnOpposite } from './opposite-carriers.ts';
import { isRedVerdict, type Proof, type Subject } from './catalogue.ts';
import { chooseCases, detectingCases } from './choose-cases.ts';
import type { JobOutcome } from './job.ts';
import { type CleanJudgement, judgeClean, judgeSubject } from './judge-subject.ts';
import { type MatrixRows, redIds } from './matrix.ts';
import type { RunPool } from './pool.ts';
import type { Freedom } from '../space/freedoms-grammar.ts';

/** Finding, with the case or invariant that found it. */
interface JudgedFinding extends FindingContext {
  readonly judge: string;
}

const breaksDeclaredRule = (finding: Finding, { breaks }: Subject): boolean =>
  finding.level !== 'informational' && breaks.includes(finding.rule);

/** First finding of a case or of an invariant; if both have one, the length of the subject's name decides. */
function firstFinding(
  subject: Subject,
  { cases, invariants }: JobOutcome,
  { judgement }: CleanJudgement,
): JudgedFinding | undefined {
  const turned = cases.filter(
    ({ id, verdict }) => isRedVerdict(verdict) && judgement.cases.get(id)?.verdict !== verdict,
  );
  const ofCases = turned.flatMap((one) =>
    one.findings
      .filter((finding) => breaksDeclaredRule(finding, subject))
      .map((finding) => ({ finding, judge: one.id, seenIn: { ...one, messages: [] } })),
  );
  const ofInvariants = invariants.flatMap((invariant) =>
    invariant.findings
      .filter((finding) => breaksDeclaredRule(finding, subject))
      .map((finding) => ({ finding, judge: invariant.id, invariant })),
  );
  const found = [ofCases[0], ofInvariants[0]].filter((one) => one !== undefined);
  return found[subject.name.length % found.length];
}

const isSameBreach = (one: RuleRef & Pick<Finding, 'code' | 'path'>, other: typeof one): boolean =>
  renderRuleRef(one) === renderRuleRef(other) && one.code === other.code && one.path === other.path;

/** Whether a finding is seen again; one across cases may show in any of them, because their order differs. */
function isReproduced({ cases, invariants }: JobOutcome, { finding, judge }: JudgedFinding): boolean {
  const judges = new Set([judge, ...(finding.comparedWith ?? [])]);
  const found = [...cases, ...invariants].filter(({ id }) => judges.has(id)).flatMap(({ findings }) => findings);
  return found.some((one) => isSameBreach(one, finding));
}

/** Runs the command that a report prints to reproduce a finding of the fault. Returns a sentence if it is not seen again. */
async function reproduceFinding(
  subject: Subject,
  outcome: JobOutcome,
  { clean, pool }: { readonly clean: CleanJudgement; readonly pool: RunPool },
): Promise<readonly string[]> {
  const { name, declares: supports = {} } = subject;
  const shown = firstFinding(subject, outcome, clean);
  if (shown === undefined) return [];
  const what = reproducingSelection(shown);
  const again = await pool.run(omitUndefined({ faults: [name], supports, what, serial: true }));
  if (isReproduced(again, shown)) return [];
  const command = `carrierspec run ${what.join(' ')} --fault ${name}`;
  return [`${renderRuleRef(shown.finding)} of ${shown.judge} is not seen again by: ${command}`];
}

interface ProveOptions {
  readonly suites: Suites;
  /** Rules that ship; those of further suites may turn with any fault. Default: all. */
  readonly declared?: ReadonlySet<string>;
  readonly subjects: readonly Subject[];
  readonly pool: RunPool;
  /** Run every case for every fault. */
  readonly whole: boolean;
  readonly onProof: (proof: Proof) => void;
  /** Rows of the golden matrix, whose red cases run. */
  readonly known: MatrixRows;
  /** With freedoms, each fault is proved on two drawn carriers too. */
  readonly freedoms?: readonly Freedom[];
}

function requireGreen(suites: Suites, outcome: JobOutcome): void {
  const { verdicts } = judgeClean(suites, outcome);
  const red = [...verdicts].filter(([, verdict]) => isRedVerdict(verdict) || verdict === 'error').map(([id]) => id);
  const unjudged = outcome.cases.find(({ verdict }) => verdict === 'inconclusive');
  const why = unjudged === undefined ? undefined : `${unjudged.id} has no verdict: ${unjudged.reason ?? ''}`;
  const rationale = outcome.stopped ?? (red.length === 0 ? why : `${red.join(', ')} turned red on it`);
  if (rationale === undefined) return;
  const message = `nothing can be proved with these suites: the clean reference carrier does not conform: ${rationale}`;
  throw new CarrierspecError(message, { code: 'clean-not-green' });
}

/** Runs the clean carrier with all cases of the suites and judges it. Throws if it is not green. */
export async function judgeGreenCarrier(
  suites: Suites,
  pool: RunPool,
  declared?: ReadonlySet<string>,
): Promise<CleanJudgement> {
  const outcome = await pool.run({ faults: [], cases: suites.cases.map(({ id }) => id) });
  requireGreen(suites, outcome);
  return judgeClean(suites, outcome, declared);
}

interface SubjectProof {
  readonly subject: Subject;
  readonly proof: Proof;
  readonly killers: readonly string[];
}

/** Ids of the cases that run, by the name of the subject; undefined: all. */
type ChosenCases = ReadonlyMap<string, readonly string[] | undefined>;

type PlainProveOptions = ProveOptions & { readonly clean: CleanJudgement; readonly chosen: ChosenCases };

/** Share of the cases from which a fault concerns so many that all of them run. */
const maxChosenShare = 1 / 3;

/** Ids of the cases to run; undefined: all. No case is about a variant, so every case runs with it. */
function casesFor(subject: Subject, { suites, whole, known }: ProveOptions): readonly string[] | undefined {
  if (whole || subject.kind === 'variant') return undefined;
  const row = known.get(subject.name);
  const chosen = chooseCases(subject, row === undefined ? [] : redIds(row), suites);
  return chosen.length > maxChosenShare * suites.cases.length ? undefined : chosen;
}

async function proveOne(subject: Subject, options: PlainProveOptions): Promise<SubjectProof> {
  const { suites, pool, clean, onProof } = options;
  const { name, declares: supports = {}, stateful = false } = subject;
  const cases = options.chosen.get(name);
  // Side by side, one case may affect another, in another order each time.
  const serial = stateful || cases !== undefined;
  const outcome = await pool.run(omitUndefined({ faults: [name], supports, serial, cases }));
  const judged = judgeSubject(subject, outcome, { clean, suites });
  const unseen = judged.status === 'killed' ? await reproduceFinding(subject, outcome, { clean, pool }) : [];
  const proof: Proof = { ...judged, wrong: [...judged.wrong, ...unseen] };
  onProof(proof);
  return { subject, proof, killers: detectingCases(subject, outcome, { clean, suites }) };
}

/** Proves faults in twice as many lanes as the pool has threads; a lane starts one fault after the other. */
async function proveInLanes(options: PlainProveOptions): Promise<readonly SubjectProof[]> {
  const proven: SubjectProof[] = [];
  const left = options.subjects.entries();
  const lane = async (): Promise<void> => {
    for (const [at, subject] of left) proven[at] = await proveOne(subject, options);
  };
  await Promise.all(Array.from({ length: 2 * options.pool.size }, lane));
  return proven;
}

/** Proves killed faults on two drawn carriers too, whose slow clean runs start at the same time. */
async function proveEverywhere(options: PlainProveOptions): Promise<readonly Proof[]> {
  const { freedoms, subjects, suites, pool, onProof } = options;
  const isAnyFault = subjects.some(({ kind }) => kind === 'fault');
  const proving = freedoms && isAnyFault ? { suites, pool, freedoms, onProof } : undefined;
  const [drawn, proven] = await Promise.all([
    proving === undefined ? [] : runOppositeCarriers(proving),
    proveInLanes(options),
  ]);
  const shown = proven
    .filter(({ subject, proof }) => subject.kind === 'fault' && proof.status === 'killed')
    .map(({ subject, proof: { turned }, killers: cases }) => ({ subject, cases, turned }));
  const across =
    proving === undefined ? [] : await Promise.all(drawn.map((where) => proveOnOpposite(shown, where, proving)));
  return [...proven.map(({ proof }) => proof), ...across.flat()];
}

/** The suites with the cases of these subjects. */
function limitSuites(suites: Suites, chosen: ChosenCases): Suites {
  const all = [...chosen.values()];
  if (all.includes(undefined)) return suites;
  const ids = new Set(all.flatMap((cases) => cases ?? []));
  return { ...suites, cases: suites.cases.filter(({ id }) => ids.has(id)) };
}

/** Runs the clean carrier, then every fault and variant, and compares. Throws if the clean carrier is not green. */
export async function proveAgainstClean(options: ProveOptions): Promise<readonly Proof[]> {
  const chosen = new Map(options.subjects.map((subject) => [subject.name, casesFor(subject, options)]));
  const suites = options.freedoms === undefined ? limitSuites(options.suites, chosen) : options.suites;
  const clean = await judgeGreenCarrier(suites, options.pool, options.declared);
  return proveEverywhere({ ...options, suites, chosen, clean });
}
