import { verdictOf } from '../../judge/rule-book.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Runs } from '../plan/assign.ts';
import { planTime } from '../plan/planned-time.ts';
import { attempt, unwatched } from './attempt.ts';
import { type Confirming, control, type First, isRed, isRequired, verdictAgain } from './plain-control.ts';
import { asOwn, hadOneAccepted, isRefusedValue, traceRefusal } from './refused-value.ts';
import { compareTries } from './two-tries.ts';

const seenOnce = (result: CaseResult, reason: string): CaseResult => ({
  ...result,
  confirmation: { status: 'seen-once', reason },
});

/** Why a case is not run a second time; undefined: it is. */
export function onceOnly(planned: Runs, { world, left }: Confirming): string | undefined {
  const { total, prompt } = planTime(planned.case, world);
  if (prompt.length > 0) return 'a person would have to do it all again';
  return total > left() ? 'the budget leaves no time for a second try' : undefined;
}

async function secondTry(result: CaseResult, first: First, confirming: Confirming): Promise<CaseResult> {
  const { planned, order } = first;
  const { case: given, assignment } = planned;
  const reason = onceOnly(planned, confirming);
  if (reason !== undefined) return seenOnce(result, reason);
  const isLate = result.findings.some(({ code }) => code === 'late-delivery');
  const watched = isLate ? given : unwatched(given, confirming.world);
  const again = await attempt({ case: watched, assignment, of: given.id, order, name: 'again' }, confirming.world);
  if ('impossible' in again) return seenOnce(result, `no second try: ${again.impossible}`);
  const messages = [...result.messages, ...again.messages];
  const isInconclusive =
    again.verdict === 'inconclusive' && !again.findings.some(({ level }) => verdictOf[level] === 'fail');
  if (isInconclusive)
    return seenOnce({ ...result, messages }, `the second try came to no verdict: ${again.reason ?? ''}`);
  const isTraced = !result.findings.some(isRefusedValue);
  const { findings, confirmation } = compareTries(
    result.findings,
    isTraced ? asOwn(again.findings, given, confirming.world) : again.findings,
  );
  return { ...result, messages, findings, confirmation, verdict: verdictAgain(findings, result.reason) };
}

/** The case with the difference for which its request was refused, where a request alone shows it. */
async function withRefusalTraced(result: CaseResult, first: First, confirming: Confirming): Promise<CaseResult> {
  if (!result.findings.some(isRefusedValue)) return result;
  if (onceOnly(first.planned, confirming) !== undefined) return result;
  const traced = await traceRefusal({ ...first, result }, confirming.world);
  return traced === undefined ? result : { ...traced, verdict: verdictAgain(traced.findings, traced.reason) };
}

/** Whether what a case found stands: the plain request of the same client and subscriber holds, and it is found again. */
export async function confirmCase(first: First, confirming: Confirming): Promise<CaseResult> {
  const { result } = first;
  const isOpen = result.verdict === 'inconclusive' && result.unmet !== undefined;
  if (!isOpen && !result.findings.some(isRed)) return result;
  // The case has shown itself that the carrier accepts a request of this client.
  const isShown = result.findings.some((one) => isRefusedValue(one) && hadOneAccepted(one, result));
  const plain = isShown ? result : await control(first, confirming);
  const controlled = await withRefusalTraced(plain, first, confirming);
  const isConfirmed = confirming.again && controlled.confirmation === undefined && controlled.findings.some(isRequired);
  const confirmed = isConfirmed ? await secondTry(controlled, first, confirming) : controlled;
  return confirmed === result ? result : { ...confirmed, endedAt: confirming.world.timeline.now() };
}
