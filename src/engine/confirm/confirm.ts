import { omitUndefined } from '../../lib/json.ts';
import type { CaseResult, Confirmation, InvariantResult } from '../../model/result.ts';
import { type AssignedCase, type PlannedCase, isAssigned } from '../plan/assign.ts';
import { planTime } from '../plan/planned-time.ts';
import { attemptCase, withoutWatch } from './plain-case.ts';
import { type ConfirmServices, runPlainControls, type FinishedCase, isSerious, isRequired } from './plain-control.ts';
import { actsToRepeat, leaveSlipsOpen, resultsOfBoth, shiftActs } from './person.ts';
import { attributeToCase, hadAcceptedRequest, isRefusedValue, traceRefusal } from './refused-value.ts';
import { isThrottledCase } from '../../judge/classify.ts';
import type { Invariant, Step } from '../../suite/suites.ts';
import { isUnrepeatable } from '../act/repeat.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef, worstVerdict } from '../../model/rule.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { standsAnyway } from '../../verdict/root-cause.ts';
import { confirmedVerdict, countedVerdict, seenOften } from '../../verdict/standing.ts';
import { groupBy } from '../../lib/lists.ts';
import { runInTimeline } from '../clock/timeline.ts';

/** Rule, request and expectation of a finding: violations of one rule by two requests do not confirm each other (P26). */
const violationKey = (finding: Finding): string => {
  const { step = '', position } = finding;
  return `${renderRuleRef(finding)} ${step} ${position.line}:${position.column ?? 0}`;
};

const violations = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(findings.filter(isRequired).map(violationKey));

interface TryComparison {
  readonly findings: readonly Finding[];
  readonly confirmation: Confirmation;
}

