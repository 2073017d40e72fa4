import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { renderHtml } from '../dist/report/html/render.js';
import { bin, median, root, table, withFolder } from './ground.js';

const exchanges = 5000;
const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking'];

/** A result.json as the result it was made from: its header is spread over the top. */
function readBack(path) {
  const { rules, invariants, cases, strays, footer, ...header } = JSON.parse(readFileSync(path, 'utf8'));
  return { header, rules, invariants, cases, strays, footer };
}

/** The cases of a real run again and again under other names, until there are so many exchanges. */
function multiply({ cases, ...rest }, wanted) {
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

/** Milliseconds until the page is loaded and drawn, and until a case that is opened shows its exchanges. */
async function open(chromium, executablePath, path) {
  const browser = await chromium.launch({ executablePath, args: flags.map((flag) => `--${flag}`) });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const begun = performance.now();
    await page.goto(pathToFileURL(path).href);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    const opened = performance.now();
    await page.evaluate('document.querySelector("details.rule:has(.message, .exchanges)").open = true');
    await page.locator('details.rule[open] details.case > summary').first().click();
    await page.locator('.message').first().waitFor();
    const shown = performance.now();
    await page.getByLabel('Search').fill('jti');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    return { open: opened - begun, unfold: shown - opened, search: performance.now() - shown };
  } finally {
    await browser.close();
  }
}

async function openTimes(path, { repeats, print }) {
  const executable = chromiums.find((one) => one !== undefined && existsSync(one));
  if (executable === undefined) {
    print('there is no Chromium, so nothing was opened; CHROMIUM may name one');
    return;
  }
  const { chromium } = await import('playwright-core');
  const times = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) times.push(await open(chromium, executable, path));
  const row = (name, key) => {
    const values = times.map((one) => Math.round(one[key]));
    return [name, ...values, median(values)];
  };
  const head = ['ms', ...times.map((_, at) => `run ${at + 1}`), 'median'];
  const rows = [head, row('open and draw', 'open'), row('unfold a case', 'unfold'), row('search', 'search')];
  for (const line of table(rows)) print(line);
}

/** Size of the HTML report of a big result, how long it takes to make, and how long a browser takes to open it. */
export async function report({ repeats, print }) {
  await withFolder(async (folder) => {
    const { status } = spawnSync(process.execPath, [bin, 'run', '--out', folder], { cwd: root, stdio: 'ignore' });
    if (status === null || status === 5) throw new Error('the run that was to be reported on did not end');
    const result = multiply(readBack(join(folder, 'result.json')), exchanges);
    const path = join(folder, 'report.html');
    const begun = performance.now();
    writeFileSync(path, [...renderHtml(result)].join(''));
    const made = performance.now() - begun;
    const messages = result.cases.flatMap((one) => one.messages);
    const sent = messages.filter(({ kind }) => kind === 'exchange').length;
    print(`\nreport: html of ${result.cases.length} cases, ${sent} exchanges, ${messages.length - sent} deliveries`);
    print(`${(statSync(path).size / 1e6).toFixed(1)} MB, made in ${Math.round(made)} ms`);
    await openTimes(path, { repeats, print });
  });
}
