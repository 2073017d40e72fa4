import { isHttp } from '../../suite/verbs/http.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { Case } from '../../suite/suites.ts';
import type { Subscriber, Target } from '../../model/target.ts';
import { mayBeDropped } from '../context/walk.ts';
import { createScheduler, type Scheduler, type Want } from '../clock/scheduler.ts';
import type { Timeline } from '../clock/timeline.ts';
import type { Assignment } from '../context/case-context.ts';
import { subscriberFor } from '../context/scope.ts';
import { isAttended } from '../drive/drive.ts';

const changes = ({ steps }: Case, what: 'client' | 'keys'): boolean =>
  steps.some(({ act }) => isTrigger(act) && act.definition?.mutates === what);

/** Other subscribers that the case acts on. */
export function othersOf(
  { steps }: Case,
  { subscriber }: Pick<Assignment, 'subscriber'>,
  target: Target,
): Subscriber[] {
  const tags = steps.flatMap(({ act }) => (isTrigger(act) && act.subscriber !== undefined ? [act.subscriber] : []));
  return [...new Set(tags)].flatMap((tag) => subscriberFor(target, tag, subscriber) ?? []);
}

const required = ({ requires }: Case, word: string): string[] =>
  requires.flatMap((need) => (need.startsWith(`${word}:`) ? [need.slice(word.length + 1)] : []));

/** Returns the locks of a case: exclusive for what it changes, shared for what it only reads or sends as. */
export function locksOf(given: Case, assignment: Assignment, target: Target): Want[] {
  const { client, subscriber } = assignment;
  const locks = new Map<string, boolean>();
  const want = (lock: string, exclusive: boolean): void => {
    locks.set(lock, exclusive || locks.get(lock) === true);
  };
  want(`client:${client.name}`, changes(given, 'client'));
  // A person handles one request on a phone at a time; others would expire there meanwhile.
  const actions = [...required(given, 'action'), ...(given.steps.some(mayBeDropped) ? ['approve'] : [])];
  const needsPerson = actions.some((action) => isAttended(target.drivers[action]));
  want(`subscriber:${subscriber.name}`, given.exclusive || needsPerson);
  const readsKeys = given.steps.some(({ act }) => isHttp(act) && act.endpoint?.showsKeys === true);
  if (changes(given, 'keys') || readsKeys) want('keys', changes(given, 'keys'));
  for (const name of required(given, 'client')) want(`client:${name}`, false);
  // A request to another subscriber takes no place there: a pending request of another case could interfere.
  const others = required(given, 'subscriber').filter((tag) => tag !== given.subscriber);
  for (const tag of others) {
    const other = subscriberFor(target, tag, subscriber);
    if (other !== undefined) want(`subscriber:${other.name}`, true);
  }
  for (const { name } of othersOf(given, assignment, target)) want(`subscriber:${name}`, true);
  return [...locks].map(([lock, exclusive]) => ({ lock, exclusive }));
}

const ofSubscriber = 'subscriber:';

/** Names of the subscribers with an exclusive lock. */
export const heldBy = (wants: readonly Want[]): readonly string[] =>
  wants.flatMap(({ lock, exclusive }) =>
    exclusive && lock.startsWith(ofSubscriber) ? [lock.slice(ofSubscriber.length)] : [],
  );

/** Most cases open at the same time; exchanges have their own bound. */
export interface Bounds {
  /** In the whole run: bounds memory. */
  readonly all?: number | undefined;
  /** For one subscriber: a carrier may throttle a subscriber with many pending requests, and hide the rest. */
  readonly ofOne?: number | undefined;
}

/** A carrier may allow few pending requests for one person (C1.1); the target file can allow more. */
export const defaultBounds = { all: 250, ofOne: 4 } as const;

/** Creates places for cases, bounded in all and for each subscriber; first come, first served. */
export const createPlaces = (timeline: Pick<Timeline, 'wait'>, bounds: Bounds = {}): Scheduler =>
  createScheduler({
    timeline,
    capacityOf: (lock) =>
      lock === 'cases' ? (bounds.all ?? defaultBounds.all) : (bounds.ofOne ?? defaultBounds.ofOne),
  });

export const placeOf = (subscriber: string): readonly Want[] => [
  { lock: 'cases', exclusive: false },
  { lock: `cases of ${subscriber}`, exclusive: false },
];
