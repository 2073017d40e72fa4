import { type RuleBook, verdictOfFinding } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import type { Position } from '../../model/position.ts';
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
  if (findings.some(({ level, unstable }) => unstable === true && level !== 'required'))
    return `${what} has an unstable finding that is not of a required rule`;
  if (confirmation === undefined) return undefined;
  const { status } = confirmation;
  if (required.length === 0) return `${what} is ${status}, and has no required finding`;
  return stands === (status === 'unstable')
    ? `${what} is ${status}, and ${stands ? 'not all' : 'all'} of its required findings are unstable`
    : undefined;
}

/** Of a case that was not tried again nothing is unstable; an invariant that several shards found has no confirmation of its own. */
function unstableFlaw({ findings, confirmation }: CaseResult, what: string): string | undefined {
  const isTried = confirmation !== undefined && confirmation.status !== 'seen-once';
  return !isTried && findings.some(({ unstable }) => unstable === true)
    ? `${what} has an unstable finding, and was not confirmed`
    : undefined;
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

/** The rules by which what differs from the plain request, or comes after a plain event, must be accepted: any case may break them. */
const acceptingIn = ({ all }: RuleBook): readonly string[] =>
  all.flatMap(({ id, accepts }) => (accepts === undefined ? [] : [id]));

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
function verdictOf({ verdict, reason, findings, recorded }: CaseResult, isInformational: boolean): Verdict {
  const found: Verdict[] = findings.map(verdictOfFinding);
  if (isInformational && Object.keys(recorded).length > 0) found.push('informational');
  // Both say that the case did not come to its end; which of the two it was is not known from what it found.
  if (reason !== undefined) found.push(verdict === 'error' ? 'error' : 'inconclusive');
  return worst(found) ?? 'pass';
}

function verdictFlaw(result: CaseResult, what: string, isInformational: boolean): string | undefined {
  const { verdict, reason, startedAt, client, subscriber } = result;
  if (verdict === 'attested') return `${what} is attested, which only a rule can be`;
  if (unjudged.has(verdict))
    return reason === undefined ? `${what} is ${verdict}, and says no reason` : unjudgedFlaw(result, what);
  const follows = verdictOf(result, isInformational);
  if (verdict !== follows) return `${what} is ${verdict}, and ${follows} follows from its findings`;
  if (startedAt === 0) return verdict === 'error' ? undefined : `${what} is ${verdict}, and did not run`;
  return client === undefined || subscriber === undefined
    ? `${what} has run, and names no client or no subscriber`
    : undefined;
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

/** The file of a suite is named from where the run was; the place in it is the same everywhere. */
export const positionFlaw = (what: string, { line, column }: Position, right: Position): string | undefined =>
  line === right.line && column === right.column
    ? undefined
    : `${what} stands at ${line}:${column} in the result, and at ${right.line}:${right.column} in the suites`;

/** Why a case cannot have ended like that; undefined where it can. */
export function caseFlaw(result: CaseResult, given: Case, rules: RuleBook): string | undefined {
  const what = `the case ${result.id}`;
  const { position, ...follows } = identityOf(given);
  const isInformational = given.rules.some((ref) => rules.levelOf(ref) === 'informational');
  return (
    memberFlaw(what, { stated: result, follows, from: 'the suites' }, Object.keys(follows)) ??
    positionFlaw(what, result.position, position) ??
    findingsFlaw(result.findings, { what, rules, judged: new Set([...rulesJudgedBy(given), ...acceptingIn(rules)]) }) ??
    namesFlaw(result, given, what) ??
    confirmationFlaw(result, what) ??
    unstableFlaw(result, what) ??
    verdictFlaw(result, what, isInformational)
  );
}
