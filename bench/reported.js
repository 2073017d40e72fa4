import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverInitiated } from '../dist/interfaces/server-initiated/interface.js';
import { renderHtml } from '../dist/report/html/render.js';
import { bin, root } from './ground.js';

const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking'];

/** Reads a result.json back: the header's members are at its top level. */
function readBack(path) {
  const { rules, invariants, cases, unsolicited, footer, ...header } = JSON.parse(readFileSync(path, 'utf8'));
  return { header, rules, invariants, cases, unsolicited, footer };
}

/** Repeats the cases of a real run under new names until there are enough exchanges. */
export function multiply({ cases, ...rest }, wanted) {
  const more = [];
  let count = 0;
  for (let round = 0; count < wanted; round += 1) {
    for (const one of cases) {
      if (count >= wanted) break;
      count += one.messages.filter(({ kind }) => kind === 'exchange').length;
      more.push(round === 0 ? one : { ...one, id: `${one.id}/${round}` });
    }
  }
  return { ...rest, cases: more };
}

/** Runs all shipped suites in `folder`, and returns the result. */
export function runAll(folder) {
  const { status } = spawnSync(process.execPath, [bin, 'run', '--out', folder], { cwd: root, stdio: 'ignore' });
  if (status === null || status === 5) throw new Error('the run that was to be reported on did not end');
  return readBack(join(folder, 'result.json'));
}

export function writeReport(result, path) {
  writeFileSync(path, [...renderHtml(result, serverInitiated)].join(''));
}

/** Passes a new Chromium page to `use`; prints a note and returns undefined if there is no Chromium. */
export async function withPage(print, use) {
  const executablePath = chromiums.find((one) => one !== undefined && existsSync(one));
  if (executablePath === undefined) {
    print('there is no Chromium, so nothing was opened; CHROMIUM may name one');
    return undefined;
  }
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: flags.map((flag) => `--${flag}`) });
  try {
    return await use(await browser.newPage({ viewport: { width: 1280, height: 900 } }));
  } finally {
    await browser.close();
  }
}
