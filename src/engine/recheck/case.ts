import { type RuleBook, verdictOfFinding } from '../../judge/rule-book.ts';
import { keptFindings, verdictOfInvariant } from '../../judge/invariant-tally.ts';
import { type Position, renderRuleRef, type RuleRef, isConclusive, type Verdict, worst } from '../../model/rule.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import type { Case, Invariant } from '../../suite/suites.ts';
import { identityOf } from '../case/case-result.ts';
import { cutAt } from '../../lib/cut.ts';
import { differenceIn, shownValue } from '../../lib/difference.ts';

/** UTF-16 units of the path of a member in a message. */
const longestPath = 200;

/** A sentence for the first member that a result states otherwise than what follows; undefined where none is. */
export function statementFlaw(what: string, stated: object, follows: object, from: string): string | undefined {
  const found = differenceIn(stated, follows);
  if (found === undefined) return undefined;
  const path = cutAt(found.path.join('.'), longestPath);
  return `${path} of ${what} is ${shownValue(found.stated)}, and ${shownValue(found.follows)} follows from ${from}`;
}

export function doubled(names: Iterable<string>): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

const rulesJudgedBy = ({ steps, rules }: Case): readonly RuleRef[] => [
  ...rules,
  ...steps.flatMap(({ expectations }) => expectations.flatMap((one) => one.rules)),
];

/** The rules by which what differs from the plain request, or comes after a plain event, must be accepted: any case may break them. */
const acceptingIn = ({ all }: RuleBook): readonly string[] =>
  all.flatMap(({ id, accepts }) => (accepts === undefined ? [] : [id]));

/** Findings that cannot be those of a judge of these rules, at the level that the rules have, and how they were confirmed. */
function* findingFlaws(
  { findings, confirmation }: Pick<CaseResult, 'findings' | 'confirmation'>,
  what: string,
  { rules, judged }: { readonly rules: RuleBook; readonly judged: ReadonlySet<string> },
): Iterable<string> {
  for (const finding of findings) {
    const { rule, aspect, level, unstable } = finding;
    const ref = renderRuleRef(finding);
    if (!judged.has(rule)) yield `${what} has a finding of ${ref}, which it does not judge`;
    if (aspect !== undefined && !rules.find(rule)?.aspects.some(({ id }) => id === aspect))
      yield `${what} has a finding of ${ref}, and there is no such aspect`;
    const right = rules.levelOf(finding);
    if (level !== right) yield `${what} has a finding of ${ref} as ${level}, and the rule is ${right}`;
    if (unstable === true && level !== 'required')
      yield `${what} has an unstable finding that is not of a required rule`;
  }
  if (confirmation === undefined) return;
  const { status } = confirmation;
  const required = findings.filter(({ level }) => level === 'required');
  if (required.length === 0) yield `${what} is ${status}, and has no required finding`;
  const stands = required.some((one) => verdictOfFinding(one) === 'fail');
  if (stands === (status === 'unstable'))
    yield `${what} is ${status}, and ${stands ? 'not all' : 'all'} of its required findings are unstable`;
}

/** Messages, findings and recorded values of a case that name each other wrongly. */
function* nameFlaws({ id, messages, findings, recorded, confirmation }: CaseResult, given: Case, what: string) {
  const ids = messages.map((message) => message.id);
  const twice = doubled(ids);
  if (twice !== undefined) yield `${what} has the message ${twice} twice`;
  for (const { message, seenIn = id, unstable, ...ref } of findings) {
    if (message !== undefined && !ids.includes(message))
      yield `${what} has a finding of ${renderRuleRef(ref)} in the message ${message}, which it has not`;
    if (seenIn !== id) yield `${what} has a finding that was seen in ${seenIn}`;
    // An invariant that several shards found has no confirmation of its own; a case has one, or nothing unstable.
    if (unstable === true && (confirmation === undefined || confirmation.status === 'seen-once'))
      yield `${what} has an unstable finding, and was not confirmed`;
  }
  const recordable = new Set(given.steps.flatMap(({ record }) => [...record].map(([name]) => name)));
  for (const name of Object.keys(recorded)) {
    // The answer of an operator is recorded in the words of the question.
    if (!recordable.has(name) && !name.startsWith('operator: '))
      yield `${what} recorded ${name}, which no step of it records`;
  }
}

/** The verdict that follows from the findings of a case, and from whether it came to its end. */
function verdictOf({ verdict, reason, findings, recorded }: CaseResult, isInformational: boolean): Verdict {
  const found: Verdict[] = findings.map(verdictOfFinding);
  if (isInformational && Object.keys(recorded).length > 0) found.push('informational');
  // Both say that the case did not come to its end; its findings do not show which of the two it was.
  if (reason !== undefined) found.push(verdict === 'error' ? 'error' : 'inconclusive');
  return worst(found) ?? 'pass';
}

