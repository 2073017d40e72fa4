import type { JsonObject } from '../../lib/json.ts';
import type { Random } from '../../lib/covering/random.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Kept, Kind, Probe } from '../probe.ts';
import { type Link, settingOf } from './link.ts';
import { withPrefix } from './rename.ts';

/** Listed cases on one subscriber, in an order that no suite has. */
interface Chain {
  readonly kind: Kind;
  readonly links: readonly Link[];
  /** One case ends before the next begins, unless said. */
  readonly order?: Order;
}

/** A step of one of the links, by their places. */
type Place = readonly [link: number, step: number];

/** In which order the steps of some cases stand; each case keeps the order of its own. */
export interface Order {
  readonly places: readonly Place[];
  /** Stands in "What holds in each alone holds …". */
  readonly words: string;
}

const stepsInOrder = (links: readonly Link[]): readonly Place[] =>
  links.flatMap(({ steps }, link) => steps.map((_, step): Place => [link, step]));

/** The steps of all cases stand between each other. */
export function sideBySide(links: readonly Link[], random: Random): Order {
  const next = links.map(() => 0);
  const places = random.shuffled(stepsInOrder(links)).map(([link]): Place => {
    const step = next[link] ?? 0;
    next[link] = step + 1;
    return [link, step];
  });
  return { places, words: 'side by side' };
}

/** The first `held` cases begin, the others run from end to end, then the first go on: what a carrier keeps outlasts the others. */
export function beginsBeforeOthers(links: readonly Link[], held: number, random: Random): Order {
  const cuts = links.map(({ steps }, link) => (link < held ? 1 + random.below(Math.max(1, steps.length - 1)) : 0));
  const isBegun = ([link, step]: Place): boolean => step < (cuts[link] ?? 0);
  const all = stepsInOrder(links);
  const later = all.filter((place) => !isBegun(place));
  const places = [
    ...all.filter(isBegun),
    ...later.filter(([link]) => link >= held),
    ...later.filter(([link]) => link < held),
  ];
  return { places, words: 'where some begin before the others and end behind them' };
}

const oneAfterTheOther = (links: readonly Link[]): Order => ({
  places: stepsInOrder(links),
  words: 'one after the other',
});

const namesOf = (links: readonly Link[], kept: Kept): string => {
  const counts = groupBy(
    links.filter((_, at) => kept[at] === true),
    ({ id }) => id,
  );
  return [...counts].map(([id, { length }]) => (length === 1 ? id : `${length} times ${id}`)).join(', ');
};

/** The probe of a chain: what must hold in each of its cases alone holds in all of them together. */
export function chainProbe({ kind, links, order = oneAfterTheOther(links) }: Chain): Probe {
  return {
    kind,
    base: `chain ${namesOf(
      links,
      links.map(() => true),
    )}`,
    rules: [...new Set(links.flatMap(({ rules }) => rules))],
    title: (kept) => `What holds in each alone holds ${order.words}: ${namesOf(links, kept)}`,
    setting: () => settingOf(links),
    parts: links.map(({ id }) => id),
    steps: (kept, prefix) => {
      const named = links.map((link, at): readonly JsonObject[] =>
        kept[at] === true ? withPrefix(link.steps, `${prefix}c${at + 1}-`) : [],
      );
      const steps = order.places.map(([link, step]) => named[link]?.[step]).filter((step) => step !== undefined);
      return steps.length === 0 ? undefined : steps;
    },
    alone: true,
    requests: links.reduce((sum, { requests }) => sum + requests, 0),
  };
}
