import { shrinkParts } from '../../explore/shrink.ts';
import type { Row } from '../../lib/covering/domain.ts';
import { groupBy } from '../../lib/lists.ts';
import type { CaseOrder } from '../../engine/plan/case-order.ts';
import { isConclusive, type Verdict } from '../../model/rule.ts';
import { rulesOf, type Suites } from '../../suite/suites.ts';
import type { CaseOutcome, JobOutcome } from '../job.ts';
import { type Clean, type ComparedWith, judgeClean, judgementOf, overlay, ruleVerdicts } from '../judge-subject.ts';
import type { Pool } from '../pool.ts';
import { sampleCases, warnedBy } from './freedoms.ts';

/** Reason why a drawn carrier is not green; a stopped run has the rule `''`. */
interface Trouble {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly cases: readonly string[];
  /** Finding, or reason for a missing verdict, in a few words. */
  readonly why: string;
}

/** Carrier of the space: the choices in which it differs from the plain one. */
export interface Drawn {
  /** Position in the draw, from 1. */
  readonly number: number;
  readonly choices: Row;
}

export interface DrawnProof extends Drawn {
  /** The order in which its cases began. */
  readonly order: CaseOrder;
  /** Empty if it is green. */
  readonly troubles: readonly Trouble[];
  readonly ran: number;
  readonly of: number;
}

/** Whether a conforming carrier must not get this verdict: a red one, or none without a declaration that explains it. */
const isTrouble = (verdict: Verdict): boolean =>
  verdict === 'fail' || verdict === 'warn' || (!isConclusive(verdict) && verdict !== 'not-applicable');

const stopRule = '';

