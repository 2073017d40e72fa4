import { isHttp } from '../../suite/verbs/http.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { Case } from '../../suite/suites.ts';
import type { Subscriber, Target } from '../../model/target.ts';
import { mayBeDropped } from '../context/walk.ts';
import { createScheduler, type Scheduler, type LockRequest } from '../clock/scheduler.ts';
import type { Timeline } from '../clock/timeline.ts';
import type { Assignment } from '../context/case-context.ts';
import { otherSubscriber } from '../context/scope.ts';
import { isAttendedDriver } from '../drive/drive.ts';

const changesResource = ({ steps }: Case, what: 'client' | 'keys'): boolean =>
  steps.some(({ act }) => isTrigger(act) && act.definition?.mutates === what);

/** Other subscribers that the case acts on. */
export function otherSubscribers(
  { steps }: Case,
  { subscriber }: Pick<Assignment, 'subscriber'>,
  target: Target,
): Subscriber[] {
  const tags = steps.flatMap(({ act }) => (isTrigger(act) && act.subscriber !== undefined ? [act.subscriber] : []));
  return [...new Set(tags)].flatMap((tag) => otherSubscriber(target, tag, subscriber) ?? []);
}

const requiredNames = ({ requires }: Case, word: string): string[] =>
  requires.flatMap((need) => (need.startsWith(`${word}:`) ? [need.slice(word.length + 1)] : []));

/** Returns the locks of a case: exclusive for what it changes, shared for what it only reads or sends as. */
export function caseLocks(given: Case, assignment: Assignment, target: Target): LockRequest[] {
  const { client, subscriber } = assignment;
  const locks = new Map<string, boolean>();
  const want = (lock: string, exclusive: boolean): void => {
    locks.set(lock, exclusive || locks.get(lock) === true);
  };
  want(`client:${client.name}`, changesResource(given, 'client'));
  // A person handles one request on a phone at a time; others would expire there meanwhile.
  const actions = [...requiredNames(given, 'action'), ...(given.steps.some(mayBeDropped) ? ['approve'] : [])];
  const needsPerson = actions.some((action) => isAttendedDriver(target.drivers[action]));
  want(`subscriber:${subscriber.name}`, given.exclusive || needsPerson);
  const readsKeys = given.steps.some(({ act }) => isHttp(act) && act.endpoint?.showsKeys === true);
  if (changesResource(given, 'keys') || readsKeys) want('keys', changesResource(given, 'keys'));
  for (const name of requiredNames(given, 'client')) want(`client:${name}`, false);
  // A request to another subscriber takes no place there: a pending request of another case could interfere.
  const others = requiredNames(given, 'subscriber').filter((tag) => tag !== given.subscriber);
  for (const tag of others) {
    const other = otherSubscriber(target, tag, subscriber);
    if (other !== undefined) want(`subscriber:${other.name}`, true);
  }
  for (const { name } of otherSubscribers(given, assignment, target)) want(`subscriber:${name}`, true);
  return [...locks].map(([lock, exclusive]) => ({ lock, exclusive }));
}

const subscriberPrefix = 'subscriber:';

/** Names of the subscribers with an exclusive lock. */
export const exclusiveSubscribers = (wants: readonly LockRequest[]): readonly string[] =>
  wants.flatMap(({ lock, exclusive }) =>
    exclusive && lock.startsWith(subscriberPrefix) ? [lock.slice(subscriberPrefix.length)] : [],
  );

/** Most cases open at the same time; exchanges have their own bound. */
export interface CaseBounds {
  /** In the whole run: bounds memory. */
  readonly all?: number | undefined;
  /** For one subscriber: a carrier may throttle a subscriber with many pending requests, and hide the rest. */
  readonly ofOne?: number | undefined;
}

/** A carrier may allow few pending requests for one person (C1.1); the target file can allow more. */
export const defaultBounds = { all: 250, ofOne: 4 } as const;

/** Creates places for cases, bounded in all and for each subscriber; first come, first served. */
export const createCasePlaces = (timeline: Pick<Timeline, 'wait'>, bounds: CaseBounds = {}): Scheduler =>
  createScheduler({
    timeline,
    capacityOf: (lock) =>
      lock === 'cases' ? (bounds.all ?? defaultBounds.all) : (bounds.ofOne ?? defaultBounds.ofOne),
  });

export const casePlaces = (subscriber: string): readonly LockRequest[] => [
  { lock: 'cases', exclusive: false },
  { lock: `cases of ${subscriber}`, exclusive: false },
];
