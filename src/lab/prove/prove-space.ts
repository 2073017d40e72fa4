import { shrinkParts } from '../explore/shrink.ts';
import type { CoverRow } from '../../lib/covering/domain.ts';
import { groupBy } from '../../lib/lists.ts';
import type { CaseOrder } from '../../engine/plan/case-order.ts';
import { isConclusive, type Verdict } from '../../model/rule.ts';
import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import type { CaseOutcome, JobOutcome } from './job.ts';
import {
  type CleanJudgement,
  type CleanBaseline,
  judgeClean,
  buildJudgement,
  overlayJudgement,
  ruleVerdicts,
} from './judge-subject.ts';
import type { RunPool } from './pool.ts';
import { sampleCases, warningRules } from '../space/freedoms.ts';

/** Reason why a drawn carrier is not green; a stopped run has the rule `''`. */
interface CarrierTrouble {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly cases: readonly string[];
  /** Finding, or reason for a missing verdict, in a few words. */
  readonly why: string;
}

/** Carrier of the space: the choices in which it differs from the plain one. */
export interface NumberedCarrier {
  /** Position in the draw, from 1. */
  readonly number: number;
  readonly choices: CoverRow;
}

export interface DrawnProof extends NumberedCarrier {
  /** The order in which its cases began. */
  readonly order: CaseOrder;
  /** Empty if it is green. */
  readonly troubles: readonly CarrierTrouble[];
  readonly ran: number;
  readonly of: number;
}

/** Whether a conforming carrier must not get this verdict: a red one, or none without a declaration that explains it. */
const isTroubleVerdict = (verdict: Verdict): boolean =>
  verdict === 'fail' || verdict === 'warn' || (!isConclusive(verdict) && verdict !== 'not-applicable');

const stopRule = '';

const shortenReason = (text: string): string => (text.length > 160 ? `${text.slice(0, 159)}…` : text);
const reasonValueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface CaseReason {
  readonly id: string;
  readonly rule: string;
  readonly why: string;
}

function caseReasons(one: CaseOutcome, rules: ReadonlySet<string>): readonly CaseReason[] {
  const found = one.findings.map(({ rule, code, path, expected, actual }) => ({
    id: one.id,
    rule,
    why: shortenReason(
      `${code}${path === undefined ? '' : ` ${path}`}: ${reasonValueText(actual)}, not ${reasonValueText(expected)}`,
    ),
  }));
  const unjudged = isTroubleVerdict(one.verdict) && one.verdict !== 'fail' && one.verdict !== 'warn';
  const without = unjudged
    ? [...rules].map((rule) => ({ id: one.id, rule, why: shortenReason(one.reason ?? one.verdict) }))
    : [];
  return [...found, ...without];
}

/** Findings and missing verdicts of cases and invariants, by rule. */
function reasonsByRule(
  { cases, invariants }: JobOutcome,
  { clean, suites }: CleanBaseline,
): ReadonlyMap<string, readonly CaseReason[]> {
  const given = new Map(suites.cases.map((one) => [one.id, one]));
  const ofCases = cases
    .filter(({ id, verdict }) => clean.judgement.cases.get(id)?.verdict !== verdict)
    .flatMap((one) => {
      const known = given.get(one.id);
      return known === undefined ? [] : caseReasons(one, caseRuleIds(known));
    });
  const ofInvariants = invariants.flatMap(({ id, findings }) =>
    findings.map(({ rule, seenIn, path, expected, actual }) => ({
      id: seenIn ?? '',
      rule,
      why: shortenReason(
        `${id}${path === undefined ? '' : ` ${path}`}: ${reasonValueText(actual)}, not ${reasonValueText(expected)}`,
      ),
    })),
  );
  return groupBy([...ofCases, ...ofInvariants], ({ rule }) => rule);
}

