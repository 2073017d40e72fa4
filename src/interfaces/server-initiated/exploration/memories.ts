import type { Kept, Probe, Setting } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';

type Steps = readonly JsonObject[];

/** Something that a carrier keeps for a while: each of many, asked about after so many others, is still known. */
export interface Memory {
  readonly title: string;
  readonly setting?: Setting;
  /** Before the first. */
  readonly opening?: (p: string) => Steps;
  /** Makes one; the names of its steps begin with `name`. */
  readonly make: (name: string, p: string) => Steps;
  /** Makes some that nobody asks about; as `make` does unless said. */
  readonly fill?: (name: string, count: number) => Steps;
  /** Asks about the one that was made with `name`. */
  readonly ask: (name: string, p: string) => Steps;
  /** Behind the last. */
  readonly closing?: (p: string) => Steps;
  /** How many others are made between one and the question about it. */
  readonly distances: readonly number[];
  /** Request objects, and calls, of one that is made. */
  readonly each: number;
}

/** One that is made, and the others that are made before the next. */
interface Segment {
  readonly distance: number;
  readonly others: number;
}

function segmentsOf(distances: readonly number[]): readonly Segment[] {
  const descending = distances.toSorted((a, b) => b - a);
  return descending.map((distance, at) => {
    const next = descending[at + 1];
    return { distance, others: next === undefined ? distance : distance - next - 1 };
  });
}

const fillWith =
  (make: Memory['make'], p: string) =>
  (name: string, count: number): Steps =>
    Array.from({ length: count }, (_, at) => make(`${name}-${at + 1}`, p)).flat();

/** The parts are, by turns, one that is made with the question about it, and the others behind it. */
function stepsOf(memory: Memory, segments: readonly Segment[], { kept, p }: { kept: Kept; p: string }): Steps {
  const { opening, make, fill = fillWith(make, p), ask, closing } = memory;
  const isMade = (at: number): boolean => kept[2 * at] === true;
  const name = (at: number): string => `${p}m${at + 1}`;
  return [
    ...(opening?.(p) ?? []),
    ...segments.flatMap(({ others }, at) => [
      ...(isMade(at) ? make(name(at), p) : []),
      ...(kept[2 * at + 1] === true && others > 0 ? fill(`${p}f${at + 1}`, others) : []),
    ]),
    ...segments.flatMap((_, at) => (isMade(at) ? ask(name(at), p) : [])),
    ...(closing?.(p) ?? []),
  ];
}

export function memoryProbe(memory: Memory): Probe {
  const segments = segmentsOf(memory.distances);
  const parts = segments.flatMap(({ distance, others }) => [`one with ${distance} behind it`, `${others} others`]);
  const made = segments.reduce((sum, { others }) => sum + 1 + others, 0);
  return {
    kind: 'volume',
    base: memory.title,
    rules: [],
    title: () => memory.title,
    setting: () => memory.setting ?? { exclusive: true },
    parts,
    steps: (kept, p) => stepsOf(memory, segments, { kept, p }),
    control: {},
    alone: true,
    requests: made * memory.each + segments.length,
  };
}
