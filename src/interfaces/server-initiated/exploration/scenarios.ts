import {
  type Wanted,
  type Kept,
  type Kind,
  type Probe,
  type Setting,
  wholeProbe,
} from '../../../explore/exploration.ts';
import { withPrefix } from '../../../explore/chains/link.ts';
import { type Random, randomOf } from '../../../lib/covering/random.ts';
import { isJsonObject, type Json, type JsonObject, memberOf } from '../../../lib/json.ts';
import { type Combination, dealtCombinations } from './combinations.ts';
import type { Part } from './parts.ts';
import {
  type Deviation,
  drawn,
  filled,
  objectOf,
  type Row,
  type RowGround,
  rowsIn,
  type Steps,
  stepsWith,
  textsOf,
  type Values,
} from './rows.ts';
import { freeParts, stepsWith as variedSteps } from './varied.ts';

function settingOf({ json, values }: Row): Setting {
  const { client, subscriber, requires, receiver } = objectOf(filled(json, values));
  return {
    exclusive: true,
    ...(typeof client === 'string' ? { client } : {}),
    ...(typeof subscriber === 'string' ? { subscriber } : {}),
    ...(requires === undefined ? {} : { requires: textsOf(requires) }),
    ...(isJsonObject(receiver) ? { receiver } : {}),
  };
}

/** Probe of a row with its drawn values; `more` gives values that depend on the drawn ones. */
export function rowProbe(
  row: Row,
  { kind, random, more, ...ground }: RowGround & { kind: Kind; random: Random; more?: (values: Values) => Values },
): Probe {
  const values = drawn(row, random, ground.abilities);
  const steps = stepsWith(row.json['steps'], { ...values, ...more?.(values) }, ground);
  return wholeProbe({
    kind,
    title: row.title,
    setting: settingOf(row),
    rules: [],
    alone: true,
    requests: row.requests,
    steps: (prefix) => withPrefix(steps, prefix),
  });
}

/** Events at the same moment (§2.3 jti, §3): at most one wins, and no result is of another session. */
export function raceProbes(seed: string, count: number, list: Json | undefined, ground: RowGround): readonly Probe[] {
  const rows = rowsIn(list, ground.abilities);
  const order = randomOf(`${seed} races`);
  return Array.from({ length: Math.ceil(count / Math.max(1, rows.length)) }, () => order.shuffled(rows))
    .flat()
    .slice(0, count)
    .map((row, at) => ({
      ...rowProbe(row, { kind: 'races', random: randomOf(`${seed} race ${at}`), ...ground }),
      requests: 4,
    }));
}

/** Recurring moments, as templates name them. */
const moments = [
  'minute',
  'hour',
  'day',
  '03:00',
  'leap-day',
  'year',
  'summer-time',
  'winter-time',
  'daylight-time',
  'standard-time',
] as const;

/** Moment of a step, `lead` seconds before one of the calendar; below zero, after it. */
const momentOf =
  (name: string) =>
  ({ lead }: Values): Values => {
    const seconds = Number(lead);
    const moment = seconds < 0 ? `next('${name}') + ${-seconds}s` : `next('${name}', ${seconds + 5}) - ${seconds}s`;
    return { moment };
  };

/** Windows of the interface across moments of the calendar: all pairs, before any recurs. */
export function windowProbes(
  seed: string,
  requests: number,
  list: Json | undefined,
  ground: RowGround,
): readonly Probe[] {
  const random = randomOf(`${seed} windows`);
  const rows = rowsIn(list, ground.abilities);
  if (!ground.abilities.wait || rows.length === 0) return [];
  const probes: Probe[] = [];
  for (let left = requests; left > 0; ) {
    const pairs = rows.flatMap((row) => moments.map((moment) => ({ row, moment })));
    for (const { row, moment } of random.shuffled(pairs)) {
      if (left <= 0) break;
      const across = { ...row, title: `${row.title}, with the next ${moment} in between` };
      probes.push(rowProbe(across, { kind: 'sequences', random, more: momentOf(moment), ...ground }));
      left -= row.requests;
    }
  }
  return probes;
}

interface HistoriesGround extends RowGround {
  readonly parts: readonly Part[];
}

/** Probe of a history; half of them have other conforming values in their requests. */
function historyProbe(row: Row, seed: string, { parts, ...ground }: HistoriesGround): Probe {
  const deviations = randomOf(`${seed} deviations`).shuffled(ground.deviations);
  const random = randomOf(seed);
  const whole = rowProbe(row, { kind: 'sequences', random, ...ground, deviations });
  const steps = whole.steps([], '') ?? [];
  const isPlain = row.json['fixed'] === true || random.below(2) === 0;
  const client = whole.setting([]).client ?? 'main';
  const free = isPlain ? [] : freeParts({ steps, instant: false, client }, parts);
  const [dealt = []] = dealtCombinations(free, { seed, strength: 2, count: 1, perPart: 5 });
  const combination: Combination = dealt.slice(0, 4);
  return {
    ...whole,
    parts: combination.map(({ value }) => value.name),
    varies: combination.map(({ part }) => part),
    steps: (kept: Kept, prefix) => withPrefix(variedSteps(steps, combination, kept), prefix),
  };
}

