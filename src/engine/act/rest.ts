import type { TriggerObservation } from '../../judge/observation.ts';
import type { CaseResult } from '../../model/result.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { Rest } from '../../suite/verbs/http.ts';
import type { Case, Step } from '../../suite/suites.ts';
import type { CarrierServices, CaseWith } from '../context/case-context.ts';
import { otherSubscriber } from '../context/scope.ts';
import { lastActionTime, rememberAction } from '../drive/changes.ts';
import { afterSeconds, ceilMillis, toSeconds } from '../../lib/time.ts';

/** Remembers the actions of a case that ended before the run was interrupted. */
export function rememberCase(
  { steps }: Case,
  { subscriber: name, endedAt }: Pick<CaseResult, 'subscriber' | 'endedAt'>,
  { target, state }: CarrierServices,
): void {
  const own = target.subscribers.find((one) => one.name === name);
  if (own === undefined) return;
  for (const { act } of steps) {
    if (!isTrigger(act)) continue;
    const whose = act.subscriber === undefined ? own : otherSubscriber(target, act.subscriber, own);
    if (whose !== undefined) rememberAction(state, { action: act.action, subscriber: whose.name }, ceilMillis(endedAt));
  }
}

/** `runRest`: waits until the given actions on the subscriber are long enough ago. */
export async function runRest(
  { since }: Rest,
  step: Step,
  ctx: CaseWith<'now' | 'subscriber' | 'wait', 'state'>,
): Promise<TriggerObservation> {
  const { state } = ctx.services;
  for (const { action, seconds } of since) {
    const last = lastActionTime(state, { action, subscriber: ctx.subscriber.name });
    const due = last === undefined ? undefined : afterSeconds(last, seconds);
    if (due !== undefined && due > ctx.now()) await ctx.wait({ due, for: `the last ${action} to be long ago` });
  }
  return {
    kind: 'trigger',
    step: step.name,
    sentAt: toSeconds(ctx.now()),
    done: true,
    summary: 'the subscriber was left alone',
  };
}
