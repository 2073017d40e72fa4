import type { CaseResult, Confirmation, InvariantResult } from '../../model/result.ts';
import { type AssignedCase, type PlannedCase, isAssigned } from '../plan/assign.ts';
import { planTime } from '../plan/planned-time.ts';
import { attemptCase, withoutWatch } from './plain-case.ts';
import {
  type ConfirmServices,
  runPlainControls,
  type FinishedCase,
  isSerious,
  isRequired,
  confirmedVerdict,
} from './plain-control.ts';
import { actsToRepeat, leaveSlipsOpen, resultsOfBoth, shiftActs } from './person.ts';
import { attributeToCase, hadAcceptedRequest, isRefusedValue, traceRefusal } from './refused-value.ts';
import { isThrottledCase } from '../../judge/classify.ts';
import type { Invariant, Step } from '../../suite/suites.ts';
import { isUnrepeatable } from '../act/repeat.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef, worstVerdict } from '../../model/rule.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { countedVerdict } from '../../verdict/standing.ts';
import { groupBy } from '../../lib/lists.ts';
import { runInTimeline } from '../clock/timeline.ts';

const requiredRefs = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(findings.filter(isRequired).map(renderRuleRef));

interface TryComparison {
  readonly findings: readonly Finding[];
  readonly confirmation: Confirmation;
}

/** Compares two tries. A rule broken in both is confirmed, in one of them unstable; the findings of both are kept. */
function compareTries(first: readonly Finding[], again: readonly Finding[]): TryComparison {
  const [before, after] = [requiredRefs(first), requiredRefs(again)];
  const marked = (findings: readonly Finding[], other: ReadonlySet<string>): readonly Finding[] =>
    findings.map((one) => (isRequired(one) && !other.has(renderRuleRef(one)) ? { ...one, unstable: true } : one));
  const onlyAgain = again.filter((one) => isRequired(one) && !before.has(renderRuleRef(one)));
  const status = [...before].some((ref) => after.has(ref)) ? 'confirmed' : 'unstable';
  return { findings: [...marked(first, after), ...marked(onlyAgain, before)], confirmation: { status } };
}

const markSeenOnce = <T extends CaseResult | InvariantResult>(result: T, reason: string): T => ({
  ...result,
  confirmation: { status: 'seen-once', reason },
});

/** Reason not to run a case a second time, or undefined. */
const reasonNotRepeated = (planned: AssignedCase, { services, left }: ConfirmServices): string | undefined =>
  planTime(planned.case, services).total > left() ? 'the budget leaves no time for a second try' : undefined;

/** The same for a case whose findings rest on no person: none is asked again for it. */
const reasonNotRerun = (planned: AssignedCase, confirming: ConfirmServices): string | undefined =>
  planTime(planned.case, confirming.services).prompt.length > 0
    ? 'a person would have to do it all again'
    : reasonNotRepeated(planned, confirming);

/** A case without a second try: what may be a slip of a person stays open, the rest was seen once. */
function withoutSecondTry(result: CaseResult, reason: string): CaseResult {
  const left = leaveSlipsOpen(result, new Set(), reason);
  return left.findings.some(isRequired) ? markSeenOnce(left, reason) : left;
}

