// Finds regular expressions that take more than linear time. Installs recheck in its folder on first use.
// judged.json has digests of expressions that this version of recheck found linear, which are not judged again. --write adds to it.
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

/** An expression without any of these has no repetition, so its time is linear. */
const repeats = /[*+{]/;

/** Milliseconds of CPU time: with recheck's texts a linear expression takes far less, a quadratic one far more. */
const mostTime = 500;

/**
 * Whether an expression really is slow on the text that recheck found by trying. recheck uses the wall clock, so a linear expression
 * may look slow on a busy machine.
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

/** Problem of an expression, or undefined. */
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
