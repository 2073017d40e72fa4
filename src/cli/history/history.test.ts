import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const folder = makeFolder();
const at = (path: string): string => join(folder, path);
const history = (...args: readonly string[]) => runCli(['history', ...args], { cwd: folder });
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** Texts of all files below a folder, by path. */
const filesIn = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(at(path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(at(path).length + 1), readFileSync(file, 'utf8')]),
  );

const documentOf = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('no document');
  return value;
};

const cases = ['iat-far-too-old', 'context-absent', 'sub-absent'];

beforeAll(async () => {
  const run = (out: string, ...flags: readonly string[]) =>
    runCli(['run', ...cases, ...flags, '--out', at(`runs/${out}`), '--quiet']);
  await run('clean');
  await run('faulty', '--fault', 'iat-not-checked');
  // The plain reference carrier with the verdicts of a faulty one: a rule turns.
  cpSync(at('runs/faulty'), at('runs/turned'), { recursive: true });
  const flags = '"flags":["--fault","iat-not-checked"]';
  const text = read('runs/turned/result.json');
  expect(text).toContain(flags);
  writeFileSync(at('runs/turned/result.json'), text.replace(flags, '"flags":[]'));
  symlinkSync('clean', at('runs/latest'), 'dir');
}, 60_000);

describe('carrierspec history', () => {
  test('makes a page of what real runs have left, and says what it is of', async () => {
    const { code, stdout, stderr } = await history('runs', '--out', 'site');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Reference carrier, the embedded reference carrier \(server-initiated 1\.0\): 2 runs, /m);
    expect(stdout).toMatch(
      /^Reference carrier, the embedded reference carrier with faults injected: iat-not-checked /m,
    );
    expect(stdout).toMatch(/^3 results read; the history is in site$/m);
    expect(Object.keys(filesIn('site'))).toEqual(['history.json', 'index.html']);
    const page = read('site/index.html');
    expect(page).toMatch(
      /REQ-009<\/b><\/a> <span class="v v-pass">pass<\/span>.*→.*<span class="v v-warn">warn<\/span>/,
    );
    const reports = ['../runs/faulty/report.html', '../runs/turned/report.html', '../runs/turned/report.html'];
    const hrefs = [...page.matchAll(/href="([^"#]+)(?:#[^"]*)?"/g)].map(([, href = '']) => href);
    expect(hrefs.toSorted()).toEqual(reports);
    for (const href of hrefs) expect(existsSync(at(join('site', href)))).toBe(true);
  });

  test('says by machine what the page says', async () => {
    const { code, stdout } = await history('runs', '--out', 'machine', '--json');
    expect(code).toBe(0);
    expect(stdout).toBe(read('machine/history.json'));
    expect(documentOf(stdout)).toMatchObject({
      format: 'carrierspec-history',
      version: 1,
      editions: [{ label: 'E1', runs: 3 }],
      carriers: [
        { kind: 'reference carrier', runs: [{ outcome: 'conformant', notes: ['it selected only some rules'] }, {}] },
        { kind: 'faults injected', faults: ['iat-not-checked'] },
      ],
      matrices: [{ interface: 'server-initiated 1.0' }],
    });
  });

  test('writes the same again, and leaves what else is in the folder', async () => {
    await history('runs', '--out', 'again');
    const first = filesIn('again');
    writeFileSync(at('again/CNAME'), 'history.example\n');
    await history('runs', '--out', 'again');
    expect(filesIn('again')).toEqual({ CNAME: 'history.example\n', ...first });
  });

  test('links to the reports beside the results, whatever their folders are called', async () => {
    const odd = 'odd/a "b"><img src=x> & #?%41';
    cpSync(at('runs/clean'), at(odd), { recursive: true });
    const { code } = await history('odd', '--out', 'linked/site');
    expect(code).toBe(0);
    const page = read('linked/site/index.html');
    const href = /<td><a href="([^"]+)"/.exec(page)?.[1] ?? '';
    const path = new URL(href.replaceAll('&#39;', "'").replaceAll('&amp;', '&'), `file://${at('linked/site/x.html')}`);
    expect(existsSync(path)).toBe(true);
    expect(page).not.toContain('<img');
  });

  test('names what is no result, reads the journal where the result is broken, and loses nothing', async () => {
    mkdirSync(at('mixed/trace'), { recursive: true });
    cpSync(at('runs/clean'), at('mixed/clean'), { recursive: true });
    cpSync(at('runs/faulty'), at('mixed/faulty'), { recursive: true });
    writeFileSync(at('mixed/faulty/result.json'), '{"format":');
    writeFileSync(at('mixed/trace/trace.jsonl'), '{"level":"info"}\n');
    writeFileSync(at('mixed/trace/result.json'), '[1]\n');
    writeFileSync(at('mixed/trace/package.json'), '{}\n');
    const { code, stdout, stderr } = await history('mixed', '--out', 'mixed-site');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 results read/m);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => /^carrierspec: left out: (mixed\/\S+?\.jsonl?)\b/.exec(line)?.[1])).toEqual([
      'mixed/faulty/result.json',
      'mixed/trace/result.json',
      'mixed/trace/trace.jsonl',
    ]);
  });

  test('leaves out what is too large, with its name, in a page and in a list', async () => {
    cpSync(at('runs/clean'), at('large/good'), { recursive: true });
    for (const name of ['result.json', 'journal.jsonl']) {
      mkdirSync(at(`large/${name}-run`));
      writeFileSync(at(`large/${name}-run/${name}`), '');
      truncateSync(at(`large/${name}-run/${name}`), 1100 * 1024 * 1024);
    }
    writeFileSync(at('large/good/run.lock'), 'x'.repeat(65 * 1024));
    const page = await history('large', '--out', 'large-site');
    expect(page.code).toBe(0);
    expect(
      page.stderr.match(/^carrierspec: left out: large\/\S+ cannot be read: it is larger than 1024 MB /gm),
    ).toHaveLength(2);
    const list = await history('large');
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(/large\/result\.json-run\/result\.json cannot be read: it is larger than/);
    expect(list.stdout).toMatch(/ conformant .* large\/good$/m);
  });

  test('counts a copy once, and says of which file', async () => {
    cpSync(at('runs/clean/result.json'), at('copied/2026-01.result.json'));
    const { stdout, stderr } = await history('runs/clean', 'copied', '--out', 'once');
    expect(stderr).toBe(
      'carrierspec: runs/clean/result.json says the same as copied/2026-01.result.json, and counts once\n',
    );
    expect(stdout).toMatch(/: 1 run, /);
  });

  test('does not look into its own folder, and takes the newest runs only where it is told to', async () => {
    const { stdout } = await history('runs', '--out', 'runs/site', '--newest', '1', '--json');
    const counts = documentOf(stdout)['carriers'];
    expect(counts).toMatchObject([{ older: 1 }, { older: 0 }]);
    expect((await history('runs', '--out', 'runs/site')).stderr).toBe('');
  });

  test.each([
    ['an empty folder', ['empty', '--out', 'made'], 'there is no result in empty'],
    ['a folder that is not there', ['nowhere', '--out', 'made'], 'there is no nowhere'],
    ['a list of a folder that is not there', ['nowhere'], 'nowhere is no folder'],
    [
      'a day without a time',
      ['runs', '--turned-since', '2026-11-25'],
      '--turned-since: "2026-11-25" is no time such as 2026-12-01T09:00:00+01:00 or 2026-12-01T08:00Z',
    ],
    ['no runs', ['runs', '--newest', '0'], '--newest: "0" is no whole number from 1 to 1000'],
  ])('%s is a mistake of usage', async (_, args, message) => {
    mkdirSync(at('empty'), { recursive: true });
    expect(await history(...args)).toEqual({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
  });
});

