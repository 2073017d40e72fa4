import type { Random } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { groupBy } from '../../../lib/lists.ts';
import type { KeptParts, Probe } from '../exploration.ts';
import { type ChainLink, linkSetting, prefixSteps } from './link.ts';

/** Indexes of a link and of one of its steps. */
type StepPlace = readonly [link: number, step: number];

/** Order of the steps of several cases; each case keeps its own order. */
interface StepOrder {
  readonly places: readonly StepPlace[];
  /** Completes the title "What holds in each alone holds …". */
  readonly words: string;
}

const listStepPlaces = (links: readonly ChainLink[]): readonly StepPlace[] =>
  links.flatMap(({ steps }, link) => steps.map((_, step): StepPlace => [link, step]));

/** Mixes the steps of all cases. */
export function interleaveSteps(links: readonly ChainLink[], random: Random): StepOrder {
  const next = links.map(() => 0);
  const places = random.shuffled(listStepPlaces(links)).map(([link]): StepPlace => {
    const step = next[link] ?? 0;
    next[link] = step + 1;
    return [link, step];
  });
  return { places, words: 'side by side' };
}

/** Starts the first `held` cases, runs the others whole, then ends the first, whose state must survive the others. */
export function holdFirstCases(links: readonly ChainLink[], held: number, random: Random): StepOrder {
  const cuts = links.map(({ steps }, link) => (link < held ? 1 + random.below(Math.max(1, steps.length - 1)) : 0));
  const isBegun = ([link, step]: StepPlace): boolean => step < (cuts[link] ?? 0);
  const all = listStepPlaces(links);
  const later = all.filter((place) => !isBegun(place));
  const places = [
    ...all.filter(isBegun),
    ...later.filter(([link]) => link >= held),
    ...later.filter(([link]) => link < held),
  ];
  return { places, words: 'where some begin before the others and end behind them' };
}

const sequentialOrder = (links: readonly ChainLink[]): StepOrder => ({
  places: listStepPlaces(links),
  words: 'one after the other',
});

const describeLinks = (links: readonly ChainLink[], kept: KeptParts): string => {
  const counts = groupBy(
    links.filter((_, at) => kept[at] === true),
    ({ id }) => id,
  );
  return [...counts].map(([id, { length }]) => (length === 1 ? id : `${length} times ${id}`)).join(', ');
};

/** Probe of a chain: the rules of each case alone must hold in all of them together. */
export function chainProbe(links: readonly ChainLink[], order: StepOrder = sequentialOrder(links)): Probe {
  const all = links.map(() => true);
  return {
    kind: 'chains',
    base: `chain ${describeLinks(links, all)}`,
    rules: [...new Set(links.flatMap(({ rules }) => rules))],
    title: (kept) => `What holds in each alone holds ${order.words}: ${describeLinks(links, kept)}`,
    setting: () => linkSetting(links),
    parts: links.map(({ id }) => id),
    steps: (kept, prefix) => {
      const named = links.map((link, at): readonly JsonObject[] =>
        kept[at] === true ? prefixSteps(link.steps, `${prefix}c${at + 1}-`) : [],
      );
      const steps = order.places.map(([link, step]) => named[link]?.[step]).filter((step) => step !== undefined);
      return steps.length === 0 ? undefined : steps;
    },
    alone: true,
    requests: links.reduce((sum, { requests }) => sum + requests, 0),
  };
}
