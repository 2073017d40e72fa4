// Moves each named number of the product by one step, up and down, and runs the tests that could see it: a move that no test fails is a
// bound without a test. ci/bounds/free.json has the numbers that are a matter of taste, with the reason.
//   --only FILE[:NAME]  one file, folder or constant    --part K/N  the K-th of N parts
//   --seconds N         time of the tests for a move    --list      lists the moves only
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { findConstants, stepsOf } from './constants.js';
import { findImporters, testsOf } from './related.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const freeFile = 'ci/bounds/free.json';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'src' },
    part: { type: 'string', default: '1/1' },
    seconds: { type: 'string', default: '20' },
    list: { type: 'boolean', default: false },
  },
});

/** Milliseconds after which the tests of a move hang: then the move was seen. */
const mostTime = 300_000;

/** Milliseconds of a test file that did not run yet. */
const usualTime = 500;

/** Test files that run for a move, whatever their time. */
const leastFiles = 2;

const idOf = ({ file, name }) => `${file}:${name}`;

/** The move that runs: its file, the place of its literal and the number that stands there. */
let move;

const mover = {
  name: 'bounds',
  enforce: 'pre',
  // Tests of the program run the one in dist, which has no move.
  resolveId: (id) => (id === join(root, 'dist/bundle/main.js') ? join(root, 'src/cli/main.ts') : undefined),
  transform(code, id) {
    if (move === undefined || id !== join(root, move.file)) return undefined;
    if (!code.startsWith(move.literal, move.start)) throw new Error(`${id} changed while its bounds were moved`);
    const rest = code.slice(move.start + move.literal.length);
    return { code: `${code.slice(0, move.start)}${move.to}${rest}`, map: null };
  },
};

let runner;
/** First failure of the tests that run. */
let failure;
/** Milliseconds of the test files that ran. */
const times = {};

function fail(file, what) {
  if (failure !== undefined) return;
  failure = { file, what };
  void runner.cancelCurrentRun('test-failure');
}

const reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === 'failed') fail(test.module.relativeModuleId, test.fullName);
  },
  onTestModuleEnd: (module) => {
    const { relativeModuleId: file } = module;
    times[file] ??= module.diagnostic().duration;
    if (module.state() === 'failed') fail(file, 'not loaded');
  },
};

/** Runs files in the given order. */
class InOrder {
  sort(files) {
    return files;
  }
  shard(files) {
    return files;
  }
}

const startRunner = () =>
  createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      reporters: [reporter],
      include: ['src/**/*.test.ts'],
      setupFiles: ['src/testing/vitest/clean-up.ts'],
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      sequence: { sequencer: InOrder },
    },
    { plugins: [mover] },
  );

/** Runs test files with a move until one fails; returns the first failure, or undefined. */
async function runTests(files, next) {
  move = next;
  runner ??= await startRunner();
  failure = undefined;
  if (move !== undefined) runner.invalidateFile(join(root, move.file));
  const [project] = runner.projects;
  const run = runner.runTestSpecifications(files.map((file) => project.createSpecification(join(root, file))));
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(done, mostTime, 'late');
  });
  if ((await Promise.race([run, late])) === 'late') {
    fail(files[0], 'the tests hang');
    await runner.close();
    runner = undefined;
  }
  clearTimeout(timer);
  if (move !== undefined) runner?.invalidateFile(join(root, move.file));
  return failure;
}

const importers = findImporters(root);
/** Whether a test file that failed with a move passes without one. */
const passes = {};

/** The nearest tests of a file, as many as fit into the time, in groups: after a failure the rest of a group is still loaded. */
function groupsOf(file, most) {
  const tests = [];
  let sum = 0;
  for (const test of testsOf(file, importers)) {
    if (sum > most && tests.length >= leastFiles) break;
    if (passes[test] === false) continue;
    tests.push(test);
    sum += times[test] ?? usualTime;
  }
  return [tests.slice(0, 2), tests.slice(2)].filter((group) => group.length > 0);
}

/** Whether a test fails because of a move. A file that fails without it as well is left out. */
async function isSeen(next, most) {
  for (const group of groupsOf(next.file, most)) {
    const first = await runTests(group, next);
    if (first === undefined) continue;
    passes[first.file] ??= (await runTests([first.file], undefined)) === undefined;
    if (passes[first.file]) return true;
    console.log(`left out, because it fails without a move: ${first.file} > ${first.what}`);
    return isSeen(next, most);
  }
  return false;
}

const free = Object.values(JSON.parse(readFileSync(join(root, freeFile), 'utf8'))).flat();
const all = findConstants(root);
const gone = free.filter((id) => !all.some((constant) => idOf(constant) === id));
for (const id of gone) console.error(`${freeFile} lists ${id}, which is not there`);

function refuse(message) {
  console.error(message);
  process.exit(2);
}

const [, part, parts] = (/^(\d+)\/(\d+)$/.exec(flags.part) ?? []).map(Number);
if (!(part >= 1 && part <= parts)) refuse(`--part is ${flags.part}, and must be K/N with K from 1 to N`);
const most = Number(flags.seconds) * 1000;
if (!(most > 0)) refuse(`--seconds is ${flags.seconds}, and must be a number above 0`);
const wanted = all.filter((constant) => constant.file.startsWith(flags.only) || idOf(constant) === flags.only);
if (wanted.length === 0) refuse(`--only is ${flags.only}, and no file with a named number begins so`);

const files = [...new Set(wanted.map(({ file }) => file))].filter((_, at) => at % parts === part - 1);
const constants = wanted.filter((constant) => files.includes(constant.file) && !free.includes(idOf(constant)));
const moves = constants.flatMap((constant) => stepsOf(constant.literal).map((to) => ({ ...constant, to })));
let survivors = 0;
for (const next of moves) {
  if (!flags.list && (await isSeen(next, most))) continue;
  survivors += 1;
  console.log(`${next.file}:${next.line} ${next.name} ${next.literal} -> ${next.to}`);
}
await runner?.close();
const found = flags.list ? '' : `, ${survivors} that no test fails`;
console.log(`bounds: ${constants.length} constants, ${moves.length} moves${found}`);
if (survivors > 0 && !flags.list) console.error(`Write a test at both sides, or list the number in ${freeFile} with the reason.`);
process.exitCode = (survivors > 0 && !flags.list) || gone.length > 0 ? 1 : 0;
