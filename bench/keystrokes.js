import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, table, withFolder } from './ground.js';
import { multiply, runAll, withPage, writeReport } from './reported.js';

const sizes = [10_000, 20_000];
/** Text typed key by key: words found everywhere, in few places and nowhere, fields, and a backspace for each key. */
const written = [
  'jti',
  'expires_in 300',
  'zzxq',
  'e',
  '"was not"',
  'is:pass area:ev',
  'rule:EVT-0 -case:foo kind:event',
  'endpoint:/bc state',
];

/** Measures the time from each key to the repaint, and the longest time in which the page takes no key. */
const watch = `
  window.strokes = [];
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' });
  document.addEventListener('keydown', ({ timeStamp, key }) => {
    const end = () => {
      if (shown.textContent.startsWith('Searching')) requestAnimationFrame(end);
      else setTimeout(() => window.strokes.push([performance.now() - timeStamp, key]));
    };
    requestAnimationFrame(end);
  }, true);
`;

/** Waits in a single expression, because the page's policy allows only expressions evaluated from outside. */
const until = (condition) => `new Promise((done) => {
  const look = () => (${condition} ? done() : setTimeout(look, 5));
  look();
})`;

async function write(page) {
  await page.evaluate('window.strokes = []');
  const keys = [...written.flatMap((text) => [...text, ...Array.from(text, () => 'Backspace')])];
  await page.getByLabel('Search').focus();
  for (const [at, key] of keys.entries()) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await page.evaluate(until(`window.strokes.length > ${at}`));
  }
  return page.evaluate('window.strokes');
}

function rowOf(name, strokes) {
  const times = strokes.map(([time]) => time).sort((one, other) => one - other);
  const shown = [median(times), times[Math.floor(times.length * 0.95)], times.at(-1)];
  return [name, times.length, ...shown.map((time) => time.toFixed(1))];
}

/** Milliseconds from a key to the repaint, and of the first search in exchanges, which reads them all. */
async function strokesIn(page, path) {
  await page.goto(pathToFileURL(path).href);
  await page.evaluate(watch);
  const rules = await write(page);
  await page.getByLabel('Search').fill('zzxq');
  await page.evaluate('new Promise((done) => setTimeout(done, 300)).then(() => { window.longest = 0; })');
  const begun = performance.now();
  await page.getByRole('checkbox', { name: 'also in exchanges' }).check();
  await page.evaluate(until('!shown.textContent.startsWith("Searching")'));
  const reading = performance.now() - begun;
  const longest = await page.evaluate('window.longest');
  await page.getByLabel('Search').fill('');
  return { rules, exchanges: await write(page), reading, longest };
}

async function measure(result, path, print) {
  writeReport(result, path);
  const sent = result.cases.flatMap((one) => one.messages).filter(({ kind }) => kind === 'exchange').length;
  print(`\nkeystrokes: ${result.cases.length} cases, ${sent} exchanges, ${(statSync(path).size / 1e6).toFixed(2)} MB`);
  const times = await withPage(print, (page) => strokesIn(page, path));
  if (times === undefined) return;
  const head = ['ms from key to picture', 'keys', 'median', '95 %', 'worst'];
  const rows = [head, rowOf('search', times.rules), rowOf('in exchanges too', times.exchanges)];
  for (const line of table(rows)) print(line);
  const blocked = times.longest === 0 ? 'under 50' : Math.round(times.longest);
  print(`exchanges read once in ${Math.round(times.reading)} ms, longest task ${blocked} ms`);
}

/** Cost of a keystroke in the search of a large HTML report. */
export async function keystrokes({ print }) {
  await withFolder(async (folder) => {
    const result = runAll(folder);
    for (const size of sizes) await measure(multiply(result, size), join(folder, 'report.html'), print);
  });
}
