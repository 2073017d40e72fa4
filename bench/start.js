import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { bin, median, table, withFolder } from './ground.js';

const starts = 10;

function wall(args, allowed) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const took = performance.now() - begun;
  if (!allowed.includes(status)) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return took;
}

function timed(args, { times, allowed = [0] }) {
  return Array.from({ length: times }, () => wall(args, allowed));
}

/** Wall time of whole processes: the shipped run, and how soon the program says something. */
export async function start({ repeats, print }) {
  await withFolder((folder) => {
    const commands = {
      'node -e 0': timed(['-e', '0'], { times: starts }),
      'carrierspec --version': timed([bin, '--version'], { times: starts }),
      'carrierspec --help': timed([bin, '--help'], { times: starts }),
      // 1 and 4 are whole runs as well.
      'carrierspec run': timed([bin, 'run', '--out', folder], { times: repeats, allowed: [0, 1, 4] }),
    };
    const floor = median(commands['node -e 0']);
    const rows = Object.entries(commands).map(([name, values]) => [
      name,
      values.length,
      ...[median(values), Math.min(...values), Math.max(...values)].map((value) => Math.round(value)),
      (median(values) / floor).toFixed(2),
    ]);
    print('\nstart: wall time of a whole process, ms');
    for (const line of table([['', 'times', 'median', 'min', 'max', 'x node -e 0'], ...rows])) print(line);
  });
}