async function runSecondTry(result: CaseResult, first: FinishedCase, confirming: ConfirmServices): Promise<CaseResult> {
  const { planned, order } = first;
  const { case: given, assignment } = planned;
  const asksAgain = actsToRepeat(result);
  const reason = (asksAgain === undefined ? reasonNotRerun : reasonNotRepeated)(planned, confirming);
  if (reason !== undefined) return withoutSecondTry(result, reason);
  const isLate = result.findings.some(({ code }) => code === 'late-delivery');
  const watched = isLate ? given : withoutWatch(given, confirming.services);
  const again = await attemptCase(
    { case: watched, assignment, of: given.id, order, name: 'again', asksAgain },
    confirming.services,
  );
  if ('impossible' in again) {
    const isCutOff = confirming.services.timeline.stopped.aborted;
    return isCutOff ? result : withoutSecondTry(result, `no second try: ${again.impossible}`);
  }
  const acts = [...(result.acts ?? []), ...(again.acts ?? [])];
  const messages = [...result.messages, ...again.messages];
  const tried = { ...result, messages, ...(acts.length === 0 ? {} : { acts }) };
  const isInconclusive = again.verdict === 'inconclusive' && !again.findings.some(isRequired);
  if (isInconclusive) return withoutSecondTry(tried, `the second try came to no verdict: ${again.reason ?? ''}`);
  const isTraced = !result.findings.some(isRefusedValue);
  const later = again.findings.map((one) => shiftActs(one, result.acts?.length ?? 0));
  const found = isTraced ? attributeToCase(later, given, confirming.services) : later;
  const { findings, confirmation } = compareTries(result.findings, found);
  const compared = { ...tried, findings, confirmation, verdict: confirmedVerdict(findings, result.reason) };
  const isOtherwise = found.some(isRequired);
  return leaveSlipsOpen(
    compared,
    resultsOfBoth(result.findings, found),
    isOtherwise ? 'asked again, it came out otherwise in another way' : 'asked again, it came out as asked',
  );
}

/** Traces a refusal to the difference that caused it, if the request can be sent alone. */
async function traceCaseRefusal(
  result: CaseResult,
  first: FinishedCase,
  confirming: ConfirmServices,
): Promise<CaseResult> {
  if (!result.findings.some(isRefusedValue)) return result;
  if (reasonNotRerun(first.planned, confirming) !== undefined) return result;
  const traced = await traceRefusal({ ...first, result }, confirming.services);
  return traced === undefined ? result : { ...traced, verdict: confirmedVerdict(traced.findings, traced.reason) };
}

/** Confirms the findings of a case: the plain request of its client and subscriber holds, and a second try finds them again. */
export async function confirmCase(first: FinishedCase, confirming: ConfirmServices): Promise<CaseResult> {
  const { result } = first;
  const isOpen = result.verdict === 'inconclusive' && result.unmet !== undefined;
  if (!isOpen && !result.findings.some(isSerious)) return result;
  // The case itself showed that the carrier accepts a request of this client.
  const isShown = result.findings.some((one) => isRefusedValue(one) && hadAcceptedRequest(one, result));
  const plain = isShown ? result : await runPlainControls(first, confirming);
  const controlled = await traceCaseRefusal(plain, first, confirming);
  // A stop may have cut the controls off: then nothing is known of the findings.
  if (confirming.services.timeline.stopped.aborted) return controlled;
  const isConfirmed = confirming.again && controlled.confirmation === undefined && controlled.findings.some(isRequired);
  const confirmed = isConfirmed ? await runSecondTry(controlled, first, confirming) : controlled;
  return confirmed === result ? result : { ...confirmed, endedAt: confirming.services.timeline.now() };
}

/** Runs a throttled case again until it is heard, and a disturbed one once. The invariants judge the messages of every try. */
export async function rerunUnheard(
  { planned, order, result }: FinishedCase,
  confirming: ConfirmServices,
): Promise<CaseResult> {
  const { services } = confirming;
  const wasUnheard = (one: CaseResult): boolean => isThrottledCase(one) || services.state.disturbed.has(one);
  if (!wasUnheard(result) || reasonNotRerun(planned, confirming) !== undefined) return result;
  const { case: given, assignment } = planned;
  const { invariants } = services;
  let heard = result;
  let last = result;
  const isHeardSoon = (step: Step): boolean =>
    step.name === heard.unmet && (step.at !== undefined || isUnrepeatable(step));
  for (let time = 1; time <= (given.steps.some(isHeardSoon) ? 5 : 1) && wasUnheard(last); time += 1) {
    const trying = { case: given, assignment, of: given.id, order, name: 'later', time, invariants } as const;
    const later = await attemptCase(trying, services);
    if ('impossible' in later) return heard;
    last = later;
    heard = { ...later, startedAt: result.startedAt, messages: [...heard.messages, ...later.messages] };
  }
  return heard;
}

