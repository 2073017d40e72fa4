import type { CaseResult } from '../../model/result.ts';
import { afterSeconds } from '../../lib/time.ts';
import type { RunServices } from '../context/case-context.ts';
import { attemptCase } from './plain-case.ts';
import { type ConfirmServices, runPlainControls, type FinishedCase, isSerious, isRequired } from './plain-control.ts';
import { hadAcceptedRequest, isRefusedValue, traceRefusal } from './refused-value.ts';
import { throttledHeaders } from '../../judge/classify.ts';
import type { Step } from '../../suite/suites.ts';
import { isUnrepeatable, retryAfter } from '../act/repeat.ts';
import { confirmedVerdict } from '../../verdict/standing.ts';
import { confirmPassing } from './passing.ts';
import { reasonNotRerun, runSecondTry } from './second-try.ts';

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

/**
 * Most further runs of a case whose throttled step cannot be sent again alone: a case of ten such steps at a carrier that throttles one request
 * in seven needs a few, and costs nothing on a virtual clock.
 */
const mostReruns = { real: 5, virtual: 20 } as const;

/** Longest Retry-After, in seconds, for which a case waits on a virtual clock before it runs again: a step waits less, since its requests expire. */
const longestRetryAfter = 3600;

/** On a virtual clock, waits until the carrier wants to be asked again that left a step of this case throttled. */
async function waitForRetry(unheard: CaseResult, { timeline }: Pick<RunServices, 'timeline'>): Promise<void> {
  const headers = throttledHeaders(unheard);
  if (headers === undefined || timeline.kind === 'real') return;
  const seconds = retryAfter({ headers, receivedAt: timeline.now() / 1000 });
  if (seconds > longestRetryAfter) return;
  const label = { case: unheard.id, for: 'the carrier, which throttled it' };
  await timeline.wait({ due: afterSeconds(timeline.now(), seconds), label });
}

/** Runs a throttled case again until it is heard, and a disturbed one once. The invariants judge the messages of every try. */
export async function rerunUnheard(
  { planned, order, result }: FinishedCase,
  confirming: ConfirmServices,
): Promise<CaseResult> {
  const { services } = confirming;
  const wasUnheard = (one: CaseResult): boolean =>
    throttledHeaders(one) !== undefined || services.state.disturbed.has(one);
  if (!wasUnheard(result) || reasonNotRerun(planned, confirming) !== undefined) return result;
  const { case: given, assignment } = planned;
  const { invariants } = services;
  let heard = result;
  let last = result;
  const isHeardSoon = (step: Step): boolean =>
    step.name === heard.unmet && (step.at !== undefined || isUnrepeatable(step));
  const most = services.target.clock === undefined ? mostReruns.real : mostReruns.virtual;
  for (let time = 1; time <= (given.steps.some(isHeardSoon) ? most : 1) && wasUnheard(last); time += 1) {
    const trying = { case: given, assignment, of: given.id, order, name: 'later', time, invariants } as const;
    await waitForRetry(last, services);
    const later = await attemptCase(trying, services);
    if ('impossible' in later) return heard;
    last = later;
    heard = { ...later, startedAt: result.startedAt, messages: [...heard.messages, ...later.messages] };
  }
  return heard;
}
