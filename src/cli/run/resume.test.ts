import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { unchainedText } from '../../journal/entries.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import { isJsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { type KeptRun, runInto } from '../../testing/program/run-into.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';
import { rechain } from '../../testing/results/reseal.ts';

const timeLimit = 120_000;
const { env } = await startCarrier();
const target = writeTarget((given) => given);
const selected = ['EVT-01*', 'SEC-23', 'consent-removed-while-pending'];
const flags = [...selected, '--target', target];

const journalIn = (out: string): string => join(out, 'journal.jsonl');

/** Complete journal lines of the finished cases, without their chains, by id. */
function finishedIn(out: string): ReadonlyMap<string, string> {
  const lines = existsSync(journalIn(out)) ? readFileSync(journalIn(out), 'utf8').split('\n').slice(0, -1) : [];
  return new Map(
    lines.flatMap((line) => {
      const value = parseJson(line);
      const ran = isJsonObject(value) && value['kind'] === 'case' && value['startedAt'] !== 0;
      return ran ? [[renderPlain(value['id']), unchainedText(line)?.text ?? ''] as const] : [];
    }),
  );
}

const stateOf = (path: string): { readonly ino: number; readonly size: number } =>
  statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };

/** Starts or resumes a run, and kills it once its journal has this many bytes; false if it ended before. Resuming rewrites the journal. */
async function runAndKill(out: string, bytes: number): Promise<boolean> {
  const before = stateOf(journalIn(out)).ino;
  const more = before === 0 ? [] : ['--resume'];
  const running = startCli(['run', ...flags, '--out', out, ...more], { env, timeLimit });
  let isOver = false;
  const ended = running.ended.finally(() => (isOver = true));
  const isReached = ({ ino, size }: ReturnType<typeof stateOf>): boolean => ino !== before && size >= bytes;
  while (!isOver && !isReached(stateOf(journalIn(out)))) await pause(2);
  running.kill();
  const { code } = await ended;
  return code === null && !readFileSync(journalIn(out), 'utf8').includes('\n{"kind":"footer"');
}

/** Verdicts of a run, without values that differ in every run; the message of a run that failed. */
function decidedBy(ran: KeptRun): unknown {
  if (ran.code !== 0) return { code: ran.code, stderr: ran.stderr };
  const verdicts = (all: Iterable<{ readonly id: string; readonly verdict: string }>) =>
    [...all].map(({ id, verdict }) => [id, verdict]);
  const { cases, invariants, rules } = ran.result;
  const seen = invariants.map(({ judged, violations }) => [judged, violations]);
  return { cases: verdicts(cases), invariants: verdicts(invariants), seen, rules: verdicts(rules) };
}

test('kill -9, twice: no finished case is lost, and the verdicts are those of a run that nobody killed', async () => {
  const whole = await runInto(flags, { env, timeLimit });
  expect(whole).toMatchObject({ code: 0 });
  const length = stateOf(journalIn(whole.out)).size;
  let out = makeFolder();
  let before: ReadonlyMap<string, string> = new Map();
  for (let kills = 0; kills < 2; kills += 1) {
    if (!(await runAndKill(out, (0.5 + 0.2 * kills) * length))) {
      // It was faster than we: from the beginning.
      out = makeFolder();
      before = new Map();
      kills = -1;
      continue;
    }
    const after = finishedIn(out);
    for (const [id, line] of before) expect(after.get(id), `${id} after ${kills} kills`).toBe(line);
    before = after;
  }
  expect(before.size).toBeGreaterThan(2);
  const last = await runInto([...flags, '--resume'], { env, out, timeLimit });
  expect(decidedBy(last)).toEqual(decidedBy(whole));
  expect(findSealFlaw(last.result)).toBeUndefined();
  const { footer } = last.result;
  expect(footer?.gaps?.length).toBeGreaterThan(0);
  for (const { from, to } of footer?.gaps ?? []) expect(Date.parse(from)).toBeLessThan(Date.parse(to));
  expect(last.stdout).toMatch(/^ {2}gap +from \S+Z to \S+Z the run was cut off/m);
  expect(readFileSync(journalIn(out), 'utf8')).not.toMatch(/eyJ[\w-]{6,}\.[\w-]+\./);
}, 200_000);

const one = ['REQ-001', '--target', target];
const ended = await runInto(one, { env });