/** Rules that turned although the drawn carrier conforms, with their cases. */
export function judgeDrawn(outcome: JobOutcome, against: CleanBaseline, choices: CoverRow): readonly CarrierTrouble[] {
  if (outcome.stopped !== undefined) {
    return [{ rule: stopRule, verdict: 'error', cases: [], why: `the run had to stop: ${outcome.stopped}` }];
  }
  const { clean, suites } = against;
  const again = buildJudgement(outcome.cases, outcome.invariants);
  const shown = reasonsByRule(outcome, against);
  const warned = warningRules(choices);
  return [...ruleVerdicts(suites, overlayJudgement(clean.judgement, again))]
    .filter(
      ([rule, verdict]) => isTroubleVerdict(verdict) && (verdict === 'error' || clean.verdicts.get(rule) !== verdict),
    )
    .filter(([rule, verdict]) => verdict !== 'warn' || !warned.has(rule))
    .map(([rule, verdict]) => {
      const places = shown.get(rule) ?? [];
      const cases = [...new Set(places.map(({ id }) => id))].filter((id) => id !== '');
      return { rule, verdict, cases, why: places[0]?.why ?? '' };
    });
}

/** Smallest set of choices that brings a verdict no conforming carrier may get. */
export interface TroubleCause {
  readonly choices: CoverRow;
  readonly rules: Readonly<Record<string, Verdict>>;
  readonly cases: readonly string[];
  readonly why: string;
  /** Numbers of the drawn carriers with these choices and verdicts. */
  readonly carriers: readonly number[];
  /** Whether the trouble recurred with these choices alone. */
  readonly again: boolean;
}

interface GrowingCause extends TroubleCause {
  readonly rules: Record<string, Verdict>;
  readonly carriers: number[];
}

interface ExplainContext extends CleanBaseline {
  readonly pool: RunPool;
  readonly onCause: (cause: TroubleCause) => void;
}

/** Most cases to run again for a rule. */
const maxTroubleCases = 3;
/** Most causes to search for; what many more share is not found by searching for each. */
const maxTroubleCauses = 40;

const containsChoices = (choices: CoverRow, part: CoverRow): boolean =>
  Object.entries(part).every(([id, name]) => choices[id] === name);

/** Troubles of a carrier with these choices in these cases. */
async function runTroubleCases(
  choices: CoverRow,
  cases: readonly string[],
  explaining: ExplainContext,
): Promise<readonly CarrierTrouble[]> {
  const outcome = await explaining.pool.run({ faults: [], choices, cases, serial: true });
  return judgeDrawn(outcome, explaining, choices);
}

const troubleCases = ({ cases }: CarrierTrouble): readonly string[] => cases.slice(0, maxTroubleCases);

async function searchCause(
  trouble: CarrierTrouble,
  proof: DrawnProof,
  explaining: ExplainContext,
): Promise<GrowingCause> {
  const { rule } = trouble;
  const brings = async (part: readonly (readonly [string, string])[]): Promise<boolean> => {
    const found = await runTroubleCases(Object.fromEntries(part), troubleCases(trouble), explaining);
    return found.some((one) => one.rule === rule);
  };
  const all = Object.entries(proof.choices);
  const cause = {
    cases: troubleCases(trouble),
    why: trouble.why,
    rules: { [rule]: trouble.verdict },
    carriers: [proof.number],
  };
  // A trouble that its own cases do not show is due to other cases, or intermittent.
  if (!(await brings(all))) return { ...cause, choices: proof.choices, again: false };
  const kept = await shrinkParts(
    all.map(() => true),
    (candidates) => Promise.all(candidates.map((one) => brings(all.filter((_, at) => one[at] === true)))),
  );
  const small = all.filter((_, at) => kept[at] === true);
  return { ...cause, choices: Object.fromEntries(small), again: await brings(small) };
}

