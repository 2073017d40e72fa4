import { pick, type Random, weighted } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Probe, Kept, Kind } from '../exploration.ts';
import { type Link, settingOf, withPrefix } from './link.ts';

/** Recurring moments, as templates name them, with their weights. */
const moments = weighted([
  ['minute', 2],
  ['hour', 4],
  ['day', 5],
  ['03:00', 2],
  ['leap-day', 1],
  ['year', 1],
  ['summer-time', 1],
  ['winter-time', 1],
  ['daylight-time', 1],
  ['standard-time', 1],
]);

/** Seconds from the start of a case to the moment; below 0, the case starts after it. */
const leads = [2, 2, 5, 20, 60, 240, 1800, 4 * 3600, -2, -3600, -45 * 86_400];
/** Longest lead, in seconds, for which a step waits for the moment; after a longer one, short windows would be over. */
const longestPause = 60;

const isFree = (step: JsonObject): boolean => ['at', 'by', 'parallel'].every((key) => step[key] === undefined);

interface Timed {
  readonly name: string;
  readonly lead: number;
  /** Index of the step that waits for the moment. */
  readonly pausedAt: number | undefined;
}

function drawTimed({ steps }: Link, random: Random): Timed {
  const name = pick(moments, random) ?? 'hour';
  const lead = pick(leads, random) ?? 2;
  const later = steps.flatMap((step, at) => (at > 0 && isFree(step) ? [at] : []));
  const [first] = steps;
  const pauses = first !== undefined && isFree(first) && lead > 0 && lead <= longestPause && random.below(3) > 0;
  return { name, lead, pausedAt: pauses ? pick(later, random) : undefined };
}

const timesOf = ({ name, lead }: Timed): string =>
  lead < 0 ? `next('${name}') + ${-lead}s` : `next('${name}', ${lead + 1}) - ${lead}s`;

/** Times the pause from the first step; if other steps take longer, the moment is over and nothing is judged. */
function timedSteps(steps: readonly JsonObject[], timed: Timed): readonly JsonObject[] {
  const [first, ...others] = steps;
  if (first === undefined) return [];
  const begin = typeof first['as'] === 'string' ? first['as'] : 'begin';
  return [
    { ...first, as: begin, ...(isFree(first) ? { at: timesOf(timed) } : {}) },
    ...others.map((step, at) => (at + 1 === timed.pausedAt ? { ...step, at: `${begin} + ${timed.lead + 1}s` } : step)),
  ];
}

const described = ({ name, lead }: Timed): string =>
  `${Math.abs(lead)} s ${lead < 0 ? 'after' : 'before'} the next ${name}`;

/** Probe of a listed case at a calendar moment when something else may happen. */
export function momentProbe(link: Link, random: Random): Probe {
  const timed = drawTimed(link, random);
  return {
    kind: 'sequences',
    base: `${link.id} at ${timed.name}`,
    rules: link.rules,
    title: ([kept]) =>
      kept === true ? `What holds at any time holds ${described(timed)}: ${link.id}` : `What holds in ${link.id}`,
    setting: () => settingOf([link]),
    parts: [`next ${timed.name}`],
    steps: ([kept], prefix) => withPrefix(kept === true ? timedSteps(link.steps, timed) : link.steps, prefix),
    alone: true,
    requests: link.requests,
  };
}

/** Listed cases on one subscriber, in an order that no suite has. */
interface Chain {
  readonly kind: Kind;
  readonly links: readonly Link[];
  /** Default: each case ends before the next begins. */
  readonly order?: Order;
}

/** Indexes of a link and of one of its steps. */
type Place = readonly [link: number, step: number];

/** Order of the steps of several cases; each case keeps its own order. */
interface Order {
  readonly places: readonly Place[];
  /** Completes the title "What holds in each alone holds …". */
  readonly words: string;
}

const stepsInOrder = (links: readonly Link[]): readonly Place[] =>
  links.flatMap(({ steps }, link) => steps.map((_, step): Place => [link, step]));

/** Mixes the steps of all cases. */
export function sideBySide(links: readonly Link[], random: Random): Order {
  const next = links.map(() => 0);
  const places = random.shuffled(stepsInOrder(links)).map(([link]): Place => {
    const step = next[link] ?? 0;
    next[link] = step + 1;
    return [link, step];
  });
  return { places, words: 'side by side' };
}

/** Starts the first `held` cases, runs the others whole, then ends the first, whose state must survive the others. */
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

/** Probe of a chain: the rules of each case alone must hold in all of them together. */
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
