import { beginsBeforeOthers, chainProbe, sideBySide, momentProbe } from '../../../explore/chains/chains.ts';
import { actionOf, type Link, linksOf } from '../../../explore/chains/link.ts';
import type { ExplorationGround, Probe } from '../../../explore/exploration.ts';
import { pick, type Random, randomOf, weighted } from '../../../lib/covering/random.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { groupBy } from '../../../lib/lists.ts';
import { defaultLatency, latencyOf } from '../../../model/declared.ts';
import { acceptedRule } from './parts.ts';

/** Actions that leave the subscriber, registration and keys unchanged, or equivalent. */
const passing: ReadonlySet<string> = new Set([
  'approve',
  'deny',
  'ignore',
  'open-app',
  'issue-code',
  'issue-login-hint-token',
  'rotate-keys',
]);

/** Actions of the user on a request: the newest one, if a step names none. */
const decisions: ReadonlySet<string> = new Set(['approve', 'deny', 'ignore', 'open-app']);

function pinnedStep(step: JsonObject, newest: string): JsonObject {
  const { trigger } = step;
  if (step['await'] === 'callback' || step['look'] !== undefined) return { of: newest, ...step };
  const action = actionOf(step);
  if (action === undefined || !decisions.has(action)) return step;
  return { ...step, trigger: { of: newest, ...(isJsonObject(trigger) ? trigger : { action }) } };
}

/** Expectation on requests that a case assumes accepted, which must hold behind others as well. */
const accepted = { expect: { outcome: 'accepted', rule: acceptedRule } };

const isUnsaid = ({ expect, times, control }: JsonObject): boolean =>
  expect === undefined && times === undefined && control !== false;

/** Steps that name their requests and state their assumptions, so that they mean the same between other steps. */
export function pinned(steps: readonly JsonObject[]): readonly JsonObject[] {
  let newest: string | undefined;
  return steps.map((step, at) => {
    if (step['authorize'] === undefined) return newest === undefined ? step : pinnedStep(step, newest);
    newest = typeof step['as'] === 'string' ? step['as'] : `step${at + 1}`;
    return { ...step, as: newest, ...(isUnsaid(step) ? accepted : {}) };
  });
}

/** Cases of one registration and one subscriber, which can follow each other. */
type Group = readonly Link[];

const fewest = 4;
/** Most request objects of a link in a chain. */
const mostRequests = 12;
/** Weight of a case that lasts; a case of single requests has 1. */
const weight = 8;

/** Listed cases that can follow others; without a virtual clock, only those that do not wait. */
export function linksFor({ suites, written, runs, sendingVerbs, target }: ExplorationGround): readonly Link[] {
  const links = linksOf({ cases: suites.cases, written: written.cases, runs, sendingVerbs, passing, pinned });
  return links.filter(({ instant }) => instant || target.clock !== undefined);
}

/** Whether it can stand anywhere: between the steps of others, and many times over. */
const isSteady = ({ changes, instant }: Link): boolean => !changes && instant;

function groupsOf(links: readonly Link[]): readonly Group[] {
  const few = links.filter(({ requests, receiver }) => requests <= mostRequests && receiver === undefined);
  return [...groupBy(few, ({ client, subscriber }) => `${client} ${subscriber}`).values()].filter(
    (group) => new Set(group.filter(isSteady)).size >= fewest,
  );
}

/** Draws links, most of them of one area, because effects matter most to similar cases. */
function drawLinks(from: readonly Link[], count: number, random: Random): readonly Link[] {
  const first = pick(from, random);
  if (first === undefined) return [];
  const near = from.filter(({ area }) => area === first.area);
  const others = Array.from({ length: count - 1 }, () => pick(random.below(3) === 0 ? from : near, random) ?? first);
  return [first, ...others];
}

const most = 9;

/** Most cases of one subscriber at a time, because each may have a pending request. */
function mostOpen({ target }: ExplorationGround): number {
  // While one waits for a late callback, the others' codes, tokens and requests expire.
  const isSlow = latencyOf(target).callback > defaultLatency.callback;
  if (isSlow || target.supports['several-pending'] === false) return 1;
  return target.casesPerSubscriber ?? Infinity;
}

function drawSequence(group: Group, random: Random, open: number): Probe {
  const lasting = group.filter(({ changes }) => !changes);
  const count = 2 + random.below(most - 1);
  if (random.below(3) === 0 && open > 1) {
    const links = drawLinks(
      lasting.filter(({ instant }) => instant),
      Math.min(4, count, open),
      random,
    );
    return chainProbe({ kind: 'sequences', links, order: sideBySide(links, random) });
  }
  const changing = group.filter(({ changes }) => changes);
  const last = random.below(2) === 0 ? pick(changing, random) : undefined;
  return chainProbe({
    kind: 'sequences',
    links: [...drawLinks(lasting, count, random), ...(last === undefined ? [] : [last])],
  });
}

