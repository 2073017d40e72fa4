import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { bin, median, root, table, withFolder } from './ground.js';

const starts = 10;

/** Milliseconds of a whole process of this Node. */
function wall(node, args, allowed) {
  const begun = performance.now();
  const { status, stderr, error } = spawnSync(node, args, { encoding: 'utf8' });
  const took = performance.now() - begun;
  if (!allowed.includes(status)) throw new Error(`${node} ${args.join(' ')} ended with ${error ?? status}: ${stderr}`);
  return took;
}

/** Milliseconds from the start of a run to its first connection to the carrier. */
function untilFirst(node, folder) {
  const file = join(folder, 'first');
  const preload = `file://${root}/bench/first.js`;
  const env = { ...process.env, FIRST_FILE: file };
  const args = ['--import', preload, bin, 'run', 'plain-request', '--out', join(folder, 'out')];
  const { status, stderr } = spawnSync(node, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return Number(readFileSync(file, 'utf8'));
}

const commandsIn = (folder, repeats) => [
  { name: 'node -e 0', args: ['-e', '0'], times: starts },
  { name: 'carrierspec --version', args: [bin, '--version'], times: starts },
  { name: 'carrierspec --help', args: [bin, '--help'], times: starts },
  // A complete run may also exit with 1 or 4.
  { name: 'carrierspec run', args: [bin, 'run', '--out', folder], times: repeats, allowed: [0, 1, 4] },
];

/** Rows of one release of Node: each command compared with `node -e 0`. */
function rowsOf(node, repeats) {
  return withFolder((folder) => {
    const measured = commandsIn(folder, repeats).map(({ name, args, times, allowed = [0] }) => ({
      name,
      values: Array.from({ length: times }, () => wall(node, args, allowed)),
    }));
    const first = Array.from({ length: starts }, () => untilFirst(node, folder));
    measured.push({ name: 'carrierspec run, to its first exchange', values: first });
    const floor = median(measured[0].values);
    return measured.map(({ name, values }) => [
      name,
      values.length,
      ...[median(values), Math.min(...values), Math.max(...values)].map((value) => Math.round(value)),
      (median(values) / floor).toFixed(2),
    ]);
  });
}

function versionOf(node) {
  const { status, stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${node} --version ended with ${error ?? status}`);
  return stdout.trim();
}

/** Wall time of whole processes, with this Node and others: the shipped run, and the time until the program responds. */
export async function start({ repeats, nodes, print }) {
  for (const node of [process.execPath, ...nodes]) {
    print(`\nstart: wall time of a whole process, ms, node ${versionOf(node)}`);
    const rows = await rowsOf(node, repeats);
    for (const line of table([['', 'times', 'median', 'min', 'max', 'x node -e 0'], ...rows])) print(line);
  }
}
