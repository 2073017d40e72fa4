import { compileGlob } from '../../../engine/plan/select.ts';
import type { CoveringArray } from '../../../lib/covering/covering-array.ts';
import type { CoverRow } from '../../../lib/covering/domain.ts';
import { countNoun } from '../../../lib/lists.ts';
import { CarrierspecError } from '../../../model/problem.ts';
import { differingChoices, drawRows, readFreedoms } from '../../space/freedoms.ts';
import type { Freedom } from '../../space/freedoms-grammar.ts';
import type { NumberedCarrier } from '../../prove/prove-space.ts';
import type { proveDefinition } from '../../../cli/definitions/suite.ts';
import { hintFor } from '../../../cli/shared/choose.ts';
import type { CommandInputs } from '../../../cli/shared/command.ts';
import { usageError } from '../../../cli/shared/inputs.ts';

const unknownName = (what: string, given: string, known: readonly string[]): CarrierspecError =>
  new CarrierspecError(`there is no ${what} ${given}; ${hintFor(given, known, 'see fixtures/space/freedoms.yaml')}`, {
    code: 'unknown-name',
  });

function findChoice(given: string, freedoms: readonly Freedom[]): readonly [string, string] {
  const [id = '', name = ''] = given.split('/');
  const freedom = freedoms.find((one) => one.id === id);
  if (freedom === undefined)
    throw unknownName(
      'freedom',
      id,
      freedoms.map((one) => one.id),
    );
  const names = freedom.choices.map((choice) => choice.name);
  if (!names.includes(name))
    throw unknownName(
      'choice',
      given,
      names.map((one) => `${id}/${one}`),
    );
  return [id, name];
}

/** Choices of one carrier, each named as `freedom/choice`; undefined if the names are freedoms. */
function parseChoices(names: readonly string[], freedoms: readonly Freedom[]): CoverRow | undefined {
  if (!names.some((name) => name.includes('/'))) return undefined;
  return Object.fromEntries(names.map((name) => findChoice(name, freedoms)));
}

/** Freedoms by name or glob, or all; the others keep their plain choice. */
function chooseFreedoms(names: readonly string[], freedoms: readonly Freedom[]): readonly Freedom[] {
  if (names.length === 0) return freedoms;
  const chosen = new Set(
    names.flatMap((name) => {
      const found = freedoms.filter(({ id }) => compileGlob(name, '').test(id));
      if (found.length === 0)
        throw unknownName(
          'freedom',
          name,
          freedoms.map((one) => one.id),
        );
      return found;
    }),
  );
  return freedoms.filter((one) => chosen.has(one));
}

export interface CarrierDrawing {
  readonly seed: string;
  readonly carriers: readonly NumberedCarrier[];
  readonly cover?: CoveringArray;
  readonly freedoms: number;
  readonly choices: number;
  /** A single carrier was requested: all its rows run. */
  readonly one: boolean;
}

/** Default seed: the UTC date, the same on every machine. */
const dateSeed = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '');

export function drawCarriers({
  names,
  seed = dateSeed(),
  count,
  only,
}: Pick<CommandInputs<typeof proveDefinition>, 'names' | 'seed' | 'count' | 'only'>): CarrierDrawing {
  const all = readFreedoms();
  const size = { freedoms: all.length, choices: all.reduce((sum, one) => sum + one.choices.length, 0) };
  const given = parseChoices(names, all);
  if (given !== undefined) return { seed, ...size, one: true, carriers: [{ number: 1, choices: given }] };
  const freedoms = chooseFreedoms(names, all);
  const cover = drawRows(freedoms, { seed, count: Math.max(count, only ?? 0) });
  const carriers = cover.rows.map((row, index) => ({ number: index + 1, choices: differingChoices(row, freedoms) }));
  const chosen = only === undefined ? carriers : carriers.filter(({ number }) => number === only);
  if (chosen.length === 0) throw usageError(`--only: there is no carrier ${only ?? ''}`);
  return { seed, ...size, one: only !== undefined, cover, carriers: chosen };
}

export function describeCover({ cover, freedoms, choices }: CarrierDrawing): string {
  const space = `${countNoun(freedoms, 'freedom')} with ${countNoun(choices, 'choice')}`;
  if (cover === undefined) return space;
  const { covered, pairs, enough } = cover;
  const share = Math.floor((1000 * covered) / Math.max(1, pairs)) / 10;
  const all = enough === undefined ? '' : `, all of them in the first ${enough} carriers`;
  return `${space}; ${covered.toLocaleString('en')} of ${pairs.toLocaleString('en')} pairs of choices (${share} %)${all}`;
}
