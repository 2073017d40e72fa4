import type { Cover } from '../../lib/covering/cover.ts';
import { countOf } from '../../lib/lists.ts';
import { readFreedoms } from '../../prove/space/freedoms.ts';
import type { Drawn } from '../../prove/space/judge-drawn.ts';
import { choicesOf, drawRows } from '../../prove/space/rows.ts';
import type { proveDefinition } from '../definitions/suite.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import { chooseFreedoms, givenChoices } from './choose-freedoms.ts';

type SpaceFlags = Given<typeof proveDefinition>;

/** What is drawn, and how much of the space it covers. */
export interface Drawing {
  readonly seed: string;
  readonly carriers: readonly Drawn[];
  readonly cover?: Cover;
  readonly freedoms: number;
  readonly choices: number;
  /** One carrier is meant: all of its rows run. */
  readonly one: boolean;
}

/** Every day has its own carriers, the same on every machine. */
const today = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '');

/** The carriers that the flags mean. */
export function drawCarriers({ names, seed = today(), count, only }: SpaceFlags): Drawing {
  const all = readFreedoms();
  const size = { freedoms: all.length, choices: all.reduce((sum, one) => sum + one.choices.length, 0) };
  const given = givenChoices(names, all);
  if (given !== undefined) return { seed, ...size, one: true, carriers: [{ number: 1, choices: given }] };
  const freedoms = chooseFreedoms(names, all);
  const cover = drawRows(freedoms, { seed, count: Math.max(count, only ?? 0) });
  const carriers = cover.rows.map((row, index) => ({ number: index + 1, choices: choicesOf(row, freedoms) }));
  const chosen = only === undefined ? carriers : carriers.filter(({ number }) => number === only);
  if (chosen.length === 0) throw usageError(`--only: there is no carrier ${only ?? ''}`);
  return { seed, ...size, one: only !== undefined, cover, carriers: chosen };
}

/** The space, and how much of it is covered. */
export function coverWords({ cover, freedoms, choices }: Drawing): string {
  const space = `${countOf(freedoms, 'freedom')} with ${countOf(choices, 'choice')}`;
  if (cover === undefined) return space;
  const { covered, tuples: pairs, enough } = cover;
  const share = Math.floor((1000 * covered) / Math.max(1, pairs)) / 10;
  const all = enough === undefined ? '' : `, all of them in the first ${enough} carriers`;
  return `${space}; ${covered.toLocaleString('en')} of ${pairs.toLocaleString('en')} pairs of choices (${share} %)${all}`;
}
