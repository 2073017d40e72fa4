import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverInitiated } from '../dist/interfaces/server-initiated/interface.js';
import { renderHtml } from '../dist/report/html/render.js';
import { bin, root } from './ground.js';

const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking'];

/** A result.json as the result it was made from: its header is spread over the top. */
function readBack(path) {
  const { rules, invariants, cases, unsolicited, footer, ...header } = JSON.parse(readFileSync(path, 'utf8'));
  return { header, rules, invariants, cases, unsolicited, footer };
}

/** The cases of a real run again and again under other names, until there are so many exchanges. */
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

/** The result of a run of all shipped suites, made in `folder`. */
export function runAll(folder) {
  const { status } = spawnSync(process.execPath, [bin, 'run', '--out', folder], { cwd: root, stdio: 'ignore' });
  if (status === null || status === 5) throw new Error('the run that was to be reported on did not end');
  return readBack(join(folder, 'result.json'));
}

export function writeReport(result, path) {
  writeFileSync(path, [...renderHtml(result, serverInitiated)].join(''));
}

/** Gives a new page of a Chromium to `use`; undefined, and a line that says so, where there is none. */
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