const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 159)}…` : text);
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface Shown {
  readonly id: string;
  readonly rule: string;
  readonly why: string;
}

function shownByCase(one: CaseOutcome, rules: ReadonlySet<string>): readonly Shown[] {
  const found = one.findings.map(({ rule, code, path, expected, actual }) => ({
    id: one.id,
    rule,
    why: shorten(`${code}${path === undefined ? '' : ` ${path}`}: ${asText(actual)}, not ${asText(expected)}`),
  }));
  const unjudged = isTrouble(one.verdict) && one.verdict !== 'fail' && one.verdict !== 'warn';
  const without = unjudged
    ? [...rules].map((rule) => ({ id: one.id, rule, why: shorten(one.reason ?? one.verdict) }))
    : [];
  return [...found, ...without];
}

/** Findings and missing verdicts of cases and invariants, by rule. */
function shownBy(
  { cases, invariants }: JobOutcome,
  { clean, suites }: ComparedWith,
): ReadonlyMap<string, readonly Shown[]> {
  const given = new Map(suites.cases.map((one) => [one.id, one]));
  const ofCases = cases
    .filter(({ id, verdict }) => clean.judgement.cases.get(id)?.verdict !== verdict)
    .flatMap((one) => {
      const known = given.get(one.id);
      return known === undefined ? [] : shownByCase(one, rulesOf(known));
    });
  const ofInvariants = invariants.flatMap(({ id, findings }) =>
    findings.map(({ rule, seenIn, path, expected, actual }) => ({
      id: seenIn ?? '',
      rule,
      why: shorten(`${id}${path === undefined ? '' : ` ${path}`}: ${asText(actual)}, not ${asText(expected)}`),
    })),
  );
  return groupBy([...ofCases, ...ofInvariants], ({ rule }) => rule);
}

/** Rules that turned although the drawn carrier conforms, with their cases. */
export function judgeDrawn(outcome: JobOutcome, against: ComparedWith, choices: Row): readonly Trouble[] {
  if (outcome.stopped !== undefined) {
    return [{ rule: stopRule, verdict: 'error', cases: [], why: `the run had to stop: ${outcome.stopped}` }];
  }
  const { clean, suites } = against;
  const again = judgementOf(outcome.cases, outcome.invariants);
  const shown = shownBy(outcome, against);
  const warned = warnedBy(choices);
  return [...ruleVerdicts(suites, overlay(clean.judgement, again))]
    .filter(([rule, verdict]) => isTrouble(verdict) && (verdict === 'error' || clean.verdicts.get(rule) !== verdict))
    .filter(([rule, verdict]) => verdict !== 'warn' || !warned.has(rule))
    .map(([rule, verdict]) => {
      const places = shown.get(rule) ?? [];
      const cases = [...new Set(places.map(({ id }) => id))].filter((id) => id !== '');
      return { rule, verdict, cases, why: places[0]?.why ?? '' };
    });
}

/** Smallest set of choices that brings a verdict no conforming carrier may get. */
export interface Cause {
  readonly choices: Row;
  readonly rules: Readonly<Record<string, Verdict>>;
  readonly cases: readonly string[];
  readonly why: string;
  /** Numbers of the drawn carriers with these choices and verdicts. */
  readonly carriers: readonly number[];
  /** Whether it recurred with these choices alone. */
  readonly again: boolean;
}

interface Growing extends Cause {
  readonly rules: Record<string, Verdict>;
  readonly carriers: number[];
}

interface Explaining extends ComparedWith {
  readonly pool: Pool;
  readonly onCause: (cause: Cause) => void;
}

/** Most cases to run again for a rule. */
const mostCases = 3;
/** Most causes to search for; what many more share is not found by searching for each. */
const mostCauses = 40;

const has = (choices: Row, part: Row): boolean => Object.entries(part).every(([id, name]) => choices[id] === name);

/** Troubles of a carrier with these choices in these cases. */
async function troublesOf(choices: Row, cases: readonly string[], explaining: Explaining): Promise<readonly Trouble[]> {
  const outcome = await explaining.pool.run({ faults: [], choices, cases, serial: true });
  return judgeDrawn(outcome, explaining, choices);
}

const casesOf = ({ cases }: Trouble): readonly string[] => cases.slice(0, mostCases);

async function findCause(trouble: Trouble, proof: DrawnProof, explaining: Explaining): Promise<Growing> {
  const { rule } = trouble;
  const brings = async (part: readonly (readonly [string, string])[]): Promise<boolean> => {
    const found = await troublesOf(Object.fromEntries(part), casesOf(trouble), explaining);
    return found.some((one) => one.rule === rule);
  };
  const all = Object.entries(proof.choices);
  const cause = {
    cases: casesOf(trouble),
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
async function spread(cause: Growing, others: readonly Trouble[], explaining: Explaining): Promise<void> {
  if (!cause.again || others.length === 0) return;
  const cases = [...new Set(others.flatMap(casesOf))];
  const found = new Set((await troublesOf(cause.choices, cases, explaining)).map(({ rule }) => rule));
  for (const { rule, verdict } of others) if (found.has(rule)) cause.rules[rule] = verdict;
}

async function explainOne(proof: DrawnProof, known: Growing[], explaining: Explaining): Promise<void> {
  let left = proof.troubles;
  while (left.length > 0) {
    const [first, ...others] = left;
    if (first === undefined || known.length >= mostCauses) return;
    const old = known.find(({ rules, choices, again }) => again && first.rule in rules && has(proof.choices, choices));
    const cause = old ?? (await findCause(first, proof, explaining));
    if (old === undefined) {
      await spread(cause, others, explaining);
      known.push(cause);
      explaining.onCause(cause);
    } else if (!old.carriers.includes(proof.number)) old.carriers.push(proof.number);
    left = others.filter(({ rule }) => !(rule in cause.rules));
  }
}

/** Merges equal causes, because two lanes can find one at the same time. */
function mergeEqual(causes: readonly Growing[]): readonly Cause[] {
  const merged = new Map<string, Growing>();
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
const lanes = 2;

/** Shrinks every trouble to the choices that bring it, unless an earlier cause explains it. */
export async function explain(proofs: readonly DrawnProof[], explaining: Explaining): Promise<readonly Cause[]> {
  const known: Growing[] = [];
  const left = proofs.filter(({ troubles }) => troubles.length > 0);
  const follow = async (): Promise<void> => {
    for (let proof = left.shift(); proof !== undefined; proof = left.shift())
      await explainOne(proof, known, explaining);
  };
  await Promise.all(Array.from({ length: lanes }, follow));
  return mergeEqual(known);
}

interface SpaceOptions {
  readonly suites: Suites;
  readonly carriers: readonly Drawn[];
  readonly seed: string;
  readonly pool: Pool;
  /** Run all cases with each carrier. */
  readonly whole: boolean;
  /** Clean run of an earlier proof of the same program and suites. */
  readonly clean?: JobOutcome;
  readonly onProof: (proof: DrawnProof) => void;
  readonly onCause: (cause: Cause) => void;
}

export interface ProvedSpace {
  readonly proofs: readonly DrawnProof[];
  readonly causes: readonly Cause[];
}

/** Runs the engine against every drawn carrier, and explains each verdict that none of them may get. */
export async function proveSpace(options: SpaceOptions): Promise<ProvedSpace> {
  const { suites, carriers, pool, onProof } = options;
  const clean: Clean = judgeClean(suites, options.clean ?? (await pool.run({ faults: [] })));
  const against: ComparedWith = { clean, suites };
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
  const causes = await explain(proofs, { ...against, pool, onCause: options.onCause });
  return { proofs, causes };
}
