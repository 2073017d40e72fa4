import type { JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { PartValue, RequestPart } from '../requests/request-parts.ts';
import { ownNeeds, type RequestPoint, touchedParts } from '../requests/request-points.ts';
import { addValues, withoutNeeds } from './conforming.ts';
import type { MadeCase } from './suite-text.ts';

/** Refused requests of a case. */
const stepsPerCase = 4;

/** Whether the request is a refusal that its rule is about, of a signed object whose other members count. */
export const isSentDeviation = ({ outcome, isCondition, difference: { request, body, text } }: RequestPoint): boolean =>
  outcome !== 'accepted' && !isCondition && [request, body, text].every((one) => one === undefined);

/** Setting of the case that keeps the meaning of the request. */
function pointSetting(point: RequestPoint): { readonly client?: string; readonly requires?: readonly string[] } {
  const { client } = point.case;
  const own = ownNeeds(point);
  return {
    ...(typeof client === 'string' && client !== 'main' ? { client } : {}),
    ...(own.length === 0 ? {} : { requires: own }),
  };
}

/** Members that the deviations change, in words for a title. */
function subjectOf(points: readonly RequestPoint[]): string {
  const parts = new Set(points.flatMap(({ difference }) => [...touchedParts(difference)]));
  const [only = '', ...others] = parts;
  const [place, member] = only.split('.');
  if (others.length > 0 || member === undefined) return 'the request object';
  return place === 'claims' ? member : `the ${place} member ${member}`;
}

/** A few items from all over a list, or the same items again if it is short. */
export const spread = <T>(list: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]).filter(
    (one): one is T => one !== undefined,
  );

/** Conforming values of a step. Each value of a case is in one of its steps; which values meet differs from case to case. */
function valuesOfStep(parts: readonly RequestPart[], turn: number, step: number): readonly PartValue[] {
  return parts.flatMap(({ values }, part) => {
    const at = (step + part * (turn + 1)) % stepsPerCase;
    // If a member has more values, each case takes the next few.
    const from = values.length > stepsPerCase ? turn * stepsPerCase : 0;
    return at < values.length ? (values[(from + at) % values.length] ?? []) : [];
  });
}

interface Deviations {
  readonly ref: string;
  /** Deviations with the same setting. */
  readonly points: readonly RequestPoint[];
  /** Number of the case. */
  readonly turn: number;
}

function besideCase({ ref, points, turn }: Deviations, parts: readonly RequestPart[]): MadeCase | undefined {
  const sent = spread(points, stepsPerCase);
  const [first] = sent;
  if (first === undefined) return undefined;
  const refused = sent.map((point, step): JsonObject => {
    const { outcome, error } = point;
    return {
      authorize: addValues(point.difference, valuesOfStep(parts, turn, step)),
      expect: error === undefined ? outcome : { outcome, error: [...error] },
    };
  });
  const right = valuesOfStep(parts, turn, 0).filter(({ besideOnly }) => besideOnly !== true);
  const control = addValues(first.control ?? {}, right);
  const how = points.some(({ outcome }) => outcome === 'denied-or-dropped') ? 'denied or dropped' : 'denied';
  const { client, requires } = pointSetting(first);
  return {
    id: `${ref.toLowerCase().replace('#', '-')}-beside-conforming-values`,
    title: `A mistake in ${subjectOf(points)} (${ref}) is ${how}, whichever conforming values the other members have`,
    rule: ref,
    setting: {
      ...(client === undefined ? {} : { client }),
      ...(requires === undefined ? {} : { requires: [...requires] }),
    },
    steps: [...refused, { control: true, authorize: control, expect: 'accepted' }],
  };
}

/** Deviations of a rule with the setting that needs least. */
function easiestPoints(points: readonly RequestPoint[]): readonly RequestPoint[] {
  const weight = (point: RequestPoint): number => ownNeeds(point).length * 2 + (point.case.client === 'main' ? 0 : 1);
  const least = Math.min(...points.map(weight));
  const easy = points.filter((point) => weight(point) === least);
  const settings = groupBy(easy, (point) => JSON.stringify(pointSetting(point)));
  return [...settings.values()][0] ?? [];
}

/** A case for each rule or aspect with a listed deviation, which must be refused whatever stands beside it. */
export function besideCases(points: readonly RequestPoint[], parts: readonly RequestPart[]): readonly MadeCase[] {
  const deviations = points.filter(isSentDeviation);
  const values = parts.map(({ id, values: all }) => ({ id, values: all.filter(withoutNeeds) }));
  return [...groupBy(deviations, ({ rule }) => rule)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([ref, all], turn) => besideCase({ ref, points: easiestPoints(all), turn }, values) ?? []);
}