/** What a case that did not run must not have. */
function* unrunFlaws({ verdict, reason, findings, recorded, messages, startedAt }: CaseResult, what: string) {
  if (reason === undefined) yield `${what} is ${verdict}, and says no reason`;
  if (findings.length > 0) yield `${what} is ${verdict}, and has ${findings.length} findings`;
  if (Object.keys(recorded).length > 0) yield `${what} is ${verdict}, and recorded something`;
  if (verdict === 'not-applicable' && (messages.length > 0 || startedAt !== 0))
    yield `${what} is ${verdict}, and has run: it has ${messages.length} messages`;
}

function* verdictFlaws(result: CaseResult, what: string, isInformational: boolean): Iterable<string> {
  const { verdict, startedAt, client, subscriber } = result;
  if (verdict === 'attested') yield `${what} is attested, which only a rule can be`;
  if (verdict === 'not-run' || verdict === 'not-applicable') return yield* unrunFlaws(result, what);
  const follows = verdictOf(result, isInformational);
  if (verdict !== follows) yield `${what} is ${verdict}, and ${follows} follows from its findings`;
  if (startedAt === 0 && verdict !== 'error') yield `${what} is ${verdict}, and did not run`;
  if (startedAt !== 0 && (client === undefined || subscriber === undefined))
    yield `${what} has run, and names no client or no subscriber`;
}

/** The file of a suite is named from the folder of the run; the place in it is the same everywhere. */
const withoutFile = ({ line, column }: Position) => ({ line, column });

/** All that shows that a case cannot have ended like that. */
export function* caseFlaws(result: CaseResult, given: Case, rules: RuleBook): Iterable<string> {
  const what = `the case ${result.id}`;
  const identity = (one: Case | CaseResult) => ({ ...identityOf(one), position: withoutFile(one.position) });
  const wrong = statementFlaw(what, identity(result), identity(given), 'the suites');
  if (wrong !== undefined) yield wrong;
  const judged = new Set([...rulesJudgedBy(given).map(({ rule }) => rule), ...acceptingIn(rules)]);
  yield* findingFlaws(result, what, { rules, judged });
  yield* nameFlaws(result, given, what);
  const isInformational = given.rules.some((ref) => rules.levelOf(ref) === 'informational');
  yield* verdictFlaws(result, what, isInformational);
}

const identityOfInvariant = (
  { id, title, suite, area, on, position }: Invariant | InvariantResult,
  rules: readonly RuleRef[],
) => ({ id, title, suite, area, on, rules, position: withoutFile(position) });

/** Context of an invariant: the rules, and the ids of the messages by the case that has them. */
interface SeenRun {
  readonly rules: RuleBook;
  readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
}

/** All that shows that an invariant cannot have come out like that. */
export function* invariantFlaws(
  result: InvariantResult,
  given: Invariant,
  { rules, messages }: SeenRun,
): Iterable<string> {
  const what = `the invariant ${result.id}`;
  const { findings, judged, violations, verdict, reason } = result;
  const refs = given.expectations.flatMap((one) => one.rules);
  const wrong = statementFlaw(
    what,
    identityOfInvariant(result, result.rules),
    identityOfInvariant(given, refs),
    'the suites',
  );
  if (wrong !== undefined) yield wrong;
  yield* findingFlaws(result, what, { rules, judged: new Set(refs.map(({ rule }) => rule)) });
  if (judged === 0 && violations > 0) yield `${what} was judged on no message, and ${violations} broke it`;
  // Fewer than are kept of one rule: all that were found are there, and each message that broke it gave one.
  const areAllKept = findings.length < keptFindings && findings.length < violations;
  if (areAllKept || (violations === 0) !== (findings.length === 0))
    yield `${what} was broken by ${violations} messages, and has ${findings.length} findings`;
  for (const { seenIn = '', message, ...ref } of findings) {
    const held = messages.get(seenIn);
    const of = `${what} has a finding of ${renderRuleRef(ref)}`;
    if (held === undefined) yield `${of} in the case ${seenIn}, which the result has not`;
    else if (message !== undefined && !held.has(message))
      yield `${of} in the message ${message}, which ${seenIn} has not`;
  }
  const right = verdictOfInvariant(result);
  if (verdict !== right) yield `${what} is ${verdict}, and ${right} follows from its findings`;
  if ((reason !== undefined) === isConclusive(right))
    yield `${what} was judged on ${judged} messages, and gives ${reason === undefined ? 'no' : 'a'} reason for having no verdict`;
}
