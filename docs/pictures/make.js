// Makes the pictures of docs/ from real runs against the reference carrier, in a real Chromium: node docs/pictures/make.js
// It needs a build (npm run build) and Chromium; CHROMIUM may name one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { parse, stringify } from 'yaml';
import { findFreePort, referenceRegistrations, referenceSecret } from '../../dist/setup/reference.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const target = join('fixtures', 'reference', 'carrier.yaml');
const work = mkdtempSync(join(tmpdir(), 'carrierspec-pictures-'));
const inWork = (path) => join(work, path);

/** Requests to the carrier in each run, and its faults from run to run: first more of them, then fewer. */
const cases = ['REQ-009', 'REQ-015', 'REQ-012', 'REQ-074', 'CB-004', 'HDR-005'];
const months = [[], ['iat-window-6-minutes'], ['iat-window-6-minutes', 'jti-kept-2-minutes'], ['jti-kept-2-minutes'], []];
const faults = ['callback-without-bearer', 'jti-kept-2-minutes', 'access-denied-as-user-denied'];
const flagsOf = (names) => names.flatMap((name) => ['--fault', name]);

/** Starts the program; `said` resolves when it has written what a pattern finds. */
function carrierspec(args, env = {}) {
  const program = join(root, 'bin', 'carrierspec.js');
  const child = spawn(process.execPath, [program, ...args], { cwd: root, env: { ...process.env, ...env } });
  const out = { text: '', stdout: '' };
  child.stdout.on('data', (part) => (out.stdout += part));
  const ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, ...out })));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (out.text += part));
  const said = (wanted) =>
    new Promise((resolve, reject) => {
      const look = () => wanted.test(out.text) && resolve(wanted.exec(out.text));
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      void ended.then(() => reject(new Error(out.text)));
    });
  return { child, ended, said };
}

async function run(args, env) {
  const { code, text, stdout } = await carrierspec(args, env).ended;
  if (code !== 0 && code !== 1) throw new Error(`${args.join(' ')} ended with ${code}: ${text}`);
  return stdout;
}

/** A carrier that keeps its address, and so stays the same carrier, whatever its faults. */
async function createPlace() {
  const [port, admin, receiver] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const env = {
    REFERENCE_ORIGIN: `http://127.0.0.1:${port}`,
    REFERENCE_ADMIN: `http://127.0.0.1:${admin}`,
    REFERENCE_RECEIVER_PORT: String(receiver),
    REFERENCE_SECRET: referenceSecret(referenceRegistrations('')),
  };
  const where = ['--port', port, '--admin-port', admin, '--receiver', `http://127.0.0.1:${receiver}`].map(String);
  const start = async (names) => {
    const carrier = carrierspec(['carrier', ...where, '--clock', 'virtual', ...flagsOf(names)]);
    await carrier.said(/Ctrl-C stops it/);
    return async () => {
      carrier.child.kill('SIGINT');
      await carrier.ended;
    };
  };
  return { env, start };
}

async function makeHistory({ env, start }) {
  for (const [at, names] of months.entries()) {
    const stop = await start(names);
    await run(['run', ...cases, '--target', target, '--out', inWork(`runs/${at + 1}/run`)], env);
    await stop();
  }
  await run(['history', inWork('runs'), '--out', inWork('site')]);
}

/** The target file with nothing but people to make things happen. */
function writeByHand() {
  const file = parse(readFileSync(join(root, target), 'utf8'));
  const drivers = Object.fromEntries(Object.keys(file.drivers).map((action) => [action, { ask: true }]));
  const path = join('fixtures', 'reference', 'by-hand.tmp.yaml');
  writeFileSync(join(root, path), stringify({ ...file, drivers }));
  return path;
}

/** The page of a run that waits for people. */
async function startLive({ env, start }) {
  const stop = await start([]);
  const file = writeByHand();
  // No operator acts, so almost nothing is judged.
  await carrierspec(['run', 'callback', '--target', file, '--out', inWork('incomplete')], env).ended;
  const running = carrierspec(['run', 'callback', '--target', file, '--out', inWork('live'), '--live'], env);
  const [, url] = await running.said(/^live: (\S+)$/m);
  const close = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
    await stop();
    rmSync(join(root, file));
  };
  return { url, close };
}

const fileOf = (path, place = '') => `${pathToFileURL(inWork(path)).href}${place}`;

/** Each picture: the page, the size of the window, what of it is shown, and how it is seen. */
const viewsOf = (live) => ({
  'report.png': { page: fileOf('broken/report.html') },
  'report-conformant.png': { page: fileOf('conformant/report.html') },
  'report-expected.png': { page: fileOf('expected/report.html') },
  'report-incomplete.png': { page: fileOf('incomplete/report.html') },
  'report-dark.png': { page: fileOf('broken/report.html'), dark: true },
  'report-phone.png': { page: fileOf('broken/report.html'), width: 390, height: 844 },
  'report-limits.png': { page: fileOf('limits/report.html'), at: '#limits' },
  'report-case.png': { page: fileOf('broken/report.html', '#case-denial-is-request-denied') },
  'report-search.png': { page: fileOf('broken/report.html', '#q=is%3Afail+area%3Acallback'), at: '#rules' },
  'compare.png': { page: fileOf('compare.html') },
  'history.png': { page: fileOf('site/index.html') },
  'live.png': { page: live, wait: 1500 },
  'live-phone.png': { page: live, wait: 1500, width: 390, height: 844 },
});

async function takePicture(browser, name, { page: address, width = 1100, height = 800, at, dark, wait = 400 }) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  await page.goto(address);
  await page.waitForTimeout(wait);
  if (at !== undefined) await page.locator(at).evaluate((one) => one.scrollIntoView({ block: 'start' }));
  await page.screenshot({ path: join(here, name) });
  await page.close();
  console.log(join('docs', 'pictures', name));
}

async function takePictures(views) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const [name, view] of Object.entries(views)) await takePicture(browser, name, view);
  } finally {
    await browser.close();
  }
}

const expected = `expected:
  - { rule: CB-004, reason: the header is added with the next release, owner: the team of the gateway, expires: "2099-12-31" }
`;

try {
  writeFileSync(inWork('expected.yaml'), expected);
  await run(['run', '--out', inWork('conformant')]);
  await run(['run', ...flagsOf(faults), '--out', inWork('broken')]);
  await run(['measure', ...flagsOf(faults), '--out', inWork('limits')]);
  await run(['run', 'callback', ...flagsOf(faults.slice(0, 1)), '--expected', inWork('expected.yaml'), '--out', inWork('expected')]);
  await run(['compare', inWork('conformant/result.json'), inWork('broken/result.json'), '--report', `html=${inWork('compare.html')}`]);
  const place = await createPlace();
  await makeHistory(place);
  const live = await startLive(place);
  await takePictures(viewsOf(live.url)).finally(live.close);
} finally {
  rmSync(work, { recursive: true, force: true });
}
