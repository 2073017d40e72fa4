// Finds regular expressions that take more than linear time. It installs recheck beside itself when it is not there yet.
// judged.json has the digests of those that this version of recheck has found linear: they are not judged again. --write adds to it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { findExpressions } from './expressions.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

const judgedFile = join(here, 'judged.json');
const judged = new Set(JSON.parse(readFileSync(judgedFile, 'utf8')));
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));

const digestOf = ({ pattern, flags }) =>
  createHash('sha256').update(JSON.stringify([dependencies.recheck, pattern, flags])).digest('hex').slice(0, 32);

async function loadRecheck() {
  if (!existsSync(join(here, 'node_modules', 'recheck'))) {
    console.log('npm ci in ci/regexps, once');
    const { status } = spawnSync('npm', ['ci', '--prefix', here, '--ignore-scripts'], { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  return import('recheck');
}
let recheck;

/** Without one of these nothing repeats, so the time is linear. */
const repeats = /[*+{]/;

/** Milliseconds of processor time: of the texts that recheck makes a linear expression takes far less, a quadratic one far more. */
const mostTime = 500;

/**
 * Whether the expression does take long for the text that recheck has found by trying. It times its tries by the wall clock, so that on a
 * busy machine a linear expression may look slow.
 */
function isSlow({ pattern, flags }, text) {
  const before = process.cpuUsage();
  try {
    runInNewContext('new RegExp(pattern, flags).test(text)', { pattern, flags, text }, { timeout: 20 * mostTime });
  } catch (error) {
    if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  return process.cpuUsage(before).user / 1000 > mostTime;
}

/** What is wrong with an expression, or undefined. */
async function judge({ dynamic, pattern, flags }) {
  if (dynamic) return 'an expression is made at run time: say in ci/regexps/expressions.js why that is safe';
  if (!repeats.test(pattern) || judged.has(digestOf({ pattern, flags }))) return undefined;
  recheck ??= loadRecheck();
  const { check } = await recheck;
  const { status, complexity, attack } = await check(pattern, flags, { timeout: 120_000 });
  if (status === 'safe') return undefined;
  if (complexity?.isFuzz === true && attack !== undefined && !isSlow({ pattern, flags }, attack.string)) return undefined;
  if (status === 'unknown') return `/${pattern}/${flags}: recheck does not know whether its time is linear`;
  return `/${pattern}/${flags}: ${complexity.summary}, with ${attack.pattern}`;
}

const expressions = findExpressions(root);
let wrong = 0;
const linear = [];
const queue = expressions.values();
const work = async () => {
  for (const expression of queue) {
    const why = await judge(expression);
    if (why === undefined) {
      if (!expression.dynamic && repeats.test(expression.pattern)) linear.push(digestOf(expression));
      continue;
    }
    wrong += 1;
    console.error(`${[...expression.places].join(', ')}\n  ${why}`);
  }
};
await Promise.all([work(), work()]);
if (process.argv.includes('--write')) {
  writeFileSync(judgedFile, `${JSON.stringify([...new Set(linear)].toSorted(), undefined, 2)}\n`);
}
console.log(`${expressions.length} regular expressions, ${wrong} of them not linear`);
process.exitCode = wrong === 0 ? 0 : 1;
