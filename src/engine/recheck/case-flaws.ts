import { recordedContent, recordedExchange } from '../../journal/contribution.ts';
import { mayPass, summarizeResponse } from '../../judge/classify.ts';
import { classifyResponse } from '../../verdict/response-class.ts';
import { judgeExpectation } from '../../judge/expectations.ts';
import { maxKeptFindings, invariantVerdict } from '../../judge/invariant-tally.ts';
import type { ResponseObservation } from '../../judge/observation.ts';
import type { RuleBook } from '../../judge/rule-book.ts';
import { countedVerdict } from '../../verdict/standing.ts';
import { truncateText } from '../../lib/truncation.ts';
import { firstDifference, quoteValue } from '../../lib/difference.ts';
import { parseBody, omitUndefined } from '../../lib/json.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding, FindingCode } from '../../model/finding.ts';
import type { Interface, Messages } from '../../model/interface.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import {
  type Position,
  renderRuleRef,
  type RuleRef,
  isConclusive,
  type Verdict,
  worstVerdict,
} from '../../model/rule.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Case, Invariant, Step } from '../../suite/suites.ts';
import { caseIdentity } from '../case/case-result.ts';
import { refuseResume } from '../resume/interrupted-run.ts';
import type { InterruptedRun } from '../run-options.ts';

/** Longest path of a member in a message, in UTF-16 units. */
const maxFlawPath = 200;

/** Describes the first member of a result that differs from what follows; undefined if none does. */
export function statementFlaw(what: string, stated: object, follows: object, from: string): string | undefined {
  const found = firstDifference(stated, follows);
  if (found === undefined) return undefined;
  const path = truncateText(found.path.join('.'), maxFlawPath);
  return `${path} of ${what} is ${quoteValue(found.stated)}, and ${quoteValue(found.follows)} follows from ${from}`;
}

/** Tolerance for the moment of an answer, in milliseconds: a real clock may be corrected. */
const actSlack = 10_000;

export function findDouble(names: Iterable<string>): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

const caseRuleRefs = ({ steps, rules }: Case): readonly RuleRef[] => [
  ...rules,
  ...steps.flatMap(({ expectations }) => expectations.flatMap((one) => one.rules)),
];

/** Rules that demand acceptance of a difference from the plain request or event: any case may break them. */
const acceptingRules = ({ all }: RuleBook): readonly string[] =>
  all.flatMap(({ id, accepts }) => (accepts === undefined ? [] : [id]));

/** Reports findings of rules not judged here, with a wrong level, or with a wrong confirmation. */
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
  const stands = required.some((one) => countedVerdict(one) === 'fail');
  if (stands === (status === 'unstable'))
    yield `${what} is ${status}, and ${stands ? 'not all' : 'all'} of its required findings are unstable`;
}

/** Reports wrong references between the messages, findings and recorded values of a case. */
function* nameFlaws({ id, messages, findings, recorded, confirmation }: CaseResult, given: Case, what: string) {
  const ids = messages.map((message) => message.id);
  const twice = findDouble(ids);
  if (twice !== undefined) yield `${what} has the message ${twice} twice`;
  const foreign = ids.find((one) => !one.startsWith(`${id}#`));
  if (foreign !== undefined) yield `${what} has the message ${foreign}, which is of another case`;
  for (const { message, seenIn = id, unstable, ...ref } of findings) {
    if (message !== undefined && !ids.includes(message))
      yield `${what} has a finding of ${renderRuleRef(ref)} in the message ${message}, which it has not`;
    if (seenIn !== id) yield `${what} has a finding that was seen in ${seenIn}`;
    // An invariant that was joined from several shards has no confirmation. A case with an unstable finding has one.
    if (unstable === true && (confirmation === undefined || confirmation.status === 'seen-once'))
      yield `${what} has an unstable finding, and was not confirmed`;
  }
  const recordable = new Set(given.steps.flatMap(({ record }) => [...record].map(([name]) => name)));
  for (const name of Object.keys(recorded)) {
    // An operator's answer is recorded under the text of the question.
    if (!recordable.has(name) && !name.startsWith('operator: '))
      yield `${what} recorded ${name}, which no step of it records`;
  }
}

