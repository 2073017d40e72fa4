import { heldBy } from '../case/locks.ts';
import type { Want } from '../clock/wait-queue.ts';
import type { Timed } from './timed.ts';

/** What a plan looks at again and again of a case. */
export interface Item {
  readonly timed: Timed;
  readonly wants: readonly Want[];
  /** Name of its subscriber. */
  readonly owner: string;
  /** It has something to itself. */
  readonly exclusive: boolean;
  /** Names of the subscribers that it has to itself, and whether it has them for longer than other cases take. */
  readonly held: readonly string[];
  readonly lasts: boolean;
  /** What it wants of registrations and keys, where it wants one of them to itself. */
  readonly keeps: readonly Want[];
}

const ofSubscriber = 'subscriber:';

export const hasExclusive = ({ wants }: Pick<Timed, 'wants'>, what = ''): boolean =>
  wants.some(({ lock, exclusive }) => exclusive && lock.startsWith(what));

/** Seconds after which a case that others run beside is usually over. */
const usual = 300;

const items = new WeakMap<Timed, Item>();

export function itemOf(timed: Timed): Item {
  const known = items.get(timed);
  if (known !== undefined) return known;
  const { wants, planned, time } = timed;
  const parties = wants.filter(({ lock }) => !lock.startsWith(ofSubscriber));
  const item: Item = {
    timed,
    wants,
    owner: planned.assignment.subscriber.name,
    exclusive: hasExclusive(timed),
    held: heldBy(wants),
    lasts: time.held >= usual,
    keeps: parties.some(({ exclusive }) => exclusive) ? parties : [],
  };
  items.set(timed, item);
  return item;
}