/** Draws all histories equally often, as far as the requests go. */
export function historyProbes(
  seed: string,
  requests: number,
  list: Json | undefined,
  ground: HistoriesGround,
): readonly Probe[] {
  const random = randomOf(`${seed} histories`);
  const rows = rowsIn(list, ground.abilities);
  const probes: Probe[] = [];
  for (let left = requests, before = -1; before < probes.length; ) {
    before = probes.length;
    for (const [at, row] of random.shuffled(rows).entries()) {
      if (row.requests > left) continue;
      probes.push(historyProbe(row, `${seed} history ${probes.length} ${at}`, ground));
      left -= row.requests;
    }
  }
  return probes;
}

/** Probe of a memory: makes entries with many others behind each, then asks for them. */
function memoryProbe(row: Row, ground: RowGround): Probe {
  const { json, title } = row;
  const stepsOf = (key: string, values: Values = {}): Steps => stepsWith(json[key], values, ground);
  const distances = textsOf(json['distances'])
    .map(Number)
    .toSorted((a, b) => b - a);
  const segments = distances.map((distance, at) => {
    const next = distances[at + 1];
    return { distance, others: next === undefined ? distance : distance - next - 1 };
  });
  const fill = (name: string, count: number): Steps =>
    json['fill'] === undefined
      ? Array.from({ length: count }, (_, at) => stepsOf('make', { one: `${name}-${at + 1}` })).flat()
      : stepsOf('fill', { count });
  // The parts alternate: an entry with its question, and the others behind it.
  const made = (kept: Kept): Steps => {
    const isMade = (at: number): boolean => kept[2 * at] === true;
    return [
      ...stepsOf('opening'),
      ...segments.flatMap(({ others }, at) => [
        ...(isMade(at) ? stepsOf('make', { one: `one${at + 1}` }) : []),
        ...(kept[2 * at + 1] === true && others > 0 ? fill(`other${at + 1}`, others) : []),
      ]),
      ...segments.flatMap((_, at) => (isMade(at) ? stepsOf('ask', { one: `one${at + 1}` }) : [])),
      ...stepsOf('closing'),
    ];
  };
  return {
    kind: 'volume',
    base: title,
    rules: [],
    title: () => title,
    setting: () => settingOf(row),
    parts: segments.flatMap(({ distance, others }) => [`one with ${distance} behind it`, `${others} others`]),
    steps: (kept, prefix) => withPrefix(made(kept), prefix),
    control: {},
    alone: true,
    requests: segments.reduce((sum, { others }) => sum + 2 + others, 0),
  };
}

/** Row of refusals one after the other, after which each rule still holds. */
function refusals(count: number, deviation: Deviation, others: readonly Deviation[]): Row {
  const refused = ({ difference, outcome, rule }: Deviation): JsonObject => ({
    authorize: difference,
    expect: { outcome, rule },
  });
  return {
    title: `Each of ${count} requests that break ${deviation.rule} is refused, and later requests are judged as before`,
    requests: count + others.length,
    json: { steps: [{ ...refused(deviation), times: count }, ...others.map(refused)] },
    values: {},
  };
}

/** One deviation of each rule, because a carrier may count by rule. */
function ofEachRule(deviations: readonly Deviation[]): readonly Deviation[] {
  return [...new Map(deviations.map((one) => [one.rule, one])).values()];
}

/** One round of this many fills the memories, because they are the same each time. */
const roundsOfMemories = 5;

/** Much of one thing (§2.3 jti, §3): full memories, and counters that overflow. */
export function volumeProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  requests: number,
  file: Json | undefined,
  ground: RowGround,
): readonly Probe[] {
  const { deviations, abilities } = ground;
  const random = randomOf(`${seed} volume`);
  const [first, ...others] = random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied'));
  const stale = ofEachRule(random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied-or-dropped')));
  const floods = rowsIn(memberOf(file, 'floods'), abilities);
  const rows = [
    ...rowsIn(memberOf(file, 'rows'), abilities),
    ...(first === undefined ? [] : [refusals(120, first, others.slice(0, 12))]),
    ...stale.map((one) => refusals(25, one, [])),
    ...floods.filter((_, at) => at === (round - 1) % floods.length),
  ];
  const memories = (round - 1) % roundsOfMemories === 0 ? rowsIn(memberOf(file, 'memories'), abilities) : [];
  const isLargest = ({ json }: Row): boolean => json['largest'] === true;
  const probes = [
    ...rows.map((row) => rowProbe(row, { kind: 'volume', random, ...ground })),
    ...memories.filter((row) => !isLargest(row)).map((row) => memoryProbe(row, ground)),
  ];
  let left = requests;
  // The largest come last, only if there is room for all the others.
  const largest = memories.filter(isLargest).map((row) => memoryProbe(row, ground));
  return [...random.shuffled(probes), ...largest].filter((probe) => {
    if (probe.requests > left) return false;
    left -= probe.requests;
    return true;
  });
}