interface SingleViolation {
  readonly result: InvariantResult;
  readonly seenIn: string;
}

function singleViolation(result: InvariantResult): SingleViolation | undefined {
  const { confirmation, on, findings } = result;
  if (confirmation?.status !== 'seen-once' || on === 'run') return undefined;
  const seenIn = findings.find((one) => countedVerdict(one) === 'fail')?.seenIn;
  return seenIn === undefined ? undefined : { result, seenIn };
}

/** Compares an invariant with its findings in the second try of the case that broke it. */
function compareInvariant(
  result: InvariantResult,
  seenIn: string,
  again: InvariantResult | undefined,
): InvariantResult {
  const broken = new Set(again?.findings.map(renderRuleRef));
  const findings = result.findings.map((one) => {
    const isGone = one.seenIn === seenIn && countedVerdict(one) === 'fail' && !broken.has(renderRuleRef(one));
    return isGone ? { ...one, unstable: true as const } : one;
  });
  const status: Confirmation['status'] = findings.some((one) => countedVerdict(one) === 'fail')
    ? 'confirmed'
    : 'unstable';
  return {
    ...result,
    findings,
    verdict: worstVerdict(findings.map(countedVerdict)) ?? result.verdict,
    confirmation: { status },
  };
}

/** Runs a case again, and judges its messages by the invariants that only this case broke. */
async function rerunSingles(
  singles: readonly SingleViolation[],
  planned: PlannedCase | undefined,
  { confirming, invariants }: { readonly confirming: ConfirmServices; readonly invariants: readonly Invariant[] },
): Promise<readonly InvariantResult[]> {
  const { services } = confirming;
  const once = (reason: string): readonly InvariantResult[] =>
    singles.map(({ result }) => markSeenOnce(result, reason));
  if (planned === undefined || !isAssigned(planned)) return once('its case did not run');
  const reason = reasonNotRerun(planned, confirming);
  if (reason !== undefined) return once(reason);
  const names = new Set(singles.map(({ result }) => result.id));
  const {
    rules,
    interface: { checks },
  } = services;
  const judge = createInvariantJudge({ invariants: invariants.filter(({ id }) => names.has(id)), checks, rules });
  const { case: given, assignment } = planned;
  const trying = { case: given, assignment, of: given.id, name: 'again', order: 0, invariants: judge } as const;
  const again = await runInTimeline(services.timeline, () => attemptCase(trying, services));
  if ('impossible' in again) return once(`no second try: ${again.impossible}`);
  const found = new Map(judge.conclude().map((one) => [one.id, one]));
  return singles.map(({ result, seenIn }) => compareInvariant(result, seenIn, found.get(result.id)));
}

/** Confirms an invariant broken in only one case by running that case again; two cases confirm each other. */
export async function confirmInvariants(
  results: readonly InvariantResult[],
  plan: readonly PlannedCase[],
  given: { readonly confirming: ConfirmServices; readonly invariants: readonly Invariant[] },
): Promise<readonly InvariantResult[]> {
  if (!given.confirming.again) return results;
  const byCase = groupBy(
    results.flatMap((one) => singleViolation(one) ?? []),
    ({ seenIn }) => seenIn,
  );
  const planned = new Map(plan.map((one) => [one.case.id, one]));
  const confirmed = await Promise.all(
    [...byCase].map(([id, singles]) => rerunSingles(singles, planned.get(id), given)),
  );
  const byId = new Map(confirmed.flat().map((one) => [one.id, one]));
  return results.map((one) => byId.get(one.id) ?? one);
}