/** Journal of that run as kill -9 leaves it before its end. */
const [cut = ''] = readFileSync(journalIn(ended.out), 'utf8').split('{"kind":"end"');

function folderWith(journal: string): string {
  const out = makeFolder();
  writeFileSync(journalIn(out), journal);
  return out;
}

const refusal = async (args: readonly string[], out = makeFolder()): Promise<string> => {
  const { code, stdout, stderr } = await runInto([...args, '--resume'], { env, out });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
};

describe('what cannot be resumed', () => {
  test('the embedded carrier, and how to run that again', async () => {
    const { out } = await runInto(['REQ-001', '--fault', 'iat-not-checked']);
    const [embedded = ''] = readFileSync(journalIn(out), 'utf8').split('{"kind":"end"');
    const folder = folderWith(embedded);
    expect(await refusal([], folder)).toBe(
      `carrierspec: --resume: the run of ${folder} was of the embedded reference carrier, which ended with it and kept nothing; run it again: carrierspec run REQ-001 --fault iat-not-checked\n`,
    );
    expect(await refusal(['--target', target], folder)).toContain('was of the embedded reference carrier');
    const none = makeFolder();
    expect(await refusal([], none)).toContain(`--resume: there is no journal ${journalIn(none)}\n`);
  });

  test('no journal, a run that came to its end, and one of something else', async () => {
    const out = makeFolder();
    expect(await refusal(one, out)).toContain(`--resume: there is no journal ${journalIn(out)}\n`);
    expect(await refusal(one, ended.out)).toContain(`--resume: the run of ${journalIn(ended.out)} came to its end\n`);
    expect(await refusal(['REQ-014', '--profile', 'strict', '--target', target], folderWith(cut))).toMatch(
      /--resume: not as in the run that was cut off: the selection \(.* then, \["REQ-014"\] now\); --profile \("interface" then, "strict" now\); the flags \(.* now\)\. Resume it as it was, or begin a new run\n$/,
    );
  });

  const turn = (journal: string): string => journal.replace(/("kind":"case".*?"verdict":)"pass"/, '$1"fail"');
  const narrow = (journal: string): string => journal.replace(/"selection":\[.*?\]/, '"selection":["REQ-014"]');
  const changed = /:\d+: this line was changed since the run wrote it, or a line before it was taken out/;

  test.each<[string, (journal: string) => string, RegExp]>([
    ['a verdict', turn, changed],
    ['its selection', narrow, /journal\.jsonl:1: this line was changed since the run wrote it/],
    ['a line taken out', (journal) => journal.replace(/\n\{"kind":"encrypted".*\n/, '\n'), changed],
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
    expect(edit(cut)).not.toBe(cut);
    expect(await refusal(['--target', target], folderWith(edit(cut)))).toMatch(says);
  });
});

test('a run without --resume archives the journal of one that could be resumed', async () => {
  const out = folderWith(cut);
  const { stderr } = await runInto(one, { env, out });
  const [, archived = ''] =
    /^the run that was there and had not ended is now in (\S+); --resume --out \1 resumes it, after undoing what it had changed$/m.exec(
      stderr,
    ) ?? [];
  expect(archived, stderr).toMatch(/\/earlier\/\d{8}T\d{6}Z-[0-9a-f]{16}$/);
  expect(readFileSync(journalIn(archived), 'utf8')).toBe(cut);
  expect((await runInto(one, { env, out })).stderr).not.toContain('--resume');
});

test('a kill between the footer and the reports is repaired by --resume, which sends nothing', async () => {
  const { out, code } = await runInto(['HDR-008', '--fault', 'signature-not-verified']);
  const reports = ['report.html', 'junit.xml'].map((name) => join(out, name));
  for (const report of reports) rmSync(report);
  const journal = readFileSync(journalIn(out), 'utf8');
  const resumed = await runInto(['--resume'], { out });
  expect([code, resumed.code, resumed.stderr]).toEqual([
    1,
    1,
    `--resume: the run of ${journalIn(out)} had ended; its reports are written\n`,
  ]);
  expect(resumed.stdout).toMatch(/^Not conformant: /m);
  expect(reports.map((report) => existsSync(report))).toEqual([true, true]);
  expect(readFileSync(journalIn(out), 'utf8')).toBe(journal);
});