/** Compares two tries. A violation in both is confirmed, in one of them unstable; the findings of both are kept. */
function compareTries(first: readonly Finding[], again: readonly Finding[]): TryComparison {
  const [before, after] = [violations(first), violations(again)];
  // A demand was shown by two requests already: narrowRefusal.
  const isConfirmed = (one: Finding): boolean =>
    one.code === 'demanded' || (before.has(violationKey(one)) && after.has(violationKey(one)));
  const onlyAgain = again.filter((one) => isRequired(one) && !before.has(violationKey(one)));
  // Tokens or data that must not have come stand at once: the case may have used up the precondition (P21).
  const findings = [...first, ...onlyAgain].map((one) =>
    isRequired(one) && !isConfirmed(one) && !standsAnyway(one) ? { ...one, unstable: true as const } : one,
  );
  const standing = findings.filter(isRequired);
  if (standing.length === 0) return { findings, confirmation: { status: 'unstable' } };
  if (standing.some(isConfirmed)) return { findings, confirmation: { status: 'confirmed' } };
  return { findings, confirmation: { status: 'seen-once', reason: 'a second try did not bring it again' } };
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
  // A second try that reached its end has judged what the first one left open.
  const { reason: why, unmet, open, ...judged } = tried;
  const left = again.reason === undefined ? {} : omitUndefined({ reason: why, unmet, open });
  const compared = { ...judged, ...left, findings, confirmation, verdict: confirmedVerdict(findings, left.reason) };
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

/** Number of further tries of a case whose requests failed, and went through when they were sent again. */
const triesOfPassing = 2;

/**
 * Runs a case with requests that failed in passing again, without sending any twice: a step that fails in each try is broken, or leaves the
 * case open if it is a control (P26).
 */
async function confirmPassing(first: FinishedCase, confirming: ConfirmServices): Promise<CaseResult> {
  const { planned, order, result } = first;
  const { case: given, assignment } = planned;
  const { services } = confirming;
  if (!confirming.again || reasonNotRerun(planned, confirming) !== undefined) return result;
  const steps = new Set(result.messages.flatMap((one) => (one.kind === 'exchange' && one.passing ? one.step : [])));
  const failed = ({ step = '' }: Pick<Finding, 'step'>): boolean => steps.has(step);
  let tried = result;
  for (let time = 1; ; time += 1) {
    const again = await attemptCase({ case: given, assignment, of: given.id, order, name: 'again', time }, services);
    if ('impossible' in again) return tried;
    tried = { ...tried, messages: [...tried.messages, ...again.messages] };
    const { reason, unmet } = again;
    const findings = attributeToCase(again.findings.filter(failed), given, services).filter(isSerious);
    if (findings.length === 0 && !failed({ step: unmet ?? '' })) return tried;
    if (time < triesOfPassing) continue;
    const confirmation = findings.some(isRequired) ? { status: 'confirmed' as const } : undefined;
    const open = findings.length > 0 ? {} : omitUndefined({ reason, unmet });
    return {
      ...tried,
      ...open,
      findings,
      verdict: confirmedVerdict(findings, open.reason),
      ...omitUndefined({ confirmation }),
    };
  }
}

/** Confirms the findings of a case: the plain request of its client and subscriber holds, and a second try finds them again. */
export async function confirmCase(first: FinishedCase, confirming: ConfirmServices): Promise<CaseResult> {
  const { result } = first;
  const isOpen = result.verdict === 'inconclusive' && result.unmet !== undefined;
  if (!isOpen && result.passing !== undefined && !result.findings.some(isSerious))
    return confirmPassing(first, confirming);
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

/** A broken invariant, whose violations must be seen again where they came: two cases never confirm each other (P26). */
interface OpenInvariant {
  readonly result: InvariantResult;
  /** Cases that showed a required violation, the shortest first. */
  readonly cases: readonly PlannedCase[];
}

/** Most cases that run again for an invariant before its violations count as unstable. */
const maxRerunCases = 3;

function openInvariant(
  result: InvariantResult,
  planned: ReadonlyMap<string, PlannedCase>,
  services: ConfirmServices['services'],
): OpenInvariant | undefined {
  const { confirmation, on, findings } = result;
  if (confirmation?.status !== 'seen-once' || on === 'run') return undefined;
  const seenIn = new Set(findings.filter(isRequired).flatMap((one) => one.seenIn ?? []));
  const cases = [...seenIn].flatMap((id) => planned.get(id) ?? []);
  const lengths = new Map(cases.map((one) => [one, planTime(one.case, services).held]));
  const byLength = cases.toSorted((one, other) => (lengths.get(one) ?? 0) - (lengths.get(other) ?? 0));
  return cases.length === 0 ? undefined : { result, cases: byLength.slice(0, maxRerunCases) };
}

interface RerunSettings {
  readonly confirming: ConfirmServices;
  readonly invariants: readonly Invariant[];
}

/** Findings of invariants in another try of a case, by their ids; a reason if there was no other try. */
type RerunOutcome = { readonly found: ReadonlyMap<string, readonly Finding[]> } | { readonly impossible: string };

/** Runs a case again, and judges its messages by these invariants. */
async function rerunCase(
  planned: PlannedCase,
  ids: ReadonlySet<string>,
  { confirming, invariants }: RerunSettings,
): Promise<RerunOutcome> {
  const { services } = confirming;
  if (!isAssigned(planned)) return { impossible: 'its case did not run' };
  const reason = reasonNotRerun(planned, confirming);
  if (reason !== undefined) return { impossible: reason };
  const {
    rules,
    interface: { checks },
  } = services;
  const judge = createInvariantJudge({ invariants: invariants.filter(({ id }) => ids.has(id)), checks, rules });
  const { case: given, assignment } = planned;
  const trying = { case: given, assignment, of: given.id, name: 'again', order: 0, invariants: judge } as const;
  const again = await runInTimeline(services.timeline, () => attemptCase(trying, services));
  if ('impossible' in again) return { impossible: `no second try: ${again.impossible}` };
  return { found: new Map(judge.conclude().map(({ id, findings }) => [id, findings])) };
}

/** Rules and aspects that the other tries show broken. */
function seenAgain({ id }: InvariantResult, tries: readonly RerunOutcome[]): ReadonlySet<string> {
  const again = tries.flatMap((one) => ('found' in one ? (one.found.get(id) ?? []) : []));
  return new Set(again.filter(isRequired).map(renderRuleRef));
}

/** Whether the tries show all that the invariant found. */
const isSeenAgain = (result: InvariantResult, tries: readonly RerunOutcome[]): boolean => {
  const seen = seenAgain(result, tries);
  return result.findings.every((one) => !isRequired(one) || seen.has(renderRuleRef(one)));
};

/** Compares an invariant with its other tries: one violation that is seen again confirms it, in whichever case. */
function compareInvariant(result: InvariantResult, tries: readonly RerunOutcome[]): InvariantResult {
  const seen = seenAgain(result, tries);
  const impossible = tries.flatMap((one) => ('impossible' in one ? one.impossible : []))[0];
  if (impossible !== undefined && seen.size === 0) return markSeenOnce(result, impossible);
  const often = seenOften(result.findings);
  const findings = result.findings.map((one) =>
    isRequired(one) && !seen.has(renderRuleRef(one)) && !often.has(renderRuleRef(one))
      ? { ...one, unstable: true as const }
      : one,
  );
  const standing = findings.filter(isRequired);
  const status = standing.length === 0 ? 'unstable' : 'confirmed';
  const isChance = standing.length > 0 && standing.every((one) => !seen.has(renderRuleRef(one)));
  const chance = {
    status: 'seen-once',
    reason: `several cases showed it, and ${tries.length} of them not again`,
  } as const;
  return {
    ...result,
    findings,
    verdict: worstVerdict(findings.map(countedVerdict)) ?? result.verdict,
    confirmation: isChance ? chance : { status },
  };
}

/** Confirms the broken invariants: runs a case that broke one again, and another one if it does not show it; at most three. */
export async function confirmInvariants(
  results: readonly InvariantResult[],
  plan: readonly PlannedCase[],
  given: RerunSettings,
): Promise<readonly InvariantResult[]> {
  const { services, again } = given.confirming;
  if (!again) return results;
  const planned = new Map(plan.map((one) => [one.case.id, one]));
  const all = results.flatMap((one) => openInvariant(one, planned, services) ?? []);
  const tried = new Map<string, RerunOutcome[]>(all.map(({ result }) => [result.id, []]));
  for (let round = 0; round < maxRerunCases; round += 1) {
    const open = all.filter(({ result }) => !isSeenAgain(result, tried.get(result.id) ?? []));
    const byCase = groupBy(
      open.flatMap(({ result, cases }) => {
        const next = cases[round];
        return next === undefined ? [] : [{ id: result.id, next }];
      }),
      ({ next }) => next.case.id,
    );
    await Promise.all(
      [...byCase.values()].map(async (broken) => {
        const [first] = broken;
        if (first === undefined) return;
        const outcome = await rerunCase(first.next, new Set(broken.map(({ id }) => id)), given);
        for (const { id } of broken) tried.get(id)?.push(outcome);
      }),
    );
  }
  const byId = new Map(all.map(({ result }) => [result.id, compareInvariant(result, tried.get(result.id) ?? [])]));
  return results.map((one) => byId.get(one.id) ?? one);
}
