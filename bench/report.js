import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { clausesOf } from '../dist/interfaces/registry.js';
import { renderHtml } from '../dist/report/html/render.js';
import { bin, median, root, table, withFolder } from './ground.js';

const exchanges = 20_000;
const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking'];

/** A result.json as the result it was made from: its header is spread over the top. */
function readBack(path) {
  const { rules, invariants, cases, unsolicited, footer, ...header } = JSON.parse(readFileSync(path, 'utf8'));
  return { header, rules, invariants, cases, unsolicited, footer };
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

const drawn = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
/** A search is over when the page says how many rules it found. */
const found = `new Promise((done) => {
  const look = () => (shown.textContent.startsWith('Searching') ? setTimeout(look, 1) : done());
  setTimeout(look);
})`;

async function timeOf(act) {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Milliseconds until the page is loaded and drawn, until a case that is opened shows its exchanges, and of two searches. */
async function open(chromium, executablePath, path) {
  const browser = await chromium.launch({ executablePath, args: flags.map((flag) => `--${flag}`) });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const search = (act) =>
      timeOf(async () => {
        await act();
        await page.evaluate(found);
        await page.evaluate(drawn);
      });
    const opened = await timeOf(async () => {
      await page.goto(pathToFileURL(path).href);
      await page.evaluate(drawn);
    });
    const unfold = await timeOf(async () => {
      await page.evaluate('document.querySelector("details.rule:has(.listed)").open = true');
      await page.locator('details.rule[open] details.case > summary').first().click();
      await page.locator('.message').first().waitFor();
    });
    return {
      open: opened,
      unfold,
      search: await search(() => page.getByLabel('Search').fill('jti')),
      exchanges: await search(() => page.getByRole('checkbox', { name: 'also in exchanges' }).check()),
    };
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
  const rows = [
    head,
    row('open and draw', 'open'),
    row('unfold a case', 'unfold'),
    row('search', 'search'),
    row('in exchanges too', 'exchanges'),
  ];
  for (const line of table(rows)) print(line);
}

/** Size of the HTML report of one result, how long it takes to make, and how long a browser takes to open it. */
async function measure(result, path, { repeats, print }) {
  const made = await timeOf(() => writeFileSync(path, [...renderHtml(result, clausesOf)].join('')));
  const messages = result.cases.flatMap((one) => one.messages);
  const sent = messages.filter(({ kind }) => kind === 'exchange').length;
  print(`\nreport: html of ${result.cases.length} cases, ${sent} exchanges, ${messages.length - sent} deliveries`);
  print(`${(statSync(path).size / 1e6).toFixed(2)} MB, made in ${Math.round(made)} ms`);
  await openTimes(path, { repeats, print });
}

/** The HTML report of a run of all shipped suites, and of its cases again and again. */
export async function report(options) {
  await withFolder(async (folder) => {
    const { status } = spawnSync(process.execPath, [bin, 'run', '--out', folder], { cwd: root, stdio: 'ignore' });
    if (status === null || status === 5) throw new Error('the run that was to be reported on did not end');
    const result = readBack(join(folder, 'result.json'));
    const path = join(folder, 'report.html');
    await measure(result, path, options);
    await measure(multiply(result, exchanges), path, options);
  });
}
