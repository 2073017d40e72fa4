import { type RuleBook, verdictOfFinding } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import { renderRuleRef, type RuleRef } from '../../model/rule.ts';
import { type Verdict, worst } from '../../model/verdict.ts';
import type { Case, Invariant } from '../../suite/suites.ts';
import { identityOf } from '../case/case-result.ts';
import { doubled, memberFlaw } from './stated.ts';

/** What a finding names has to be there. */
interface Names {
  readonly what: string;
  readonly rules: RuleBook;
  /** The rules that its judge judges. */
  readonly judged: ReadonlySet<string>;
}

/** Why findings cannot be those of their judge, at the level that the rules have. */
export function findingsFlaw(findings: readonly Finding[], { what, rules, judged }: Names): string | undefined {
  for (const finding of findings) {
    const ref = renderRuleRef(finding);
    if (!judged.has(finding.rule)) return `${what} has a finding of ${ref}, which it does not judge`;
    const { aspect } = finding;
    if (aspect !== undefined && !rules.find(finding.rule)?.aspects.some(({ id }) => id === aspect))
      return `${what} has a finding of ${ref}, and there is no such aspect`;
    const level = rules.levelOf(finding);
    if (finding.level !== level) return `${what} has a finding of ${ref} as ${finding.level}, and the rule is ${level}`;
  }
  return undefined;
}

/** Whether what was seen in one of two tries, and how it was confirmed, go together. */
export function confirmationFlaw(
  { findings, confirmation }: Pick<CaseResult, 'findings' | 'confirmation'>,
  what: string,
): string | undefined {
  const required = findings.filter(({ level }) => level === 'required');
  const stands = required.some((one) => verdictOfFinding(one) === 'fail');
  const status = confirmation?.status;
  if (findings.some(({ level, unstable }) => unstable === true && level !== 'required'))
    return `${what} has an unstable finding that is not of a required rule`;
  if (required.some(({ unstable }) => unstable === true) && (status === undefined || status === 'seen-once'))
    return `${what} has an unstable finding, and was not confirmed`;
  if (status !== undefined && required.length === 0) return `${what} is confirmed, and has no required finding`;
  if ((status === 'confirmed' && !stands) || (status === 'unstable' && stands))
    return `${what} is said to be ${status}, and its findings are ${stands ? 'not' : 'all'} unstable`;
  return undefined;
}

const unjudged: ReadonlySet<Verdict> = new Set(['not-run', 'not-applicable']);

/** The rules of all steps, controls too, and its own. */
export function rulesJudgedBy({ steps, rules }: Pick<Case, 'steps' | 'rules'>): ReadonlySet<string> {
  const refs: readonly RuleRef[] = [
    ...rules,
    ...steps.flatMap(({ expectations }) => expectations.flatMap((one) => one.rules)),
  ];
  return new Set(refs.map(({ rule }) => rule));
}

export const rulesHeldBy = ({ expectations }: Invariant): ReadonlySet<string> =>
  new Set(expectations.flatMap(({ rules }) => rules.map(({ rule }) => rule)));

/** A case that did not run shows nothing. */
function unjudgedFlaw(result: CaseResult, what: string): string | undefined {
  const { verdict, findings, recorded, messages, startedAt } = result;
  if (findings.length > 0) return `${what} is ${verdict}, and has ${findings.length} findings`;
  if (Object.keys(recorded).length > 0) return `${what} is ${verdict}, and recorded something`;
  if (verdict === 'not-applicable' && (messages.length > 0 || startedAt !== 0))
    return `${what} is ${verdict}, and has run: it has ${messages.length} messages`;
  return undefined;
}

/** The verdict that follows from what the case found, and from whether it came to its end. */
function verdictFlaw(result: CaseResult, what: string, isInformational: boolean): string | undefined {
  const { verdict, reason, findings, recorded, startedAt } = result;
  if (verdict === 'attested') return `${what} is attested, which only a rule can be`;
  if (unjudged.has(verdict))
    return reason === undefined ? `${what} is ${verdict}, and says no reason` : unjudgedFlaw(result, what);
  const found: Verdict[] = findings.map(verdictOfFinding);
  if (isInformational && Object.keys(recorded).length > 0) found.push('informational');
  // Both say that the case did not come to its end; which of the two it was is not known from what it found.
  const open = verdict === 'error' ? 'error' : 'inconclusive';
  const follows = worst(reason === undefined ? found : [...found, open]) ?? 'pass';
  if (verdict !== follows) return `${what} is ${verdict}, and ${follows} follows from its findings`;
  if (startedAt === 0 && verdict !== 'error') return `${what} is ${verdict}, and did not run`;
  return undefined;
}

/** What a case holds names what is there. */
function namesFlaw(result: CaseResult, given: Case, what: string): string | undefined {
  const ids = result.messages.map(({ id }) => id);
  const twice = doubled(ids);
  if (twice !== undefined) return `${what} has the message ${twice} twice`;
  const known = new Set(ids);
  const strange = result.findings.find(({ message }) => message !== undefined && !known.has(message));
  if (strange !== undefined)
    return `${what} has a finding of ${renderRuleRef(strange)} in the message ${strange.message}, which it has not`;
  const foreign = result.findings.find(({ seenIn = result.id }) => seenIn !== result.id);
  if (foreign !== undefined) return `${what} has a finding that was seen in ${foreign.seenIn}`;
  const recordable = new Set(given.steps.flatMap(({ record }) => [...record].map(([name]) => name)));
  // What an operator was asked is recorded in the words of the question.
  const unknown = Object.keys(result.recorded).find((name) => !recordable.has(name) && !name.startsWith('operator: '));
  return unknown === undefined ? undefined : `${what} recorded ${unknown}, which no step of it records`;
}

/** Why a case cannot have ended like that; undefined where it can. */
export function caseFlaw(result: CaseResult, given: Case, rules: RuleBook): string | undefined {
  const what = `the case ${result.id}`;
  const { position: _, ...follows } = identityOf(given);
  const isInformational = given.rules.some((ref) => rules.levelOf(ref) === 'informational');
  return (
    memberFlaw(what, { stated: result, follows, from: 'the suites' }, Object.keys(follows)) ??
    findingsFlaw(result.findings, { what, rules, judged: rulesJudgedBy(given) }) ??
    namesFlaw(result, given, what) ??
    confirmationFlaw(result, what) ??
    verdictFlaw(result, what, isInformational)
  );
}
