import { rulesOf } from '../../suite/suites.ts';
import { groupBy } from '../../lib/lists.ts';
import type { CaseOrder } from '../../model/order.ts';
import { isConclusive, type Verdict } from '../../model/verdict.ts';
import type { CaseOutcome, JobOutcome } from '../job.ts';
import { type ComparedWith, judgementOf, overlay, ruleVerdicts } from '../judge-subject.ts';
import type { Row } from '../../lib/covering/domain.ts';
import { warnedBy } from './freedoms.ts';

/** Why a drawn carrier is not green. A run that had to stop has the rule `''`. */
export interface Trouble {
  readonly rule: string;
  readonly verdict: Verdict;
  /** Cases in which it shows. */
  readonly cases: readonly string[];
  /** What was found, or why there is no verdict, in a few words. */
  readonly why: string;
}

/** A carrier of the space: the choices in which it is not the plain one. */
export interface Drawn {
  /** Its place in the drawing, from 1. */
  readonly number: number;
  readonly choices: Row;
}

export interface DrawnProof extends Drawn {
  /** The order in which its cases began. */
  readonly order: CaseOrder;
  /** Empty where it is green. */
  readonly troubles: readonly Trouble[];
  readonly ran: number;
  readonly of: number;
}

/** A verdict that a conforming carrier must not get: a red one, or none at all without a declaration that explains it. */
export const isTrouble = (verdict: Verdict): boolean =>
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

/** What every case and invariant shows of the rules, by rule. */
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

/** The rules that turned with a drawn carrier although it conforms, and in which cases. */
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
