import type { CallbackObservation } from '../../judge/observation.ts';
import { asFindings } from '../../judge/rule-book.ts';
import type { CaseContext } from '../world/case-room.ts';
import type { Inbox } from '../world/inbox.ts';
import { redactFinding } from '../world/sighting.ts';
import { watchAfter, watchAfterResult, watchedLife } from '../world/watched-life.ts';
import type { World } from '../world/world.ts';
import type { Outcome } from '../../model/outcome.ts';

/** Until when a request is watched: granted expires_in + 5 minutes, or two minutes after its result. */
function watchedUntil({ response, deliveries }: Inbox): number {
  if (response === undefined) return 0;
  const last = deliveries.at(-1);
  if (last !== undefined) return last.receivedAt + watchAfterResult;
  const life =
    response.outcome === 'accepted' ? watchedLife(response.granted) : watchedLife(response.claims?.['expires_in']);
  return response.sentAt + life + watchAfter;
}

/** After its steps a case is watched, without holding its lanes: for a second result, or one that must not come. */
export async function watch(ctx: CaseContext, world: World): Promise<void> {
  for (;;) {
    const until = Math.max(0, ...ctx.inboxes.map(watchedUntil)) * 1000;
    if (until <= world.timeline.now()) return;
    await world.timeline.park({
      due: until,
      label: { case: ctx.case.id, for: 'late callbacks' },
      arm: (wake) => {
        for (const { listeners } of ctx.inboxes) listeners.add(wake);
        return () => {
          for (const { listeners } of ctx.inboxes) listeners.delete(wake);
        };
      },
    });
  }
}

/** Outcomes after which no callback, or none with tokens, may come of a request any more. */
function comesTooLate({ response, deliveries }: Inbox, outcome: Outcome | undefined): CallbackObservation | undefined {
  const tokens = deliveries.find((delivery) => delivery.tokens);
  if (outcome === 'denied') return response?.outcome === 'denied' ? deliveries[0] : undefined;
  if (outcome !== 'denied-or-dropped') return undefined;
  return response?.outcome === 'denied' ? deliveries[0] : tokens;
}

/** A refused request must stay refused, a dropped one dropped. */
export function judgeLateDeliveries(ctx: CaseContext, world: World): void {
  for (const inbox of ctx.inboxes) {
    const step = ctx.case.steps.find((one) => one.name === inbox.step);
    if (step === undefined || step.control) continue;
    for (const { rules, position, outcome } of step.expectations) {
      const late = comesTooLate(inbox, outcome);
      const known = ctx.findings.some((found) => found.code === 'outcome' && found.step === inbox.step);
      if (late === undefined || known) continue;
      const actual = late.tokens ? 'a callback with tokens' : 'a callback';
      const mismatch = { code: 'late-delivery' as const, expected: 'no callback', actual };
      const place = { step: inbox.step, message: late.message, position };
      const found = asFindings(mismatch, rules, place, world.rules);
      ctx.findings.push(...found.map((finding) => redactFinding(finding, ctx)));
    }
  }
}
