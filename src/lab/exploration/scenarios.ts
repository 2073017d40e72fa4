import {
  type RoundSettings,
  type KeptParts,
  type ProbeKind,
  type Probe,
  type CaseSetting,
  wholeProbe,
} from '../explore/exploration.ts';
import { prefixSteps } from '../explore/chains/link.ts';
import { type Random, seededRandom } from '../../lib/covering/random.ts';
import { isJsonObject, type Json, type JsonObject, readMember } from '../../lib/json.ts';
import { type Combination, dealCombinations } from './combinations.ts';
import type { RequestPart } from './request-parts.ts';
import {
  type Deviation,
  drawRowValues,
  fillReferences,
  objectOrNone,
  type ExplorationRow,
  type RowGround,
  readListRows,
  type CaseSteps,
  expandSteps,
  rowTexts,
  type RowValues,
} from './rows.ts';
import { freeParts, applyCombination as variedSteps } from './varied-cases.ts';

function rowSetting({ json, values }: ExplorationRow): CaseSetting {
  const { client, subscriber, requires, receiver } = objectOrNone(fillReferences(json, values));
  return {
    exclusive: true,
    ...(typeof client === 'string' ? { client } : {}),
    ...(typeof subscriber === 'string' ? { subscriber } : {}),
    ...(requires === undefined ? {} : { requires: rowTexts(requires) }),
    ...(isJsonObject(receiver) ? { receiver } : {}),
  };
}

/** Probe of a row with its drawn values; `more` gives values that depend on the drawn ones. */
export function rowProbe(
  row: ExplorationRow,
  {
    kind,
    random,
    more,
    ...ground
  }: RowGround & { kind: ProbeKind; random: Random; more?: (values: RowValues) => RowValues },
): Probe {
  const values = drawRowValues(row, random, ground.abilities);
  const steps = expandSteps(row.json['steps'], { ...values, ...more?.(values) }, ground);
  return wholeProbe({
    kind,
    title: row.title,
    setting: rowSetting(row),
    rules: [],
    alone: true,
    requests: row.requests,
    steps: (prefix) => prefixSteps(steps, prefix),
  });
}

/** Events at the same moment (§2.3 jti, §3): at most one wins, and no result is of another session. */
export function raceProbes(seed: string, count: number, list: Json | undefined, ground: RowGround): readonly Probe[] {
  const rows = readListRows(list, ground.abilities);
  const order = seededRandom(`${seed} races`);
  return Array.from({ length: Math.ceil(count / Math.max(1, rows.length)) }, () => order.shuffled(rows))
    .flat()
    .slice(0, count)
    .map((row, at) => ({
      ...rowProbe(row, { kind: 'races', random: seededRandom(`${seed} race ${at}`), ...ground }),
      requests: 4,
    }));
}