/** Reports acts of people outside the case, and a finding that may be a slip of a person, and was not seen twice (P22). */
function* actFlaws({ acts = [], findings, confirmation, startedAt, endedAt }: CaseResult, what: string) {
  const stray = acts.find(({ at }) => at < startedAt - actSlack || at > endedAt + actSlack);
  if (stray !== undefined) yield `${what} has an answer of a person at ${stray.at}, outside of the case`;
  for (const { afterActs, ...finding } of findings) {
    if (afterActs === undefined) continue;
    const ref = renderRuleRef(finding);
    if (afterActs > acts.length)
      yield `${what} has a finding of ${ref} after ${afterActs} answers of people, and holds ${acts.length}`;
    if (countedVerdict(finding) === 'fail' && confirmation?.status !== 'confirmed')
      yield `${what} has a finding of ${ref} after an answer of a person, who was not asked again`;
  }
}

/** Reports a cause that neither the case nor its suite knows, and rules left open that it does not judge. */
function* passingFlaws({ messages, passing = 0 }: CaseResult, what: string) {
  const marked = messages.filter((one): one is Exchange => one.kind === 'exchange' && one.passing === true);
  if (marked.length !== passing) yield `${what} counts ${passing} failures that went away, and has ${marked.length}`;
  const other = marked.find(({ response }) => !mayPass(omitUndefined({ status: response?.status })));
  if (other !== undefined) yield `${what} calls the message ${other.id} a failure that went away, and it is none`;
}

function* causeFlaws({ id, followsFrom, findings, open, reason }: CaseResult, given: Case, rules: RuleBook) {
  const what = `the case ${id}`;
  if (open !== undefined) {
    const judged = new Set(caseRuleRefs(given).map(({ rule }) => rule));
    const foreign = open.find((rule) => !judged.has(rule));
    if (reason === undefined) yield `${what} leaves rules open, and says no reason`;
    if (foreign !== undefined) yield `${what} leaves ${foreign} open, which it does not judge`;
  }
  if (followsFrom === undefined) return;
  const ref = renderRuleRef(followsFrom);
  if (followsFrom.case !== id) {
    // A plain case fails only by a required rule.
    if (rules.find(followsFrom.rule)?.level !== 'required') yield `${what} follows from ${ref}, which is not required`;
    return;
  }
  const isLeftOut = [...(given.optional?.values() ?? [])].some((one) => renderRuleRef(one) === ref);
  if (!isLeftOut && !findings.some(({ rule }) => rule === followsFrom.rule))
    yield `${what} follows from ${ref}, and has no finding of it`;
}

/** Verdict that follows from the findings of a case, and from whether it finished. */
function recheckedVerdict({ verdict, reason, findings, recorded }: CaseResult, isInformational: boolean): Verdict {
  const found: Verdict[] = findings.map(countedVerdict);
  if (isInformational && Object.keys(recorded).length > 0) found.push('informational');
  // Both mean that the case did not finish; its findings do not show which of the two it was.
  if (reason !== undefined) found.push(verdict === 'error' ? 'error' : 'inconclusive');
  return worstVerdict(found) ?? 'pass';
}

/** Reports results that a case cannot have without running. */
function* unrunFlaws({ verdict, reason, findings, recorded, messages, startedAt }: CaseResult, what: string) {
  if (reason === undefined) yield `${what} is ${verdict}, and says no reason`;
  if (findings.length > 0) yield `${what} is ${verdict}, and has ${findings.length} findings`;
  if (Object.keys(recorded).length > 0) yield `${what} is ${verdict}, and recorded something`;
  if (verdict === 'not-applicable' && (messages.length > 0 || startedAt !== 0))
    yield `${what} is ${verdict}, and has run: it has ${messages.length} messages`;
}

