import { omitUndefined } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { CaseResult, Confirmation, InvariantResult } from '../../model/result.ts';
import type { AssignedCase } from '../plan/assign.ts';
import { planTime } from '../plan/planned-time.ts';
import { type AttemptOrder, attemptCase, withoutWatch } from './plain-case.ts';
import { type ConfirmServices, type FinishedCase, isRequired } from './plain-control.ts';
import { actsToRepeat, leaveSlipsOpen, resultsOfBoth, shiftActs } from './person.ts';
import { attributeToCase, isRefusedValue } from './refused-value.ts';
import { mayPass } from '../../judge/classify.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { standsAnyway } from '../../verdict/root-cause.ts';
import { confirmedVerdict } from '../../verdict/standing.ts';

/**
 * Rule, request and expectation of a finding: violations of one rule by two requests do not confirm each other (P26). A delivery that did
 * not come is no request, so that it confirms another that did not: a carrier that stops sending may stop at an earlier step of the second try.
 */
const violationKey = (finding: Finding): string => {
  const { step = '', position, code, message } = finding;
  if (code === 'outcome' && message === undefined) return `${renderRuleRef(finding)} nothing came`;
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

export const markSeenOnce = <T extends CaseResult | InvariantResult>(result: T, reason: string): T => ({
  ...result,
  confirmation: { status: 'seen-once', reason },
});

/** Reason not to run a case a second time, or undefined. */
const reasonNotRepeated = (planned: AssignedCase, { services, left }: ConfirmServices): string | undefined =>
  planTime(planned.case, services).total > left() ? 'the budget leaves no time for a second try' : undefined;

/** The same for a case whose findings rest on no person: none is asked again for it. */
export const reasonNotRerun = (planned: AssignedCase, confirming: ConfirmServices): string | undefined =>
  planTime(planned.case, confirming.services).prompt.length > 0
    ? 'a person would have to do it all again'
    : reasonNotRepeated(planned, confirming);

/** A case without a second try: what may be a slip of a person stays open, the rest was seen once. */
function withoutSecondTry(result: CaseResult, reason: string): CaseResult {
  const left = leaveSlipsOpen(result, new Set(), reason);
  return left.findings.some(isRequired) ? markSeenOnce(left, reason) : left;
}

/** Number of further tries of a case whose requests failed, and went through when they were sent again. */
export const triesOfPassing = 2;

/** Whether a try came to no verdict because of a failure that may pass (P26): nothing is sent twice in it. */
const isSpoilt = (again: CaseResult | { readonly impossible: string }): again is CaseResult =>
  !('impossible' in again) &&
  again.verdict === 'inconclusive' &&
  again.messages.some(
    (one) =>
      one.kind === 'exchange' &&
      one.step === again.unmet &&
      mayPass(omitUndefined({ status: one.response?.status, noResponse: one.noResponse?.reason })),
  );

/** Runs a try, and once or twice more if it is spoilt; no person is asked for that. */
async function attemptUnspoilt(trying: AttemptOrder, { services }: ConfirmServices) {
  const spoilt: Message[] = [];
  let again = await attemptCase(trying, services);
  for (let time = 2; time <= triesOfPassing + 1 && isSpoilt(again) && trying.asksAgain === undefined; time += 1) {
    spoilt.push(...again.messages);
    again = await attemptCase({ ...trying, time }, services);
  }
  return { again, spoilt };
}

/** The first try with what both found. If the finding itself ended it, the second try that reached its end has judged the rest. */
function joinTries(tried: CaseResult, again: CaseResult, { findings, confirmation }: TryComparison): CaseResult {
  const { reason: why, unmet, open, ...judged } = tried;
  const isJudged = again.reason === undefined && tried.findings.some((one) => isRequired(one) && one.step === unmet);
  const left = isJudged ? {} : omitUndefined({ reason: why, unmet, open });
  return { ...judged, ...left, findings, confirmation, verdict: confirmedVerdict(findings, left.reason) };
}

/** A failure that may pass, and was not seen again, breaks nothing (P26). */
function passingUnstable(result: CaseResult): CaseResult {
  const findings = result.findings.map((one) =>
    one.mayPass === true && isRequired(one) ? { ...one, unstable: true as const } : one,
  );
  if (findings.some(isRequired)) return { ...result, findings };
  return {
    ...result,
    findings,
    confirmation: { status: 'unstable' },
    verdict: confirmedVerdict(findings, result.reason),
  };
}

/** Runs a case a second time, and compares the tries. */
export async function runSecondTry(
  result: CaseResult,
  first: FinishedCase,
  confirming: ConfirmServices,
): Promise<CaseResult> {
  const { planned, order } = first;
  const { case: given, assignment } = planned;
  const asksAgain = actsToRepeat(result);
  const reason = (asksAgain === undefined ? reasonNotRerun : reasonNotRepeated)(planned, confirming);
  if (reason !== undefined) return withoutSecondTry(result, reason);
  const isLate = result.findings.some(({ code }) => code === 'late-delivery');
  const watched = isLate ? given : withoutWatch(given, confirming.services);
  const trying = { case: watched, assignment, of: given.id, order, name: 'again', asksAgain } as const;
  const { again, spoilt } = await attemptUnspoilt(trying, confirming);
  if ('impossible' in again) {
    const isCutOff = confirming.services.timeline.stopped.aborted;
    return isCutOff ? result : withoutSecondTry(result, `no second try: ${again.impossible}`);
  }
  const acts = [...(result.acts ?? []), ...(again.acts ?? [])];
  const messages = [...result.messages, ...spoilt, ...again.messages];
  const tried = { ...result, messages, ...(acts.length === 0 ? {} : { acts }) };
  const isInconclusive = again.verdict === 'inconclusive' && !again.findings.some(isRequired);
  if (isInconclusive)
    return withoutSecondTry(passingUnstable(tried), `the second try came to no verdict: ${again.reason ?? ''}`);
  const isTraced = !result.findings.some(isRefusedValue);
  const later = again.findings.map((one) => shiftActs(one, result.acts?.length ?? 0));
  const found = isTraced ? attributeToCase(later, given, confirming.services) : later;
  const compared = joinTries(tried, again, compareTries(result.findings, found));
  const isOtherwise = found.some(isRequired);
  return leaveSlipsOpen(
    compared,
    resultsOfBoth(result.findings, found),
    isOtherwise ? 'asked again, it came out otherwise in another way' : 'asked again, it came out as asked',
  );
}
