// Holds the lines of each room to the budget of ci/size.json. A room is a folder of src without its tests; `browser` is the code of the
// pages with its styles, `suites` the YAML, and `tests` every test with its helpers. `--write` lowers each budget to what there is.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const budgetFile = 'ci/size.json';

/** Room of a file that git knows; undefined for a file that has none. */
function roomOf(path) {
  if (/^suites\/.*\.yaml$/.test(path)) return 'suites';
  if (/^reports\/html\/.*\.(?:ts|css)$/.test(path)) return 'browser';
  if (!/^src\/.*\.ts$/.test(path)) return undefined;
  if (/\.test\.ts$|\/testing\//.test(path)) return 'tests';
  return path.split('/')[1];
}

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const lines = {};
for (const path of tracked.split('\0')) {
  const room = roomOf(path);
  if (room === undefined) continue;
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // A file that was deleted and not committed yet.
    if (error.code === 'ENOENT') continue;
    throw error;
  }
  lines[room] = (lines[room] ?? 0) + text.split('\n').length - 1;
}

const budget = JSON.parse(readFileSync(budgetFile, 'utf8'));
const rooms = Object.keys({ ...budget, ...lines }).toSorted();
const over = rooms.filter((room) => (lines[room] ?? 0) > (budget[room] ?? 0));
for (const room of over) {
  console.error(`${room}: ${lines[room]} lines, and ${budgetFile} allows ${budget[room] ?? 0}`);
}
if (process.argv.includes('--write')) {
  const lower = rooms.map((room) => [room, Math.min(budget[room] ?? 0, lines[room] ?? 0)]).filter(([, most]) => most > 0);
  writeFileSync(budgetFile, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
}
if (over.length > 0) console.error('Take lines away, or raise the budget in a commit that says why.');
else console.log(`size: ${rooms.map((room) => `${room} ${lines[room] ?? 0}`).join(', ')}`);
process.exitCode = over.length > 0 ? 1 : 0;
