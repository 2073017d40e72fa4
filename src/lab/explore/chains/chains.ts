import { pickItem, type Random, repeatByWeight } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { groupBy } from '../../../lib/lists.ts';
import type { Probe, KeptParts, ProbeKind } from '../exploration.ts';
import { type ChainLink, linkSetting, prefixSteps } from './link.ts';

/** Recurring moments, as templates name them, with their weights. */
const momentWeights = repeatByWeight([
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
const leadSeconds = [2, 2, 5, 20, 60, 240, 1800, 4 * 3600, -2, -3600, -45 * 86_400];
/** Longest lead, in seconds, for which a step waits for the moment; after a longer one, short windows would be over. */
const maxPauseLead = 60;

const isUntimedStep = (step: JsonObject): boolean => ['at', 'by', 'parallel'].every((key) => step[key] === undefined);

interface MomentTiming {
  readonly name: string;
  readonly lead: number;
  /** Index of the step that waits for the moment. */
  readonly pausedAt: number | undefined;
}

function drawTiming({ steps }: ChainLink, random: Random): MomentTiming {
  const name = pickItem(momentWeights, random) ?? 'hour';
  const lead = pickItem(leadSeconds, random) ?? 2;
  const later = steps.flatMap((step, at) => (at > 0 && isUntimedStep(step) ? [at] : []));
  const [first] = steps;
  const pauses = first !== undefined && isUntimedStep(first) && lead > 0 && lead <= maxPauseLead && random.below(3) > 0;
  return { name, lead, pausedAt: pauses ? pickItem(later, random) : undefined };
}

const momentExpression = ({ name, lead }: MomentTiming): string =>
  lead < 0 ? `next('${name}') + ${-lead}s` : `next('${name}', ${lead + 1}) - ${lead}s`;

/** Times the pause from the first step; if other steps take longer, the moment is over and nothing is judged. */
function addTiming(steps: readonly JsonObject[], timed: MomentTiming): readonly JsonObject[] {
  const [first, ...others] = steps;
  if (first === undefined) return [];
  const begin = typeof first['as'] === 'string' ? first['as'] : 'begin';
  return [
    { ...first, as: begin, ...(isUntimedStep(first) ? { at: momentExpression(timed) } : {}) },
    ...others.map((step, at) => (at + 1 === timed.pausedAt ? { ...step, at: `${begin} + ${timed.lead + 1}s` } : step)),
  ];
}

const describeTiming = ({ name, lead }: MomentTiming): string =>
  `${Math.abs(lead)} s ${lead < 0 ? 'after' : 'before'} the next ${name}`;

/** Probe of a listed case at a calendar moment when something else may happen. */
export function momentProbe(link: ChainLink, random: Random): Probe {
  const timed = drawTiming(link, random);
  return {
    kind: 'sequences',
    base: `${link.id} at ${timed.name}`,
    rules: link.rules,
    title: ([kept]) =>
      kept === true ? `What holds at any time holds ${describeTiming(timed)}: ${link.id}` : `What holds in ${link.id}`,
    setting: () => linkSetting([link]),
    parts: [`next ${timed.name}`],
    steps: ([kept], prefix) => prefixSteps(kept === true ? addTiming(link.steps, timed) : link.steps, prefix),
    alone: true,
    requests: link.requests,
  };
}

/** Listed cases on one subscriber, in an order that no suite has. */
interface CaseChain {
  readonly kind: ProbeKind;
  readonly links: readonly ChainLink[];
  /** Default: each case ends before the next begins. */
  readonly order?: StepOrder;
}

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
export function chainProbe({ kind, links, order = sequentialOrder(links) }: CaseChain): Probe {
  return {
    kind,
    base: `chain ${describeLinks(
      links,
      links.map(() => true),
    )}`,
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
