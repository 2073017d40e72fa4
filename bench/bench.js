// Measures the built program: `npm run bench`, or `npm run bench -- rate start` for some sections. Compare only figures of one machine
// that does nothing else. `rate`: exchanges per second against a bare loop of jose and undici. `start`: times to start, against
// `node -e 0`. `memory`: peak memory of large runs. `report`: size and times of the HTML report; CHROMIUM names another browser.
// `keystrokes`: time from a key in its search to the picture. `redact`: MB/s of secret removal on hostile texts.
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { root } from './ground.js';
import { keystrokes } from './keystrokes.js';
import { memory } from './memory.js';
import { rate } from './rate.js';
import { redact } from './redact.js';
import { report } from './report.js';
import { start } from './start.js';

const sections = { rate, start, memory, report, keystrokes, redact };
const mostCases = 100_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '4000' },
    repeats: { type: 'string', default: '3' },
    sizes: { type: 'string', default: '5000,10000,20000' },
    node: { type: 'string', multiple: true, default: [] },
  },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(sections);
const given = {
  cases: Number(values.cases),
  repeats: Number(values.repeats),
  sizes: values.sizes.split(',').map(Number),
  nodes: values.node,
};

const isCount = (number) => Number.isInteger(number) && number > 0;

/** Mistake in the command line, or undefined. */
function mistake() {
  const unknown = wanted.filter((name) => !Object.hasOwn(sections, name));
  if (unknown.length > 0) return `no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`;
  if (!isCount(given.cases) || !isCount(given.repeats)) return '--cases and --repeats take whole numbers from 1';
  if (!given.sizes.every((size) => isCount(size) && size <= mostCases)) {
    return `--sizes takes whole numbers from 1 to ${mostCases}, with commas between them`;
  }
  if (!existsSync(`${root}/dist/cli/main.js`)) return 'there is no dist; npm run build makes it';
  return undefined;
}

const wrong = mistake();
if (wrong !== undefined) {
  process.stderr.write(`${wrong}\n`);
  process.exitCode = 2;
} else {
  const [{ model } = { model: 'unknown' }] = cpus();
  process.stdout.write(`node ${process.version}, ${cpus().length} x ${model}\n`);
  for (const name of wanted) await sections[name]({ ...given, print: (line) => process.stdout.write(`${line}\n`) });
}
