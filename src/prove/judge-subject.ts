import type { Suites } from '../model/suite.ts';
import type { Verdict } from '../model/verdict.ts';
import type { JobOutcome } from './job.ts';
import { type FaultStatus, isRed, type Proof, type Subject, type VariantStatus } from './proof.ts';
import { type Judgement, judgementOf, overlay, ruleVerdicts } from './rule-verdicts.ts';

/** The clean carrier: what every other is compared with. */
export interface Clean {
  readonly judgement: Judgement;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

export function judgeClean(suites: Suites, { cases, invariants }: JobOutcome): Clean {
  const judgement = judgementOf(cases, invariants);
  return { judgement, verdicts: ruleVerdicts(suites, judgement) };
}

const matrixName = (id: string): string => id.split('/')[0] ?? id;

function redCases({ cases }: Judgement, clean: Judgement): string[] {
  const red = [...cases.values()].filter(({ id, verdict }) => isRed(verdict) && clean.cases.get(id)?.verdict !== verdict);
  const names = red.map(({ id }) => matrixName(id));
  return [...new Set(names)].toSorted();
}

function wireChanged({ cases }: JobOutcome, clean: Judgement): boolean {
  return cases.some(({ id, wire }) => clean.cases.get(id)?.wire !== wire);
}

function differences(before: ReadonlyMap<string, Verdict>, after: ReadonlyMap<string, Verdict>) {
  return Object.fromEntries([...after].filter(([id, verdict]) => before.get(id) !== verdict));
}

const list = (words: readonly string[]): string => words.join(', ');

function compare(what: string, declared: readonly string[], found: readonly string[]): string[] {
  const missing = declared.filter((id) => !found.includes(id));
  const extra = found.filter((id) => !declared.includes(id));
  return [
    ...(missing.length > 0 ? [`declared ${what}, but not so: ${list(missing)}`] : []),
    ...(extra.length > 0 ? [`${what}, but not declared: ${list(extra)}`] : []),
  ];
}

function detectedBy(suites: Suites, name: string): Set<string> {
  const judges = [...suites.cases, ...suites.invariants].filter(({ detects }) => detects.includes(name));
  return new Set(judges.map(({ id }) => matrixName(id)));
}

/** The cases and invariants that say they detect a fault must turn red with it. */
function checkDetects(suites: Suites, name: string, red: ReadonlySet<string>): string[] {
  const idle = [...detectedBy(suites, name)].filter((id) => !red.has(id));
  return idle.length > 0 ? [`says it detects ${name}, but stays as it was: ${list(idle)}`] : [];
}

function statusOf(turned: readonly string[], wrong: readonly string[], outcome: JobOutcome, clean: Clean): FaultStatus {
  if (turned.length > 0) return wrong.length === 0 ? 'killed' : 'misattributed';
  return wireChanged(outcome, clean.judgement) ? 'silent' : 'dead';
}

function variantStatus(turned: readonly string[]): VariantStatus {
  return turned.length === 0 ? 'allowed' : 'refused';
}

/** What a run with one fault or variant shows, compared with the clean carrier and with what is declared. */
export function judgeSubject(subject: Subject, outcome: JobOutcome, clean: Clean, suites: Suites): Proof {
  const again = judgementOf(outcome.cases, outcome.invariants);
  const turned = differences(clean.verdicts, ruleVerdicts(suites, overlay(clean.judgement, again)));
  const redRules = Object.keys(turned).filter((id) => isRed(turned[id]));
  const otherwise = Object.keys(turned).filter((id) => !isRed(turned[id]));
  const red = redCases(again, clean.judgement);
  const redInvariants = outcome.invariants.filter(({ verdict }) => isRed(verdict)).map(({ id }) => id);
  const stopped = outcome.stopped === undefined ? [] : [`the run could not go on: ${outcome.stopped}`];
  const rules = [...stopped, ...compare('red', subject.breaks, redRules), ...compare('unjudged', subject.blinds, otherwise)];
  const wrong = subject.kind === 'variant' ? rules : [...rules, ...checkDetects(suites, subject.name, new Set([...red, ...redInvariants]))];
  const { name, kind } = subject;
  const status = kind === 'variant' ? variantStatus(redRules) : statusOf(redRules, rules, outcome, clean);
  return { name, kind, status, turned, red: [...red, ...redInvariants], wrong, ran: outcome.cases.length, of: suites.cases.length };
}
