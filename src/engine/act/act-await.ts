import { summarizeCallback } from '../../judge/classify.ts';
import type { AwaitObservation, CallbackObservation, Observation } from '../../judge/observation.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import type { Inbox } from '../world/inbox.ts';
import { createScope } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Step } from '../../suite/suites.ts';

export const waitsToTheEnd = (step: Step): boolean =>
  step.expectations.some(
    ({ outcome, count, spacing }) =>
      outcome === 'silence' || outcome === 'no-tokens' || count !== undefined || spacing !== undefined,
  );

function summarize(deliveries: readonly CallbackObservation[], waited: number): string {
  if (deliveries.length === 0) return `no callback within ${Math.round(waited)} s`;
  return deliveries.map(summarizeCallback).join(', then ');
}

/** Waits until something is enough, or the moment comes; looks anew whenever one of the inboxes has got something. */
export async function waitFor(
  inboxes: readonly Pick<Inbox, 'listeners'>[],
  until: number,
  enough: () => boolean,
  where: { ctx: CaseContext; world: World },
) {
  while (!enough()) {
    const woken = await where.world.timeline.park({
      due: until,
      label: { case: where.ctx.case.id, for: 'a delivery' },
      arm: (wake) => {
        for (const { listeners } of inboxes) listeners.add(wake);
        return () => {
          for (const { listeners } of inboxes) listeners.delete(wake);
        };
      },
    });
    // What arrived in time may still lie unread.
    if (!woken) return where.world.lag?.settle();
  }
}

/** `await`: takes the callbacks that no earlier await took; the first one, or all up to `until`. */
export async function awaitCallback(
  act: Act & { verb: 'await' },
  step: Step,
  ctx: CaseContext,
  world: World,
): Promise<Observation> {
  const name = act.of ?? ctx.lastAuthorize;
  const inbox = ctx.inboxes.findLast((one) => one.step === name);
  if (inbox === undefined) throw new Unmet(`step ${name ?? '(none)'} sent no request object`);
  const sentAt = world.timeline.now() / 1000;
  const until = act.until?.evaluate(createScope(ctx, world)) ?? sentAt + world.target.deliveryTimeout;
  const toTheEnd = waitsToTheEnd(step);
  await waitFor([inbox], until * 1000, () => !toTheEnd && inbox.deliveries.length > inbox.taken, { ctx, world });
  const end = toTheEnd ? inbox.deliveries.length : Math.min(inbox.taken + 1, inbox.deliveries.length);
  const deliveries = inbox.deliveries.slice(inbox.taken, end);
  inbox.taken = end;
  const sent = await inbox.answered;
  if (sent === undefined) throw new Unmet(`the request of step ${inbox.step} was not sent`);
  return seenBy(deliveries, { step: step.name, sentAt, until, sent });
}

type Frame = Pick<AwaitObservation, 'step' | 'sentAt' | 'until' | 'sent'>;

function seenBy(deliveries: readonly CallbackObservation[], frame: Frame): AwaitObservation {
  const last = deliveries.at(-1);
  const base = {
    kind: 'await' as const,
    ...frame,
    deliveries,
    count: deliveries.length,
    summary: summarize(deliveries, frame.until - frame.sentAt),
  };
  if (last === undefined) return base;
  return {
    ...base,
    receivedAt: last.receivedAt,
    headers: last.headers,
    message: last.message,
    ...(last.body === undefined ? {} : { body: last.body }),
    ...(last.idToken === undefined ? {} : { idToken: last.idToken }),
  };
}