describe('carrierspec history --turned-since', () => {
  const startOf = (path: string): string => /"startedAt":"([^"]+)"/.exec(read(`${path}/result.json`))?.[1] ?? '';
  /** Time at this distance from the start of a run, in the flag's format. */
  const off = (path: string, minutes: number): string =>
    `${new Date(Date.parse(startOf(path)) + minutes * 60_000).toISOString().slice(0, 16)}Z`;
  const since = (dirs: readonly string[], moment: string, ...more: readonly string[]) =>
    history(...dirs, '--turned-since', moment, '--out', 'since', ...more);
  const day = 24 * 60;

  /** The run before, a day earlier. */
  beforeAll(() => {
    cpSync(at('runs/clean'), at('day/before'), { recursive: true });
    const text = read('day/before/result.json');
    const startedAt = startOf('day/before');
    const earlier = new Date(Date.parse(startedAt) - day * 60_000).toISOString();
    writeFileSync(at('day/before/result.json'), text.replaceAll(startedAt, earlier));
    cpSync(at('day/before'), at('mended/before'), { recursive: true });
    const red = read('runs/turned/result.json').replaceAll(startOf('runs/turned'), earlier);
    writeFileSync(at('mended/before/result.json'), red);
  });

  test('prints the rule that turned, from what to what and when, and ends with 1', async () => {
    const { code, stdout, stderr } = await since(['day', 'runs/turned'], off('runs/turned', -60));
    const moment = String.raw`\(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)`;
    expect(stdout).toMatch(
      new RegExp(
        String.raw`^Reference carrier \(http://127\.0\.0\.1:\d+\): REQ-009, recommended, turned from pass ${moment} to warn ${moment}\n$`,
      ),
    );
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 1, lines: 3 });
    expect(stderr).toMatch(/^2 results read; the history is in since\nopen in a browser: /);
  });

  test('of a rule that became better it says so, and ends with 0', async () => {
    const { code, stdout } = await since(['mended', 'runs/clean'], off('runs/clean', -60));
    expect({ code, turned: /REQ-009, recommended, turned from warn .* to pass /.test(stdout) }).toEqual({
      code: 0,
      turned: true,
    });
  });

  test('what turned earlier is not said again; a carrier without a run is, and is 4', async () => {
    const { code, stdout } = await since(['day', 'runs/turned'], off('runs/turned', 60));
    expect(code).toBe(4);
    expect(stdout).toMatch(/^Reference carrier \(\S+\): no run since then; the newest is of \d{4}-.* UTC\n$/);
  });

  test('nothing is new where the same came out again, and --json is as without it', async () => {
    const same = await since(['day', 'runs/clean'], off('runs/clean', -60));
    expect(same).toMatchObject({ code: 0, stdout: '' });
    const { code, stdout } = await since(['day', 'runs/turned'], off('runs/turned', -60), '--json');
    expect({ code, json: stdout === read('since/history.json') }).toEqual({ code: 1, json: true });
  });
});
