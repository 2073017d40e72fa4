import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unchainedText } from '../../journal/entries.ts';
import { readResult } from '../../journal/read-result.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import { isJsonObject, type Json, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { rechain } from '../../testing/results/reseal.ts';
import { type ProcessResult, spawnCli, startCli } from '../../testing/program/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

const what = ['EVT-01*', 'CB-00*', 'SEC-23', 'consent-removed-while-pending'];
const timeLimit = 120_000;

let carrier: SpawnedCarrier;
let target = '';
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
  target = writeTarget((given) => given);
});
afterAll(() => stopCarrier(carrier));

const argsFor = (out: string, ...more: readonly string[]): readonly string[] => [
  'run',
  ...what,
  '--target',
  target,
  '--out',
  out,
  ...more,
];

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** The result without what differs in every run. */
function verdictsOf(out: string): unknown {
  const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  if (!isJsonObject(result)) throw new Error('no result');
  const verdicts = (name: string): unknown =>
    listOf(result[name]).map(({ id, verdict, judged, violations }) => [id, verdict, judged, violations]);
  return { cases: verdicts('cases'), invariants: verdicts('invariants'), rules: verdicts('rules') };
}

/** Reasons of cases without a verdict, if there is a result. */
function reasonsOf(out: string): readonly string[] {
  if (!existsSync(join(out, 'result.json'))) return [];
  const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const cases = isJsonObject(result) ? listOf(result['cases']) : [];
  return cases.flatMap(({ id, reason }) =>
    reason === undefined ? [] : [`${renderPlain(id)}: ${renderPlain(reason)}`],
  );
}

/** The ending of a run and its verdicts. */
const saidBy = ({ code, stderr }: ProcessResult, out: string): object =>
  code === 0 ? { code, said: verdictsOf(out) } : { code, stderr, reasons: reasonsOf(out) };

const journalOf = (out: string): string => join(out, 'journal.jsonl');

/** Complete journal lines of the finished cases, without their chains, by id. */
function finishedIn(out: string): ReadonlyMap<string, string> {
  if (!existsSync(journalOf(out))) return new Map();
  const lines = readFileSync(journalOf(out), 'utf8').split('\n').slice(0, -1);
  return new Map(
    lines.flatMap((line) => {
      const value = parseJson(line);
      const ran = isJsonObject(value) && value['kind'] === 'case' && value['startedAt'] !== 0;
      return ran ? [[renderPlain(value['id']), unchainedText(line)?.text ?? ''] as const] : [];
    }),
  );
}

