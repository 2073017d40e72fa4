import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { median, table, withFolder } from './ground.js';
import { multiply, runAll, withPage, writeReport } from './reported.js';

const exchanges = 20_000;
const drawn = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
/** A search has ended when the page shows the number of rules found. */
const found = `new Promise((done) => {
  const look = () => (shown.textContent.startsWith('Searching') ? setTimeout(look, 1) : done());
  setTimeout(look);
})`;

async function timeOf(act) {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Milliseconds until the page is loaded and drawn, until an opened case shows its exchanges, and of two searches. */
async function open(page, path) {
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
    await page.evaluate(
      'for (const one of document.querySelectorAll("details.clause")) one.open = true; document.querySelector("details.rule:has(.listed)").open = true',
    );
    await page.locator('details.rule[open] details.case > summary').first().click();
    await page.locator('.message').first().waitFor();
  });
  return {
    open: opened,
    unfold,
    search: await search(() => page.getByLabel('Search').fill('jti')),
    exchanges: await search(() => page.getByRole('checkbox', { name: 'also in exchanges' }).check()),
  };
}

async function openTimes(path, { repeats, print }) {
  const times = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const one = await withPage(print, (page) => open(page, path));
    if (one === undefined) return;
    times.push(one);
  }
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

/** Size of a result's HTML report, the time to make it, and the time a browser takes to open it. */
async function measure(result, path, { repeats, print }) {
  const made = await timeOf(() => writeReport(result, path));
  const messages = result.cases.flatMap((one) => one.messages);
  const sent = messages.filter(({ kind }) => kind === 'exchange').length;
  print(`\nreport: html of ${result.cases.length} cases, ${sent} exchanges, ${messages.length - sent} deliveries`);
  print(`${(statSync(path).size / 1e6).toFixed(2)} MB, made in ${Math.round(made)} ms`);
  await openTimes(path, { repeats, print });
}

/** Measures the HTML report of a run of all shipped suites, and of its cases multiplied. */
export async function report(options) {
  await withFolder(async (folder) => {
    const result = runAll(folder);
    const path = join(folder, 'report.html');
    await measure(result, path, options);
    await measure(multiply(result, exchanges), path, options);
  });
}
