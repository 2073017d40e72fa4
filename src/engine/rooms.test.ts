import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The rooms of this floor from the ground up: what is called stands in the same room or below. Everybody may know the types. */
const stairs: readonly (readonly [room: string, rationale: string])[] = [
  ['clock', 'knows moments and waits, no case'],
  ['world', 'what all cases share and what one knows and leaves; does nothing by itself'],
  ['drive', 'makes an action happen, and takes it back'],
  ['receive', 'what comes in finds the case that waits for it'],
  ['act', 'one file a verb of the suite language'],
  ['case', 'from the first step of a case to the last moment at which something of it may come'],
  ['plan', 'what runs, with whom, in which order and how long; sends nothing'],
  ['resume', 'goes on where a run was cut off'],
  ['merge', 'parts of one run become its result'],
];

/** These stand above all rooms, side by side with the files of a run. */
const top: ReadonlySet<string> = new Set(['.', 'measure', 'preflight']);

const heightOf = (room: string): number =>
  top.has(room) ? stairs.length : stairs.findIndex(([name]) => name === room);

const imports = /^(?:import|export)\s+(?!type\b)([^'";]*?)\bfrom\s+'(\.[^']*)'/gm;

const isTypeOnly = (names: string): boolean => {
  const listed = /\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(',')
    .flatMap((name) => name.trim() || []);
  return listed !== undefined && listed.length > 0 && listed.every((name) => name.startsWith('type '));
};

/** What a file calls in a room above its own; both relative to this floor. */
function calledAbove(file: string, source: string): readonly string[] {
  const room = posix.dirname(file);
  return [...source.matchAll(imports)].flatMap(([, names = '', specifier = '']) => {
    const called = posix.join(room, specifier);
    if (called.startsWith('..') || isTypeOnly(names)) return [];
    return heightOf(posix.dirname(called)) > heightOf(room) ? [`${file} calls ${called}`] : [];
  });
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split('\\').join('/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

describe('the rooms of the engine', () => {
  test.each([...stairs.map(([room]) => room), ...top])('%s calls nobody above', (room) => {
    const mine = files.filter((file) => posix.dirname(file) === room);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.flatMap((file) => calledAbove(file, readFileSync(join(import.meta.dirname, file), 'utf8')))).toEqual(
      [],
    );
  });

  test('are all of its folders', () => {
    expect(files.map((file) => posix.dirname(file)).filter((room) => heightOf(room) < 0)).toEqual([]);
  });

  test.each([
    ['above', 'clock/a.ts', "import { drive } from '../drive/drive.ts';", ['clock/a.ts calls drive/drive.ts']],
    ['a file of the run', 'case/a.ts', "import { run, type B } from '../run.ts';", ['case/a.ts calls run.ts']],
    ['over two lines', 'act/a.ts', "import {\n  plan,\n} from '../plan/plan.ts';", ['act/a.ts calls plan/plan.ts']],
    ['below', 'plan/a.ts', "import { park } from '../clock/timeline.ts';", []],
    ['a type above', 'clock/a.ts', "import type { World } from '../world/world.ts';", []],
    ['types above, each named one', 'clock/a.ts', "import { type World } from '../world/world.ts';", []],
    ['another floor', 'clock/a.ts', "import { sign } from '../../wire/sign.ts';", []],
  ])('a call %s', (_, file, source, found) => {
    expect(calledAbove(file, source)).toEqual(found);
  });
});
