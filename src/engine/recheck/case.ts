import { recordedContent, recordedExchange } from '../../journal/contribution.ts';
import { classifyResponse, summarizeResponse } from '../../judge/classify.ts';
import { judgeExpectation } from '../../judge/expectations.ts';
import { keptFindings, verdictOfInvariant } from '../../judge/invariant-tally.ts';
import type { ResponseObservation } from '../../judge/observation.ts';
import { type RuleBook, verdictOfFinding } from '../../judge/rule-book.ts';
import { cutAt } from '../../lib/cut.ts';
import { differenceIn, shownValue } from '../../lib/difference.ts';
import { parseBody, defined } from '../../lib/json.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding, FindingCode } from '../../model/finding.ts';
import type { Messages } from '../../model/interface.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import { type Position, renderRuleRef, type RuleRef, isConclusive, type Verdict, worst } from '../../model/rule.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Case, Invariant, Step } from '../../suite/suites.ts';
import { identityOf } from '../case/case-result.ts';

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

/** What one response shows by itself; others need what came of the request, or how often it was sent. */
const shownAlone: ReadonlySet<Outcome | undefined> = new Set(['accepted', 'denied', 'answered', undefined]);
/** What is said of these keys does not depend on what the recorder took out of a message. */
const codes: ReadonlySet<FindingCode> = new Set(['outcome', 'status', 'error-code']);

/** The response as the record shows it; undefined where the record has not all of it, or it never came. */
function observationOf(exchange: Exchange, { meant }: Pick<Messages, 'meant'>): ResponseObservation | undefined {
  const { response } = exchange;
  if (response === undefined || response.truncated === true) return undefined;
  const { status } = response;
  const body = meant(parseBody(response.body), response.body);
  const outcome = classifyResponse(status, body);
  return {
    ...recordedExchange(exchange),
    ...recordedContent(response),
    usual: true,
    status,
    outcome,
    summary: summarizeResponse(outcome, status, body),
    ...defined({ body }),
  };
}

/** The one exchange of a step; undefined where it had several, or another try decided. */
function exchangeOf({ name, times }: Step, { messages }: CaseResult, { steps }: Case): Exchange | undefined {
  if ((times ?? 1) > 1 || steps.some(({ interleave }) => interleave === name)) return undefined;
  const own = messages.filter((one): one is Exchange => one.kind === 'exchange' && one.step === name);
  const [first, ...others] = own.filter(({ attempt }) => attempt === undefined);
  return others.length > 0 || own.some(({ attempt }) => attempt === 'later') ? undefined : first;
}

const noScope = { now: () => 0, random: () => '', root: () => undefined };

const isOf = ({ position, step, rule }: Finding, of: Step, expectation: Expectation): boolean =>
  step === of.name &&
  position.line === expectation.position.line &&
  position.column === expectation.position.column &&
  expectation.rules.some((ref) => ref.rule === rule);

function expectationFlaw(
  expectation: Expectation,
  observation: ResponseObservation,
  { step, result }: { readonly step: Step; readonly result: CaseResult },
): string | undefined {
  const { outcome, status, error, rules, position } = expectation;
  if (!shownAlone.has(outcome)) return undefined;
  const judged = judgeExpectation({ rules, position, ...defined({ outcome, status, error }) }, observation, noScope);
  const stated = result.findings.filter(
    (finding) => codes.has(finding.code) && finding.message === observation.message && isOf(finding, step, expectation),
  );
  const what = `the case ${result.id}`;
  const message = `the message ${observation.message}, ${observation.summary},`;
  const missing = judged.find(({ code }) => stated.every((finding) => finding.code !== code));
  if (missing !== undefined) {
    const wanted = JSON.stringify(missing.expected);
    return `${what} has no finding of ${rules.map(({ rule }) => rule).join(', ')} in step ${step.name}, and ${message} is not ${wanted}`;
  }
  const invented = stated.find(({ code }) => judged.every((one) => one.code !== code));
  return invented === undefined
    ? undefined
    : `${what} has a finding of ${invented.rule} (${invented.code}), and ${message} is as it should be`;
}

/** Judges the recorded response of a step again: its outcome, its status and its error code. */
export function responsesFlaw(result: CaseResult, given: Case, messages: Pick<Messages, 'meant'>): string | undefined {
  // A case that did not come to its end, or of which only findings of one rule stand, says less than its messages.
  if (result.startedAt === 0 || result.reason !== undefined) return undefined;
  for (const step of given.steps) {
    if (step.control || step.expectations.length === 0) continue;
    const exchange = exchangeOf(step, result, given);
    const observation = exchange === undefined ? undefined : observationOf(exchange, messages);
    if (observation === undefined) continue;
    for (const expectation of step.expectations) {
      const wrong = expectationFlaw(expectation, observation, { step, result });
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}
