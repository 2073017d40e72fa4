import { findAction } from '../../model/action.ts';
import type { Subscriber, Target } from '../../model/target.ts';
import type { CaseContext, Assignment } from '../world/case-room.ts';
import type { Want } from '../clock/lanes.ts';
import { createMailbox, mailboxKey } from '../world/mailbox.ts';
import { mayBeDropped } from '../act/repeat.ts';
import { subscriberFor } from '../world/scope.ts';
import type { Timeline } from '../clock/timeline.ts';
import type { World } from '../world/world.ts';
import type { Case } from '../../suite/suites.ts';

const changesClient = ({ steps }: Case): boolean =>
  steps.some(({ act }) => act.verb === 'trigger' && findAction(act.action)?.mutates === 'client');

const rotatesKeys = ({ steps }: Case): boolean =>
  steps.some(({ act }) => act.verb === 'trigger' && findAction(act.action)?.mutates === 'keys');

const readsKeys = ({ steps }: Case): boolean =>
  steps.some(({ act }) => act.verb === 'http' && act.request.to === 'jwks');

/** Other subscribers whom the case does something to. */
function othersOf({ steps }: Case, { subscriber }: Assignment, target: Target): Subscriber[] {
  const tags = steps.flatMap(({ act }) =>
    act.verb === 'trigger' && act.subscriber !== undefined ? [act.subscriber] : [],
  );
  return [...new Set(tags)].flatMap((trait) => subscriberFor(target, trait, subscriber) ?? []);
}

const needed = ({ requires }: Case, word: string): string[] =>
  requires.flatMap((need) => (need.startsWith(`${word}:`) ? [need.slice(word.length + 1)] : []));

/** Somebody has one request on a phone at a time: others would expire there meanwhile. */
const asksSomebody = (given: Case, { drivers }: Target): boolean =>
  [...needed(given, 'action'), ...(probesDrop(given) ? ['approve'] : [])].some(
    (action) => drivers[action]?.kind === 'ask',
  );

const probesDrop = ({ steps }: Case): boolean => steps.some(mayBeDropped);

/** Lanes a case holds: alone what it changes, shared what it only reads or sends as. */
export function locksOf(given: Case, assignment: Assignment, target: Target): Want[] {
  const { client, subscriber } = assignment;
  const locks = new Map<string, boolean>();
  const want = (lock: string, exclusive: boolean): void => {
    locks.set(lock, exclusive || locks.get(lock) === true);
  };
  want(`client:${client.name}`, changesClient(given));
  want(`subscriber:${subscriber.name}`, given.exclusive || asksSomebody(given, target));
  if (rotatesKeys(given) || readsKeys(given)) want('keys', rotatesKeys(given));
  for (const { name } of othersOf(given, assignment, target)) want(`subscriber:${name}`, true);
  for (const name of needed(given, 'client')) want(`client:${name}`, false);
  for (const trait of needed(given, 'subscriber')) {
    const other = trait === given.subscriber ? undefined : subscriberFor(target, trait, subscriber);
    if (other !== undefined) want(`subscriber:${other.name}`, false);
  }
  return [...locks].map(([lock, exclusive]) => ({ lock, exclusive }));
}

export function newCanary({ random, receiver }: World): { path: string; url: string } {
  const path = `/canary/${random(8)}`;
  return { path, url: `${receiver}${path}` };
}

const hearsEvents = ({ steps }: Case): boolean =>
  steps.some(
    ({ act }) =>
      (act.verb === 'await' && act.what === 'events') ||
      (act.verb === 'trigger' && findAction(act.action)?.raisesEvents === true),
  );

/** The case takes what comes to its canary, and events about its subscribers, until it leaves. */
export function attend(ctx: CaseContext, { desk, target }: World): () => void {
  desk.canaries.set(ctx.canary.path, ctx);
  const subscribers = hearsEvents(ctx.case) ? [ctx.subscriber, ...othersOf(ctx.case, ctx, target)] : [];
  for (const { subs } of subscribers) {
    for (const [client, sub] of Object.entries(subs)) ctx.events.set(mailboxKey(client, sub), createMailbox());
  }
  for (const key of ctx.events.keys()) desk.events.set(key, ctx);
  return () => {
    desk.canaries.delete(ctx.canary.path);
    for (const key of ctx.events.keys()) if (desk.events.get(key) === ctx) desk.events.delete(key);
  };
}

/** §6: a carrier drops what it sent within 60 minutes, so the subscriber rests before the next case. */
export const restAfterEvents = 61 * 60 * 1000;

export async function rest({ case: { id }, eventsRaised }: CaseContext, timeline: Timeline): Promise<void> {
  if (eventsRaised.size === 0) return;
  const due = Math.max(...eventsRaised.values()) + restAfterEvents;
  if (due > timeline.now()) await timeline.park({ due, label: { case: id, for: 'the carrier to forget the events' } });
}