/** Recurring moments, as templates name them. */
const calendarMoments = [
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
const leadMoment =
  (name: string) =>
  ({ lead }: RowValues): RowValues => {
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
  const random = seededRandom(`${seed} windows`);
  const rows = readListRows(list, ground.abilities);
  if (!ground.abilities.wait || rows.length === 0) return [];
  const probes: Probe[] = [];
  for (let left = requests; left > 0; ) {
    const pairs = rows.flatMap((row) => calendarMoments.map((moment) => ({ row, moment })));
    for (const { row, moment } of random.shuffled(pairs)) {
      if (left <= 0) break;
      const across = { ...row, title: `${row.title}, with the next ${moment} in between` };
      probes.push(rowProbe(across, { kind: 'sequences', random, more: leadMoment(moment), ...ground }));
      left -= row.requests;
    }
  }
  return probes;
}

interface HistoriesGround extends RowGround {
  readonly parts: readonly RequestPart[];
}

/** Probe of a history; half of them have other conforming values in their requests. */
function historyProbe(row: ExplorationRow, seed: string, { parts, ...ground }: HistoriesGround): Probe {
  const deviations = seededRandom(`${seed} deviations`).shuffled(ground.deviations);
  const random = seededRandom(seed);
  const whole = rowProbe(row, { kind: 'sequences', random, ...ground, deviations });
  const steps = whole.steps([], '') ?? [];
  const isPlain = row.json['fixed'] === true || random.below(2) === 0;
  const client = whole.setting([]).client ?? 'main';
  const free = isPlain ? [] : freeParts({ steps, instant: false, client }, parts);
  const [dealt = []] = dealCombinations(free, { seed, strength: 2, count: 1, perPart: 5 });
  const combination: Combination = dealt.slice(0, 4);
  return {
    ...whole,
    parts: combination.map(({ value }) => value.name),
    varies: combination.map(({ part }) => part),
    steps: (kept: KeptParts, prefix) => prefixSteps(variedSteps(steps, combination, kept), prefix),
  };
}

/** Draws all histories equally often, as far as the requests go. */
export function historyProbes(
  seed: string,
  requests: number,
  list: Json | undefined,
  ground: HistoriesGround,
): readonly Probe[] {
  const random = seededRandom(`${seed} histories`);
  const rows = readListRows(list, ground.abilities);
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
function memoryProbe(row: ExplorationRow, ground: RowGround): Probe {
  const { json, title } = row;
  const stepsOf = (key: string, values: RowValues = {}): CaseSteps => expandSteps(json[key], values, ground);
  const distances = rowTexts(json['distances'])
    .map(Number)
    .toSorted((a, b) => b - a);
  const segments = distances.map((distance, at) => {
    const next = distances[at + 1];
    return { distance, others: next === undefined ? distance : distance - next - 1 };
  });
  const fill = (name: string, count: number): CaseSteps =>
    json['fill'] === undefined
      ? Array.from({ length: count }, (_, at) => stepsOf('make', { one: `${name}-${at + 1}` })).flat()
      : stepsOf('fill', { count });
  // The parts alternate: an entry with its question, and the others behind it.
  const made = (kept: KeptParts): CaseSteps => {
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
    setting: () => rowSetting(row),
    parts: segments.flatMap(({ distance, others }) => [`one with ${distance} behind it`, `${others} others`]),
    steps: (kept, prefix) => prefixSteps(made(kept), prefix),
    control: {},
    alone: true,
    requests: segments.reduce((sum, { others }) => sum + 2 + others, 0),
  };
}

/** Row of refusals one after the other, after which each rule still holds. */
function refusalRow(count: number, deviation: Deviation, others: readonly Deviation[]): ExplorationRow {
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
function oneDeviationPerRule(deviations: readonly Deviation[]): readonly Deviation[] {
  return [...new Map(deviations.map((one) => [one.rule, one])).values()];
}

/** One round of this many fills the memories, because they are the same each time. */
const memoryRoundInterval = 5;

/** Much of one thing (§2.3 jti, §3): full memories, and counters that overflow. */
export function volumeProbes(
  { seed, round }: Pick<RoundSettings, 'seed' | 'round'>,
  requests: number,
  file: Json | undefined,
  ground: RowGround,
): readonly Probe[] {
  const { deviations, abilities } = ground;
  const random = seededRandom(`${seed} volume`);
  const [first, ...others] = random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied'));
  const stale = oneDeviationPerRule(
    random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied-or-dropped')),
  );
  const floods = readListRows(readMember(file, 'floods'), abilities);
  const rows = [
    ...readListRows(readMember(file, 'rows'), abilities),
    ...(first === undefined ? [] : [refusalRow(120, first, others.slice(0, 12))]),
    ...stale.map((one) => refusalRow(25, one, [])),
    ...floods.filter((_, at) => at === (round - 1) % floods.length),
  ];
  const memories = (round - 1) % memoryRoundInterval === 0 ? readListRows(readMember(file, 'memories'), abilities) : [];
  const isLargest = ({ json }: ExplorationRow): boolean => json['largest'] === true;
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
