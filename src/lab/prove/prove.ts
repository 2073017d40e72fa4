import { type FindingContext, reproducingSelection } from '../../model/result.ts';
import { availableParallelism } from 'node:os';
import { omitUndefined } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { renderRuleRef, type RuleRef } from '../../model/rule.ts';
import type { Suites } from '../../suite/suites.ts';
import { runOppositeCarriers, proveOnOpposite } from './opposite-carriers.ts';
import { isRedVerdict, type Proof, type Subject } from './catalogue.ts';
import { chooseCases, maxSerialCases, detectingCases, sampledNames, addRuleCases } from './choose-cases.ts';
import type { DifferingNames, JobOutcome } from './job.ts';
import { type CleanJudgement, judgeClean, judgeSubject } from './judge-subject.ts';
import { joinDiffering } from './carrier-place.ts';
import type { MatrixRows } from './matrix.ts';
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
  /** Faults and variants with which the clean carrier is compared, call by call. */
  readonly traced: readonly string[];
  readonly subjects: readonly Subject[];
  readonly pool: RunPool;
  /** Run every case for every fault, even if the fault makes no difference in it. */
  readonly whole: boolean;
  /** Run every case that a fault concerns, not a sample of them. */
  readonly concerned: boolean;
  readonly onProof: (proof: Proof) => void;
  /** Rows of an earlier proof, by which a sample is chosen. */
  readonly known?: MatrixRows;
  /** Clean run of an earlier proof of the same program and suites. */
  readonly clean?: JobOutcome;
  /** With freedoms, each fault is proved on two drawn carriers too. */
  readonly freedoms?: readonly Freedom[];
}

interface ProveResult {
  readonly proofs: readonly Proof[];
  readonly clean: JobOutcome;
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

interface SubjectProof {
  readonly subject: Subject;
  readonly proof: Proof;
  readonly killers: readonly string[];
}

type PlainProveOptions = Omit<ProveOptions, 'clean'> & {
  readonly differing: DifferingNames;
  readonly clean: CleanJudgement;
};

async function runSubject(subject: Subject, cases: readonly string[] | undefined, pool: RunPool): Promise<JobOutcome> {
  if (cases?.length === 0) return { cases: [], invariants: [] };
  const { declares: supports = {}, stateful = false } = subject;
  // In parallel, one case may affect another, in another order each time.
  const serial = stateful || (cases?.length ?? Infinity) <= maxSerialCases;
  return pool.run(omitUndefined({ faults: [subject.name], supports, serial, cases }));
}

async function proveOne(subject: Subject, options: PlainProveOptions): Promise<SubjectProof> {
  const { suites, pool, differing, clean, known, onProof } = options;
  // The clean run does not trace variants, so named ones run whole.
  const whole = options.whole || subject.whole === true || subject.kind === 'variant';
  const drawn = chooseCases(subject, differing, suites, known?.get(subject.name));
  const choice = options.concerned ? { ...drawn, chosen: drawn.concerned } : drawn;
  const first = await runSubject(subject, whole ? undefined : choice.chosen, pool);
  const judged = judgeSubject(subject, first, { clean, suites });
  const odd = Object.keys(judged.turned).filter(
    (id) => isRedVerdict(judged.turned[id]) && !subject.breaks.includes(id),
  );
  const more = whole ? choice.chosen : addRuleCases(choice, odd, suites);
  const again = more.length > choice.chosen.length ? await runSubject(subject, more, pool) : first;
  const compared = again === first ? judged : judgeSubject(subject, again, { clean, suites });
  const unseen = compared.status === 'killed' ? await reproduceFinding(subject, again, { clean, pool }) : [];
  const sampled = whole ? undefined : sampledNames(choice, more);
  const proof: Proof = { ...compared, wrong: [...compared.wrong, ...unseen], ...omitUndefined({ sampled }) };
  onProof(proof);
  return { subject, proof, killers: detectingCases(subject, again, { clean, suites }) };
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

/** Most faults and variants compared with the clean carrier in one run. */
const maxTracedNames = 500;

/** Number of names up to which tracing hardly costs time. */
const maxCheapTraces = 100;

/** One run for a few names; for many, a multiple of the cores, because parallel runs take the same time. */
function countCleanRuns(names: number, { size }: RunPool): number {
  const atOnce = Math.min(size, availableParallelism());
  return names <= maxCheapTraces ? 1 : atOnce * Math.ceil(names / maxTracedNames / atOnce);
}

/** Runs the clean carrier, and traces in which cases these names differ. */
async function runClean(traced: readonly string[], pool: RunPool): Promise<JobOutcome> {
  const runs = countCleanRuns(traced.length, pool);
  const parts = Array.from({ length: runs }, (_, part) => traced.filter((__, at) => at % runs === part));
  const [first, ...others] = await Promise.all(parts.map((names) => pool.run({ faults: [], traced: names })));
  if (first === undefined) throw new TypeError('there is at least one part');
  const stopped = others.find((one) => one.stopped !== undefined);
  return stopped ?? { ...first, differing: joinDiffering([first, ...others].map((one) => one.differing ?? {})) };
}

/** Runs the clean carrier, then every fault and variant, and compares. Throws if the clean carrier is not green. */
export async function proveAgainstClean(options: ProveOptions): Promise<ProveResult> {
  const { suites, traced, pool } = options;
  const outcome = options.clean ?? (await runClean(traced, pool));
  requireGreen(suites, outcome);
  const clean = judgeClean(suites, outcome, options.declared);
  const differing = outcome.differing ?? {};
  return { proofs: await proveEverywhere({ ...options, differing, clean }), clean: outcome };
}
