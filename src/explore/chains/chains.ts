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
  /** The steps of all stand between each other; else one case ends before the next begins. */
  readonly mixed?: Random;
}

/** A step of one of the links, by their places. */
type Place = readonly [link: number, step: number];

const stepsInOrder = (links: readonly Link[]): readonly Place[] =>
  links.flatMap(({ steps }, link) => steps.map((_, step): Place => [link, step]));

/** Each case keeps the order of its own steps. */
function riffled(links: readonly Link[], random: Random): readonly Place[] {
  const next = links.map(() => 0);
  return random.shuffled(stepsInOrder(links)).map(([link]): Place => {
    const step = next[link] ?? 0;
    next[link] = step + 1;
    return [link, step];
  });
}

const namesOf = (links: readonly Link[], kept: Kept): string => {
  const counts = groupBy(
    links.filter((_, at) => kept[at] === true),
    ({ id }) => id,
  );
  return [...counts].map(([id, { length }]) => (length === 1 ? id : `${length} times ${id}`)).join(', ');
};

/** The probe of a chain: what must hold in each of its cases alone holds in all of them together. */
export function chainProbe({ kind, links, mixed }: Chain): Probe {
  // Drawn once: leaving one out leaves the others in their order.
  const order = mixed === undefined ? stepsInOrder(links) : riffled(links, mixed);
  return {
    kind,
    base: `chain ${namesOf(
      links,
      links.map(() => true),
    )}`,
    rules: [...new Set(links.flatMap(({ rules }) => rules))],
    title: (kept) =>
      `What holds in each alone holds ${mixed === undefined ? 'one after the other' : 'side by side'}: ${namesOf(links, kept)}`,
    setting: () => settingOf(links),
    parts: links.map(({ id }) => id),
    steps: (kept, prefix) => {
      const named = links.map((link, at): readonly JsonObject[] =>
        kept[at] === true ? withPrefix(link.steps, `${prefix}c${at + 1}-`) : [],
      );
      const steps = order.map(([link, step]) => named[link]?.[step]).filter((step) => step !== undefined);
      return steps.length === 0 ? undefined : steps;
    },
    alone: true,
    requests: links.reduce((sum, { requests }) => sum + requests, 0),
  };
}
