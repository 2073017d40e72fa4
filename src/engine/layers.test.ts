import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The folders of the engine from the lowest layer up: a file calls its own folder and those below. It may import types of all. */
const layers: readonly (readonly [folder: string, rationale: string])[] = [
  ['clock', 'knows moments and waits, no case'],
  ['context', 'the services of a run, and what one case knows, sends and leaves'],
  ['drive', 'makes an action happen, and undoes it'],
  ['receive', 'a delivery finds the case that waits for it'],
  ['act', 'the verbs of the suite language, and how a step is judged'],
  ['case', 'from the first step of a case to the last moment at which something of it may come'],
  ['plan', 'what runs, with whom, in which order and how long; sends nothing'],
  ['resume', 'resumes a run that was cut off'],
  ['merge', 'parts of one run become its result'],
];

/** These stand above all layers, side by side with the files of a run. */
const top: ReadonlySet<string> = new Set(['.', 'measure', 'preflight']);

const heightOf = (folder: string): number =>
  top.has(folder) ? layers.length : layers.findIndex(([name]) => name === folder);

const imports = /^(?:import|export)\s+(?!type\b)([^'";]*?)\bfrom\s+'(\.[^']*)'/gm;

const isTypeOnly = (names: string): boolean => {
  const listed = /\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(',')
    .flatMap((name) => name.trim() || []);
  return listed !== undefined && listed.length > 0 && listed.every((name) => name.startsWith('type '));
};

/** What a file calls in a folder above its own; both relative to the engine. */
function calledAbove(file: string, source: string): readonly string[] {
  const folder = posix.dirname(file);
  return [...source.matchAll(imports)].flatMap(([, names = '', specifier = '']) => {
    const called = posix.join(folder, specifier);
    if (called.startsWith('..') || isTypeOnly(names)) return [];
    return heightOf(posix.dirname(called)) > heightOf(folder) ? [`${file} calls ${called}`] : [];
  });
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split('\\').join('/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

describe('the layers of the engine', () => {
  test.each([...layers.map(([folder]) => folder), ...top])('%s calls nothing above', (folder) => {
    const mine = files.filter((file) => posix.dirname(file) === folder);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.flatMap((file) => calledAbove(file, readFileSync(join(import.meta.dirname, file), 'utf8')))).toEqual(
      [],
    );
  });

  test('are all of its folders', () => {
    expect(files.map((file) => posix.dirname(file)).filter((folder) => heightOf(folder) < 0)).toEqual([]);
  });

  test.each([
    ['above', 'clock/a.ts', "import { drive } from '../drive/drive.ts';", ['clock/a.ts calls drive/drive.ts']],
    ['a file of the run', 'case/a.ts', "import { run, type B } from '../run.ts';", ['case/a.ts calls run.ts']],
    ['over two lines', 'act/a.ts', "import {\n  plan,\n} from '../plan/plan.ts';", ['act/a.ts calls plan/plan.ts']],
    ['below', 'plan/a.ts', "import { createTimeline } from '../clock/timeline.ts';", []],
    ['a type above', 'clock/a.ts', "import type { World } from '../context/case-context.ts';", []],
    ['types above, each named one', 'clock/a.ts', "import { type World } from '../context/case-context.ts';", []],
    ['another folder of src', 'clock/a.ts', "import { sign } from '../../wire/sign.ts';", []],
  ])('a call %s', (_, file, source, found) => {
    expect(calledAbove(file, source)).toEqual(found);
  });
});