const repetitions = [12, 22, 34, 55, 105];
/** Most steps of a chain; the suite language allows 500. */
const mostSteps = 480;

/** Repetitions that fit into the room for steps, at least two. */
const timesWithin = (room: number, { steps }: Link, wanted: number): number =>
  Math.max(2, Math.min(wanted, Math.floor(room / steps.length)));

const stepsOf = (links: readonly Link[]): number => links.reduce((sum, { steps }) => sum + steps.length, 0);

/** Whether a case rotates keys; it is not split, because new signatures are judged when the keys are read again. */
const rotatesKeys = ({ steps }: Link): boolean => steps.some((step) => actionOf(step) === 'rotate-keys');

/** Most cases that begin before others, and the steps reserved for them. */
const mostHeld = 10;
const roomForHeld = 70;
/** Repetitions in between: most memories that are too small have a round number of places, 100 at most. */
const repetitionsBetween = [34, 105, 105];
/** Copies of the repeated case that begin before its repetitions, each cut at another step. */
const copies = 3;

/** Starts cases, repeats one of them many times, then ends them: a small memory loses them in between. */
function drawHeld(group: Group, random: Random, open: number): Probe | undefined {
  const able = group.filter((link) => isSteady(link) && link.lasts && link.steps.length > 1 && !rotatesKeys(link));
  const repeated = pick(
    able.filter(({ brief }) => brief),
    random,
  );
  if (repeated === undefined) return undefined;
  const times = timesWithin(mostSteps - roomForHeld, repeated, pick(repetitionsBetween, random) ?? 34);
  const room = mostSteps - times * repeated.steps.length;
  const others = random.shuffled([...new Set(able)]).filter((link) => link !== repeated);
  const near = others.filter(({ area }) => area === repeated.area);
  const far = others.filter(({ area }) => area !== repeated.area);
  const held = [...Array.from({ length: copies }, () => repeated), ...near, ...far]
    .slice(0, Math.min(mostHeld, open - 1))
    .filter((_, at, all) => stepsOf(all.slice(0, at + 1)) <= room);
  const links = [...held, ...Array.from({ length: times }, () => repeated)];
  return chainProbe({ kind: 'volume', links, order: beginsBeforeOthers(links, held.length, random) });
}

function drawRepeated(group: Group, random: Random): Probe {
  const [first, ...others] = drawLinks(group.filter(isSteady), 4, random);
  if (first === undefined) return chainProbe({ kind: 'volume', links: [] });
  const times = timesWithin(mostSteps, first, pick(repetitions, random) ?? 12);
  const repeated = Array.from({ length: times }, () => first);
  return chainProbe({ kind: 'volume', links: [...repeated, ...others] });
}

/** Draws held cases, or repeated ones if none can be held. */
function drawVolume(group: Group, random: Random, open: number): Probe {
  const held = random.below(3) === 0 || open < 2 ? undefined : drawHeld(group, random, open);
  return held ?? drawRepeated(group, random);
}

export interface Listed {
  /** Request objects of chains and of cases at calendar moments, and of cases repeated many times. */
  readonly sequences: number;
  readonly volume: number;
}

function drawUntil(requests: number, draw: () => Probe | undefined): readonly Probe[] {
  const probes: Probe[] = [];
  for (let left = requests; left > 0; ) {
    const probe = draw();
    if (probe === undefined || probe.parts.length === 0) break;
    probes.push(probe);
    left -= probe.requests;
  }
  return probes;
}

/** Listed cases one after the other, mixed, at any time and many times over (§3): the rules of one hold in all. */
export function listedProbes(
  seed: string,
  { sequences, volume }: Listed,
  ground: ExplorationGround & { readonly links: readonly Link[] },
): readonly (readonly Probe[])[] {
  const links = weighted(ground.links.map((link) => [link, link.lasts ? weight : 1]));
  const groups = groupsOf(links).toSorted((a, b) => b.length - a.length);
  const [largest] = groups;
  if (largest === undefined) return [];
  const random = randomOf(`${seed} listed`);
  const lasting = links.filter(({ lasts }) => lasts);
  const group = (): Group => (random.below(3) === 0 ? pick(groups, random) : undefined) ?? largest;
  const atMoment = (): Probe | undefined => {
    const link = pick(lasting, random);
    return link === undefined ? undefined : momentProbe(link, random);
  };
  const open = mostOpen(ground);
  const moments = ground.target.clock === undefined ? 0 : sequences / 2;
  return [
    drawUntil(sequences - moments, () => drawSequence(group(), random, open)),
    drawUntil(moments, atMoment),
    drawUntil(volume, () => drawVolume(group(), random, open)),
  ];
}
