import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { root } from './ground.js';
import { memory } from './memory.js';
import { rate } from './rate.js';
import { redact } from './redact.js';
import { report } from './report.js';
import { start } from './start.js';

const sections = { rate, start, memory, report, redact };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '4000' }, repeats: { type: 'string', default: '3' } },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(sections);
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name));
const sizes = { cases: Number(values.cases), repeats: Number(values.repeats) };

if (unknown.length > 0) {
  process.stderr.write(`no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}\n`);
  process.exitCode = 2;
} else if (!Object.values(sizes).every((size) => Number.isInteger(size) && size > 0)) {
  process.stderr.write('--cases and --repeats take whole numbers from 1\n');
  process.exitCode = 2;
} else if (!existsSync(`${root}/dist/cli/main.js`)) {
  process.stderr.write('there is no dist; npm run build makes it\n');
  process.exitCode = 2;
} else {
  const [{ model } = { model: 'unknown' }] = cpus();
  process.stdout.write(`node ${process.version}, ${cpus().length} x ${model}\n`);
  for (const name of wanted) await sections[name]({ ...sizes, print: (line) => process.stdout.write(`${line}\n`) });
}