function* caseVerdictFlaws(result: CaseResult, what: string, isInformational: boolean): Iterable<string> {
  const { verdict, startedAt, client, subscriber } = result;
  if (verdict === 'attested') yield `${what} is attested, which only a rule can be`;
  if (verdict === 'not-run' || verdict === 'not-applicable') return yield* unrunFlaws(result, what);
  const follows = recheckedVerdict(result, isInformational);
  if (verdict !== follows) yield `${what} is ${verdict}, and ${follows} follows from its findings`;
  if (startedAt === 0 && verdict !== 'error') yield `${what} is ${verdict}, and did not run`;
  if (startedAt !== 0 && (client === undefined || subscriber === undefined))
    yield `${what} has run, and names no client or no subscriber`;
}

/** Position without the file, whose path depends on the folder of the run. */
const fileFreePosition = ({ line, column }: Position) => ({ line, column });

function* caseFlaws(result: CaseResult, given: Case, { rules, interface: certified }: CaseJudging): Iterable<string> {
  const what = `the case ${result.id}`;
  const identity = (one: Case | CaseResult) => ({ ...caseIdentity(one), position: fileFreePosition(one.position) });
  const wrong = statementFlaw(what, identity(result), identity(given), 'the suites');
  if (wrong !== undefined) yield wrong;
  const judged = new Set([
    ...caseRuleRefs(given).map(({ rule }) => rule),
    ...acceptingRules(rules),
    certified.eventSubject,
    ...Object.values(certified.unknownEvents.rules),
    certified.responseRule,
    // Tokens that came are of the rule that the plain case breaks.
    ...result.findings.flatMap(({ rule, carries }) =>
      carries !== undefined && rule === result.followsFrom?.rule ? [rule] : [],
    ),
  ]);
  yield* findingFlaws(result, what, { rules, judged });
  yield* nameFlaws(result, given, what);
  yield* actFlaws(result, what);
  yield* causeFlaws(result, given, rules);
  yield* passingFlaws(result, what);
  const isInformational = given.rules.some((ref) => rules.levelOf(ref) === 'informational');
  yield* caseVerdictFlaws(result, what, isInformational);
}

const invariantIdentity = (
  { id, title, suite, area, on, position }: Invariant | InvariantResult,
  rules: readonly RuleRef[],
) => ({ id, title, suite, area, on, rules, position: fileFreePosition(position) });

/** Context of an invariant: the rules, and the message ids by case. */
interface RecheckedRun {
  readonly rules: RuleBook;
  readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
}

export function* invariantFlaws(
  result: InvariantResult,
  given: Invariant,
  { rules, messages }: RecheckedRun,
): Iterable<string> {
  const what = `the invariant ${result.id}`;
  const { findings, judged, violations, verdict, reason } = result;
  const refs = given.expectations.flatMap((one) => one.rules);
  const wrong = statementFlaw(
    what,
    invariantIdentity(result, result.rules),
    invariantIdentity(given, refs),
    'the suites',
  );
  if (wrong !== undefined) yield wrong;
  yield* findingFlaws(result, what, { rules, judged: new Set(refs.map(({ rule }) => rule)) });
  if (judged === 0 && violations > 0) yield `${what} was judged on no message, and ${violations} broke it`;
  // Below the number kept per rule, every finding is present, at least one per message that broke it.
  const areAllKept = findings.length < maxKeptFindings && findings.length < violations;
  if (areAllKept || (violations === 0) !== (findings.length === 0))
    yield `${what} was broken by ${violations} messages, and has ${findings.length} findings`;
  for (const { seenIn = '', message, ...ref } of findings) {
    const held = messages.get(seenIn);
    const of = `${what} has a finding of ${renderRuleRef(ref)}`;
    if (held === undefined) yield `${of} in the case ${seenIn}, which the result has not`;
    else if (message !== undefined && !held.has(message))
      yield `${of} in the message ${message}, which ${seenIn} has not`;
  }
  const right = invariantVerdict(result);
  if (verdict !== right) yield `${what} is ${verdict}, and ${right} follows from its findings`;
  if ((reason !== undefined) === isConclusive(right))
    yield `${what} was judged on ${judged} messages, and gives ${reason === undefined ? 'no' : 'a'} reason for having no verdict`;
}

