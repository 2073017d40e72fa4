import { appendFileSync, copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ProgressEvent } from '../../model/progress.ts';
import type { Suites } from '../../suite/suites.ts';
import { type HandCarrier, openHandCarrier, startOfClock } from '../../testing/carriers/hand-carrier.ts';
import { loadText } from '../../testing/parts/load-text.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { rechain } from '../../testing/results/reseal.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import { buildRunOptions } from '../../testing/parts/run-options.ts';
import { createRecordCipher } from '../../wire/record/record-cipher.ts';
import { readInterruptedRun } from './interrupted-run.ts';
import type { InterruptedRun } from '../run-options.ts';
import { run } from '../run.ts';
import type { RunOptions } from '../run-options.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
  - { id: REQ-002, clause: "2.4", level: required, description: It always holds., judged: invariant }
`;

const suite = `suite: A suite
cases:
  - { id: soon, title: It is over soon, rule: REQ-001, steps: [{ as: first, authorize: {}, expect: accepted }] }
  - id: late
    title: It is over late
    rule: REQ-001
    steps: [{ as: first, authorize: {}, expect: accepted }, { at: first + 30m, authorize: {}, expect: accepted }]
invariants:
  - { id: each, title: Each is so, rule: REQ-002, on: accepted, expect: { status: [201] }, seenIn: [soon] }
  - { id: all, title: All are so, rule: REQ-002, on: run, expect: { check: known }, seenIn: [soon] }
`;

const open: HandCarrier[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ close }) => close()));
});

async function readText(text: string): Promise<Suites> {
  const { suites, problems } = await loadText({ 'area/rules.yaml': rules, 'area/a.suite.yaml': text });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  const invariants = suites.invariants.map((invariant) => ({
    ...invariant,
    expectations: invariant.expectations.map((one) =>
      one.checks === undefined ? one : { ...one, checks: ['auth-req-ids-distinct'] },
    ),
  }));
  return { ...suites, invariants };
}

/** Carrier that gives every request the same id: only a comparison of two requests shows it. */
async function prepare(text = suite) {
  const carrier = await openHandCarrier(() => ({ body: { auth_req_id: 'ccid-always-the-same', expires_in: 300 } }));
  open.push(carrier);
  const suites = await readText(text);
  const journal = join(makeFolder(), 'journal.jsonl');
  const options = (more: Partial<RunOptions> = {}): RunOptions =>
    buildRunOptions({ suites, target: carrier.target, journal, resumable: true, ...more });
  return { carrier, journal, options };
}

/** Runs to the end, and cuts the journal as kill -9 would after the first case. */
async function runAndCut() {
  const prepared = await prepare();
  const { journal, options } = prepared;
  const cut = `${journal}.cut`;
  let copied = false;
  const { result, close } = await run(
    options({
      progress: (event) => {
        if (event.kind !== 'case-finished' || copied) return;
        copied = true;
        copyFileSync(journal, cut);
      },
    }),
  );
  close();
  return { ...prepared, result, cut };
}

const interruptedRun = (cut: string): InterruptedRun => readInterruptedRun(cut, Date.now());

describe('a run that was cut off', () => {
  test('is resumed: what ended stands, the rest runs, and what was seen before still counts', async () => {
    const { cut, options, result, carrier } = await runAndCut();
    const asked = carrier.requests.length;
    const interrupted = interruptedRun(cut);
    expect([...interrupted.cases]).toMatchObject([['soon', { acceptedFrom: ['main'], plainAcceptedFrom: ['main'] }]]);
    const { result: resumed, close } = await run(options({ journal: cut, resume: interrupted }));
    expect([...resumed.cases].map(({ id }) => id)).toEqual(['soon', 'late']);
    close();
    expect(carrier.requests.length - asked).toBe(2);
    const said = ({ invariants, rules: judged }: typeof result) => ({
      invariants: invariants.map(({ id, verdict, judged: count, violations }) => [id, verdict, count, violations]),
      rules: judged.map(({ id, verdict }) => [id, verdict]),
    });
    expect(said(resumed)).toEqual(said(result));
    expect(said(resumed).invariants).toEqual([
      ['each', 'fail', 3, 3],
      ['all', 'fail', 3, 2],
    ]);
    expect(resumed.invariants[0]?.findings.map(({ seenIn }) => seenIn)).toEqual(['soon', 'late', 'late']);
    expect(resumed.header).toEqual(interrupted.header);
    expect(resumed.footer).toMatchObject({ exchanges: result.footer?.exchanges, gaps: interrupted.gaps });
    expect(interrupted.gaps).toHaveLength(1);
  });

  test('in the middle of a line loses that line', async () => {
    const { cut } = await runAndCut();
    appendFileSync(cut, '{"kind":"case","id":"late","tit');
    expect([...interruptedRun(cut).cases.keys()]).toEqual(['soon']);
  });

  test('in the middle of a case, whose line is not there, loses its evidence', async () => {
    const { cut, options } = await runAndCut();
    const text = readFileSync(cut, 'utf8');
    truncateSync(cut, text.lastIndexOf('{"kind":"case"') + 20);
    const interrupted = interruptedRun(cut);
    expect(interrupted.cases.size).toBe(0);
    const again = `${cut}.again`;
    const copyOnce = (event: ProgressEvent): void => {
      if (event.kind === 'case-finished' && !existsSync(again)) copyFileSync(cut, again);
    };
    const first = await run(options({ journal: cut, resume: interrupted, progress: copyOnce }));
    first.close();
    const counts = [
      [3, 3],
      [3, 2],
    ];
    expect(first.result.invariants.map(({ judged, violations }) => [judged, violations])).toEqual(counts);
    const second = await run(options({ journal: again, resume: interruptedRun(again) }));
    second.close();
    expect(second.result.invariants.map(({ judged, violations }) => [judged, violations])).toEqual(counts);
    expect(second.result.footer?.gaps).toHaveLength(2);
  });
});

describe('a change that a case had undone when the run was killed', () => {
  const changing = `suite: A suite