/** Adds the carrier's other troubles that the same choices bring. */
async function spreadCause(
  cause: GrowingCause,
  others: readonly CarrierTrouble[],
  explaining: ExplainContext,
): Promise<void> {
  if (!cause.again || others.length === 0) return;
  const cases = [...new Set(others.flatMap(troubleCases))];
  const found = new Set((await runTroubleCases(cause.choices, cases, explaining)).map(({ rule }) => rule));
  for (const { rule, verdict } of others) if (found.has(rule)) cause.rules[rule] = verdict;
}

async function explainProof(proof: DrawnProof, known: GrowingCause[], explaining: ExplainContext): Promise<void> {
  let left = proof.troubles;
  while (left.length > 0) {
    const [first, ...others] = left;
    if (first === undefined || known.length >= maxTroubleCauses) return;
    const old = known.find(
      ({ rules, choices, again }) => again && first.rule in rules && containsChoices(proof.choices, choices),
    );
    const cause = old ?? (await searchCause(first, proof, explaining));
    if (old === undefined) {
      await spreadCause(cause, others, explaining);
      known.push(cause);
      explaining.onCause(cause);
    } else if (!old.carriers.includes(proof.number)) old.carriers.push(proof.number);
    left = others.filter(({ rule }) => !(rule in cause.rules));
  }
}

/** Merges equal causes, because two lanes can find one at the same time. */
function mergeEqual(causes: readonly GrowingCause[]): readonly TroubleCause[] {
  const merged = new Map<string, GrowingCause>();
  for (const cause of causes) {
    const key = JSON.stringify([cause.choices, cause.again]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, cause);
    else {
      Object.assign(known.rules, cause.rules);
      known.carriers.push(...cause.carriers.filter((number) => !known.carriers.includes(number)));
    }
  }
  return [...merged.values()];
}

/** Carriers examined in parallel. */
const explainLanes = 2;

/** Shrinks every trouble to the choices that bring it, unless an earlier cause explains it. */
export async function explainTroubles(
  proofs: readonly DrawnProof[],
  explaining: ExplainContext,
): Promise<readonly TroubleCause[]> {
  const known: GrowingCause[] = [];
  const left = proofs.filter(({ troubles }) => troubles.length > 0);
  const follow = async (): Promise<void> => {
    for (let proof = left.shift(); proof !== undefined; proof = left.shift())
      await explainProof(proof, known, explaining);
  };
  await Promise.all(Array.from({ length: explainLanes }, follow));
  return mergeEqual(known);
}

interface SpaceOptions {
  readonly suites: Suites;
  readonly carriers: readonly NumberedCarrier[];
  readonly seed: string;
  readonly pool: RunPool;
  /** Run all cases with each carrier. */
  readonly whole: boolean;
  readonly onProof: (proof: DrawnProof) => void;
  readonly onCause: (cause: TroubleCause) => void;
}

export interface ProvedSpace {
  readonly proofs: readonly DrawnProof[];
  readonly causes: readonly TroubleCause[];
}

/** Runs the engine against every drawn carrier, and explains each verdict that none of them may get. */
export async function proveSpace(options: SpaceOptions): Promise<ProvedSpace> {
  const { suites, carriers, pool, onProof } = options;
  const clean: CleanJudgement = judgeClean(suites, await pool.run({ faults: [] }));
  const against: CleanBaseline = { clean, suites };
  const proofs = await Promise.all(
    carriers.map(async ({ number, choices }) => {
      const cases = options.whole ? suites.cases.map(({ id }) => id) : sampleCases(suites, `${options.seed} ${number}`);
      const order: CaseOrder = `shuffled=${options.seed}-${number}`;
      const outcome = await pool.run({ faults: [], choices, cases, order });
      const proof = {
        number,
        choices,
        order,
        troubles: judgeDrawn(outcome, against, choices),
        ran: cases.length,
        of: suites.cases.length,
      };
      onProof(proof);
      return proof;
    }),
  );
  const causes = await explainTroubles(proofs, { ...against, pool, onCause: options.onCause });
  return { proofs, causes };
}