/** Outcomes that one response shows; the others need later deliveries or repetitions. */
const selfEvidentOutcomes: ReadonlySet<Outcome | undefined> = new Set(['accepted', 'denied', 'answered', undefined]);
/** Finding codes that do not depend on what the recorder removed from a message. */
const independentCodes: ReadonlySet<FindingCode> = new Set(['outcome', 'status', 'error-code']);

/** Rebuilds a response from the record; undefined if it is truncated or missing. */
function rebuildObservation(exchange: Exchange, { meant }: Pick<Messages, 'meant'>): ResponseObservation | undefined {
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
    ...omitUndefined({ body }),
  };
}

/** Single exchange of a step; undefined if it had several, or another try decided. */
function singleExchange({ name, times }: Step, { messages }: CaseResult, { steps }: Case): Exchange | undefined {
  if ((times ?? 1) > 1 || steps.some(({ interleave }) => interleave === name)) return undefined;
  const own = messages.filter((one): one is Exchange => one.kind === 'exchange' && one.step === name);
  const [first, ...others] = own.filter(({ attempt, passing }) => attempt === undefined && passing !== true);
  return others.length > 0 || own.some(({ attempt }) => attempt === 'later') ? undefined : first;
}

const emptyScope = { now: () => 0, random: () => '', root: () => undefined };

const belongsTo = ({ position, step, rule }: Finding, of: Step, expectation: Expectation): boolean =>
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
  if (!selfEvidentOutcomes.has(outcome)) return undefined;
  const judged = judgeExpectation(
    { rules, position, ...omitUndefined({ outcome, status, error }) },
    observation,
    emptyScope,
  );
  const stated = result.findings.filter(
    (finding) =>
      independentCodes.has(finding.code) &&
      finding.message === observation.message &&
      belongsTo(finding, step, expectation),
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

/** Judges the recorded responses again: outcome, status and error code. Returns the first flaw. */
function responsesFlaw(result: CaseResult, given: Case, messages: Pick<Messages, 'meant'>): string | undefined {
  // An unfinished case, or one that keeps the findings of one rule only, may lack findings that its messages show.
  if (result.startedAt === 0 || result.reason !== undefined) return undefined;
  for (const step of given.steps) {
    if (step.control || step.expectations.length === 0) continue;
    // A refused step ends its case: its finding stands at the step, and no expectation was judged.
    if (result.findings.some((one) => one.code === 'refused' && one.step === step.name)) break;
    const exchange = singleExchange(step, result, given);
    const observation = exchange === undefined ? undefined : rebuildObservation(exchange, messages);
    if (observation === undefined) continue;
    for (const expectation of step.expectations) {
      const wrong = expectationFlaw(expectation, observation, { step, result });
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

/** The interface, as far as recorded cases are judged again by it. */
export type RecheckedInterface = Pick<Interface, 'eventSubject' | 'responseRule' | 'unknownEvents'> & {
  readonly messages: Pick<Messages, 'meant'>;
};

interface CaseJudging {
  readonly rules: RuleBook;
  readonly interface: RecheckedInterface;
}

/** First point in which a recorded case contradicts its suite, its findings or its recorded responses. */
export function recordedCaseFlaw(
  result: CaseResult,
  given: Case,
  { rules, interface: certified }: CaseJudging,
): string | undefined {
  const [wrong] = caseFlaws(result, given, { rules, interface: certified });
  return wrong ?? responsesFlaw(result, given, certified.messages);
}

/** Throws if a case of the journal contradicts itself or the selection: a resumed run takes its verdict over. */
export function requireSoundCases({ entries }: InterruptedRun, cases: readonly Case[], judging: CaseJudging): void {
  const planned = new Map(cases.map((one) => [one.id, one]));
  for (const entry of entries) {
    if (entry.kind !== 'case') continue;
    const given = planned.get(entry.case.id);
    const flaw =
      given === undefined
        ? `it has the case ${entry.case.id}, which its run did not select`
        : recordedCaseFlaw(entry.case, given, judging);
    if (flaw !== undefined) throw refuseResume('contradiction', `--resume: the journal contradicts itself: ${flaw}`);
  }
}