cases:
  - { id: soon, title: It is over soon, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }] }
  - { id: changes, title: It changes, rule: REQ-001, steps: [{ trigger: remove-consent }] }
${suite.slice(suite.indexOf('invariants:'))}`;

  test('is not undone once more, and its subscriber cools down', async () => {
    const { journal, options, carrier } = await prepare(changing);
    const { origin } = new URL(carrier.target.endpoints['server_initiated'] ?? '');
    const drivers = {
      'remove-consent': postTo(`${origin}/admin/remove`, { done: [404] }),
      'give-consent': postTo(`${origin}/admin/give`, { done: [404] }),
    };
    const target = { ...carrier.target, drivers };
    const cut = `${journal}.cut`;
    const copy = ({ kind }: ProgressEvent): void => {
      if (kind === 'case-finished' && !existsSync(cut)) copyFileSync(journal, cut);
    };
    const { close } = await run(options({ target, progress: copy }));
    close();
    const before = carrier.targets.length;
    expect([...interruptedRun(cut).cases.keys()]).toEqual(['soon']);
    const resumed = await run(options({ target, journal: cut, resume: interruptedRun(cut) }));
    const changes = [...resumed.result.cases].find(({ id }) => id === 'changes');
    resumed.close();
    expect(carrier.targets.slice(before).filter((asked) => asked.startsWith('/admin/'))).toEqual([
      '/admin/remove',
      '/admin/give',
    ]);
    expect(changes).toMatchObject({ verdict: 'pass' });
    expect((changes?.startedAt ?? 0) - startOfClock).toBeGreaterThanOrEqual(61 * 60_000);
  });
});

describe('a request under way when the run was killed', () => {
  /** Seconds into the run at which the interrupted case began anew, without these notes of the first run. */
  async function begunAfter(...lost: readonly string[]): Promise<number> {
    const { journal, options, carrier } = await prepare(suite.replace('first + 30m', 'first + 1s'));
    const stop = new AbortController();
    const first = await run(
      options({ signal: stop.signal, progress: ({ kind }) => kind === 'advanced' && stop.abort() }),
    );
    first.close();
    const seal = createRecordCipher(carrier.target.clients);
    const isKept = (line: string): boolean => {
      const { encrypted } = JSON.parse(line) as { encrypted?: string };
      return encrypted === undefined || !lost.some((what) => seal.decrypt(encrypted)?.startsWith(`{"what":"${what}"`));
    };
    const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    writeFileSync(journal, rechain(`${lines.filter(isKept).join('\n')}\n`));
    const { origin } = new URL(carrier.target.endpoints['server_initiated'] ?? '');
    const target = { ...carrier.target, drivers: { deny: postTo(`${origin}/admin/deny`, { impossible: [404] }) } };
    const { result, close } = await run(options({ resume: interruptedRun(journal), target }));
    const late = [...result.cases].find(({ id }) => id === 'late');
    close();
    return ((late?.startedAt ?? 0) - startOfClock) / 1000;
  }

  test('is waited out, where the run does not know what became of it', async () =>
    expect(await begunAfter('accepted')).toBe(300));

  test('or not, where it was accepted: then it is denied', async () =>
    expect(await begunAfter()).toBeLessThanOrEqual(1));
});

describe('what cannot be resumed', () => {
  test('a line that is broken in the middle', async () => {
    const { cut } = await runAndCut();
    const [first = '', ...rest] = readFileSync(cut, 'utf8').split('\n');
    writeFileSync(cut, [first, 'no JSON', ...rest].join('\n'));
    expect(() => interruptedRun(cut)).toThrow(`${cut}:2:1: this is not JSON: a value should stand here, not "n"`);
  });

  test('a journal without a header', () => {
    const file = join(makeFolder(), 'journal.jsonl');
    writeFileSync(file, '{"kind":"head');
    expect(() => interruptedRun(file)).toThrow(`--resume: ${file} ends before its header does`);
  });

  test('with other private keys', async () => {
    const { cut, options, carrier } = await runAndCut();
    const clients = carrier.target.clients.map((client) => ({ ...client, secret: 'another secret' }));
    const other = options({ journal: cut, resume: interruptedRun(cut), target: { ...carrier.target, clients } });
    await expect(run(other)).rejects.toThrow(
      'the private keys of the target are not those of the run that was cut off',
    );
  });

  test('with other flags, but for where the target file stands', async () => {
    const { cut, options } = await runAndCut();
    const given = options({ journal: cut, resume: interruptedRun(cut) });
    await expect(run({ ...given, flags: ['--fault', 'x'] })).rejects.toThrow(
      'the flags ([] then, ["--fault","x"] now)',
    );
    const { close } = await run({ ...given, flags: ['--target', '../carrier.yaml'] });
    close();
  });

  test('with other suites, another target or another version: all of it is said', async () => {
    const { cut, options, carrier } = await runAndCut();
    const given = options({ journal: cut, resume: interruptedRun(cut) });
    const other: RunOptions = {
      ...given,
      suites: { ...given.suites, digests: { ...given.suites.digests, suites: 'sha256:1' } },
      target: { ...carrier.target, fingerprint: 'sha256:2' },
      tool: { ...given.tool, version: '0.0.1' },
    };
    await expect(run(other)).rejects.toThrow(
      /not as in the run that was cut off: the version of carrierspec \("0.0.0" then, "0.0.1" now\); the suites \(other content than then\); the target file \(other content than then\)\. Resume it as it was, or begin a new run$/,
    );
    const target = { ...other.target, name: 'Other', file: 'other.yaml' };
    await expect(run({ ...given, target })).rejects.toThrow(
      /cut off: the target file \(that of ".+" \(.+\) then, that of "Other" \(other\.yaml\) now\)\./,
    );
  });
});
