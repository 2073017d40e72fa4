import type { EventObservation, EventsObservation, Observation } from '../../judge/observation.ts';
import { waitFor, waitsToTheEnd } from './act-await.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { type Mailbox, mailboxKey } from '../world/mailbox.ts';
import { createScope, subscriberFor } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Step } from '../../suite/suites.ts';

type Await = Act & { verb: 'await' };

function mailboxOf({ what, client, subscriber }: Await, ctx: CaseContext, { target }: World): Mailbox {
  if (what === 'canary') return ctx.canary.mailbox;
  const whom = subscriber === undefined ? ctx.subscriber : subscriberFor(target, subscriber, ctx.subscriber);
  const sub = whom?.subs[client ?? ctx.client.name];
  const found = sub === undefined ? undefined : ctx.events.get(mailboxKey(client ?? ctx.client.name, sub));
  if (found === undefined) throw new Unmet(`the target has no pairwise sub for ${client ?? ctx.client.name}`);
  return found;
}

const noun = { callback: 'callback', events: 'event', canary: 'request to the canary' } as const;

function summarize(what: Await['what'], count: number, waited: number): string {
  if (count === 0) return `no ${noun[what]} within ${Math.round(waited)} s`;
  return `${count} ${noun[what]}${count === 1 ? '' : 's'}`;
}

/** `await: events`, `await: canary`: takes the deliveries that no earlier await took. */
export async function awaitEvents(act: Await, step: Step, ctx: CaseContext, world: World): Promise<Observation> {
  const mailbox = mailboxOf(act, ctx, world);
  const sentAt = world.timeline.now() / 1000;
  const until = act.until?.evaluate(createScope(ctx, world)) ?? sentAt + world.target.deliveryTimeout;
  const toTheEnd = waitsToTheEnd(step);
  await waitFor([mailbox], until * 1000, () => !toTheEnd && mailbox.deliveries.length > mailbox.taken, { ctx, world });
  const end = toTheEnd ? mailbox.deliveries.length : Math.min(mailbox.taken + 1, mailbox.deliveries.length);
  const deliveries = mailbox.deliveries.slice(mailbox.taken, end);
  mailbox.taken = end;
  const summary = summarize(act.what, deliveries.length, until - sentAt);
  return seenBy({ kind: 'events', step: step.name, sentAt, until, deliveries, count: deliveries.length, summary });
}

function seenBy(frame: EventsObservation): EventsObservation {
  const last: EventObservation | undefined = frame.deliveries.at(-1);
  if (last === undefined) return frame;
  return {
    ...frame,
    receivedAt: last.receivedAt,
    headers: last.headers,
    message: last.message,
    ...(last.body === undefined ? {} : { body: last.body }),
    ...(last.set === undefined ? {} : { set: last.set }),
    ...(last.setHeader === undefined ? {} : { setHeader: last.setHeader }),
    ...(last.audience === undefined ? {} : { audience: last.audience }),
  };
}