const hasEnded = (out: string): boolean => /\n\{"kind":"footer"/.test(readFileSync(journalOf(out), 'utf8'));

/** Repeatable pseudo-random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const stateOf = (path: string): { readonly ino: number; readonly size: number } =>
  statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };

/** Starts or resumes a run, and kills it once its journal has this many bytes; undefined if killed. Resuming rewrites the journal. */
async function runAndKill(out: string, bytes: number): Promise<ProcessResult | undefined> {
  const before = stateOf(journalOf(out)).ino;
  const running = startCli(argsFor(out, ...(before === 0 ? [] : ['--resume'])), { env: carrier.env, timeLimit });
  let over = false;
  const ended = running.ended.finally(() => {
    over = true;
  });
  const isReached = ({ ino, size }: ReturnType<typeof stateOf>): boolean => ino !== before && size >= bytes;
  while (!over && !isReached(stateOf(journalOf(out)))) await pause(2);
  running.kill();
  const last = await ended;
  return last.code === null ? undefined : last;
}

/** Folder with the journal of a run killed after its first case. */
async function cutOff(): Promise<string> {
  for (let tries = 0; tries < 20; tries += 1) {
    const out = makeFolder();
    const running = startCli(argsFor(out), { env: carrier.env, timeLimit });
    let over = false;
    const ended = running.ended.finally(() => {
      over = true;
    });
    while (!over && finishedIn(out).size === 0) await pause(2);
    running.kill();
    await ended;
    if (finishedIn(out).size > 0 && !hasEnded(out)) return out;
  }
  throw new Error('every run ended before it could be killed');
}

let cut: Promise<string> | undefined;

/** Copy of one such folder, shared by all tests. */
async function copyOfCut(): Promise<string> {
  cut ??= cutOff();
  const out = makeFolder();
  cpSync(await cut, out, { recursive: true });
  return out;
}

describe('kill -9 and run --resume', () => {
  test('8 random moments: no finished case is lost, and the verdicts are those of a run that nobody killed', async () => {
    const whole = makeFolder();
    const said = saidBy(await spawnCli(argsFor(whole), { env: carrier.env, timeLimit }), whole);
    expect(said).not.toHaveProperty('stderr');
    const length = stateOf(journalOf(whole)).size;
    const random = createRandom(20_261_121);
    let out = makeFolder();
    let kills = 0;
    let kept = 0;
    let before: ReadonlyMap<string, string> = new Map();
    while (kills < 8) {
      const ended = await runAndKill(out, random() * length);
      const after = finishedIn(out);
      for (const [id, line] of before) expect(after.get(id), `${id} after ${kills} kills`).toBe(line);
      kept = Math.max(kept, before.size);
      before = after;
      kills += 1;
      if (ended === undefined && !hasEnded(out)) continue;
      if (ended !== undefined) expect(saidBy(ended, out)).toEqual(said);
      out = makeFolder();
      before = new Map();
    }
    const more = existsSync(journalOf(out)) ? ['--resume'] : [];
    const last = await spawnCli(argsFor(out, ...more), { env: carrier.env, timeLimit });
    expect(saidBy(last, out)).toEqual(said);
    expect(kept).toBeGreaterThan(5);
  }, 280_000);

  test('the gap is in the result and in the report, and no secret is in the journal', async () => {
    const out = await copyOfCut();
    const { code, stdout } = await spawnCli(argsFor(out, '--resume'), { env: carrier.env, timeLimit });
    expect(code).toBe(0);
    expect(findSealFlaw(readResult(join(out, 'result.json')).result)).toBeUndefined();
    const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    const footer = isJsonObject(result) ? result['footer'] : undefined;
    const gaps = listOf(isJsonObject(footer) ? footer['gaps'] : undefined);
    expect(gaps.length).toBeGreaterThan(0);
    for (const { from, to } of gaps) expect(Date.parse(renderPlain(from))).toBeLessThan(Date.parse(renderPlain(to)));
    expect(stdout).toMatch(/^ {2}gap +from \S+Z to \S+Z the run was cut off/m);
    expect(readFileSync(journalOf(out), 'utf8')).not.toMatch(/eyJ[\w-]{6,}\.[\w-]+\./);
  }, 120_000);
});

describe('what cannot be resumed', () => {
  const refusal = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(args, { env: carrier.env, timeLimit });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };

  test('the embedded carrier', async () => {
    expect(await refusal('run', '--resume', '--out', makeFolder())).toContain('--resume needs --target: the embedded');
  });

  const turn = (journal: string): string => journal.replace(/("kind":"case".*?"verdict":)"pass"/, '$1"fail"');
  const narrow = (journal: string): string => journal.replace(/"selection":\[.*?\]/, '"selection":["REQ-001"]');
  const dropLine = (journal: string): string => journal.replace(/\n\{"kind":"encrypted".*\n/, '\n');

  test.each<[string, (journal: string) => string, RegExp]>([
    ['a verdict', turn, /:\d+: this line was changed since the run wrote it, or a line before it was taken out/],
    ['its selection', narrow, /journal\.jsonl:1: this line was changed since the run wrote it/],
    [
      'a line taken out',
      dropLine,
      /:\d+: this line was changed since the run wrote it, or a line before it was taken out/,
    ],
    [
      'a verdict, with the chain that follows',
      (journal) => rechain(turn(journal)),
      /--resume: the journal contradicts itself: the case \S+ is fail, and pass follows from its findings\n$/,
    ],
    [
      'its selection, with the chain that follows',
      (journal) => rechain(narrow(journal)),
      /--resume: the journal contradicts itself: it has the case \S+, which its run did not select\n$/,
    ],
    [
      'all chains taken out',
      (journal) => journal.replaceAll(/,"chain":"\w+"/g, ''),
      /--resume: the lines of \S+ are not chained: no run wrote it\n$/,
    ],
  ])('a journal that was edited: %s', async (_, edit, says) => {
    const out = await copyOfCut();
    const journal = readFileSync(journalOf(out), 'utf8');
    expect(edit(journal)).not.toBe(journal);
    writeFileSync(journalOf(out), edit(journal));
    expect(await refusal('run', '--resume', '--target', target, '--out', out)).toMatch(says);
  });

  test('no journal, a run that came to its end, and one of something else', async () => {
    const out = makeFolder();
    const one = ['run', 'REQ-001', '--target', target, '--out', out];
    expect(await refusal(...one, '--resume')).toContain(`--resume: there is no journal ${journalOf(out)}\n`);
    expect((await runCli(one, { env: carrier.env, timeLimit })).code).toBe(0);
    expect(await refusal(...one, '--resume')).toContain(`--resume: the run of ${journalOf(out)} came to its end\n`);
    const other = ['run', 'REQ-001', '--profile', 'strict', '--target', target];
    expect(await refusal(...other, '--out', await copyOfCut(), '--resume')).toMatch(
      /--resume: not as in the run that was cut off: the selection \(.* then, \["REQ-001"\] now\); --profile \("interface" then, "strict" now\); the flags \(.* now\)\n$/,
    );
  }, 120_000);
});

// Last, because its pending requests at the carrier would disturb the next test.
test('a run without --resume archives the journal of one that could be resumed', async () => {
  const out = await copyOfCut();
  const before = readFileSync(journalOf(out), 'utf8');
  const { stderr } = await runCli(['run', 'REQ-001', '--target', target, '--out', out], { env: carrier.env });
  const [, archived = ''] =
    /^the run that was there and had not ended is now in (\S+); --resume --out \1 resumes it, after undoing what it had changed$/m.exec(
      stderr,
    ) ?? [];
  expect(archived).toMatch(/\/earlier\/\d{8}T\d{6}Z-[0-9a-f]{16}$/);
  expect(readFileSync(journalOf(archived), 'utf8')).toBe(before);
  const again = await runCli(['run', 'REQ-001', '--target', target, '--out', out], { env: carrier.env });
  expect(again.stderr).not.toContain('--resume');
}, 120_000);
