import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { createPhoneLab, doTask, type PageTask, type PersonReply } from '../../testing/carriers/phone-lab.ts';
import { readSuites } from '../../setup/read-files.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import { answerLive } from '../../testing/pages/person-at-live.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTargetWith,
} from '../../testing/program/target-file.ts';

const ask = { ask: true, timeout: '30s' };
const byHand = { approve: ask, deny: ask, look: ask };

function readObject(path: string): JsonObject {
  const value = parseJson(readFileSync(path, 'utf8'));
  return isJsonObject(value) ? value : {};
}

interface Attended {
  readonly code: number | null;
  readonly stdout: string;
  readonly out: string;
  readonly tasks: readonly PageTask[];
  readonly result: JsonObject;
  readonly only: JsonObject;
}

type Act = (task: PageTask, number: number, doIt: (task: PageTask) => Promise<PersonReply>) => Promise<PersonReply>;

/** Runs cases while a person at the page does what `act` says. */
async function attend(carrier: SpawnedCarrier, cases: readonly string[], act: Act, name = 'Ann'): Promise<Attended> {
  const target = writeTargetWith(byHand);
  const out = makeFolder();
  const formats = ['junit', 'markdown', 'ctrf', 'annotations', 'sarif'];
  const reports = formats.flatMap((format) => ['--report', `${format}=${join(out, format)}`]);
  const running = startCli(['run', ...cases, '--target', target, '--out', out, ...reports, '--live'], {
    env: carrier.env,
    timeLimit: 200_000,
  });
  const lab = createPhoneLab(carrier.env['REFERENCE_ADMIN'] ?? '', readObject(target));
  const tasks = await answerLive(running, name, (task, number) => act(task, number, (one) => doTask(one, lab)));
  const { code, stdout } = await running.ended;
  const result = readObject(join(out, 'result.json'));
  const [only = {}] = Array.isArray(result['cases']) ? result['cases'].filter(isJsonObject) : [];
  return { code, stdout, out, tasks, result, only };
}

const nothingDone = (): Promise<PersonReply> => Promise.resolve({ button: 'Done' });
const denying = (task: PageTask): PageTask => ({ ...task, description: 'Deny the request on the phone' });
const approving = (task: PageTask): PageTask => ({ ...task, description: 'Approve the request on the phone' });

describe('a slip of a person', () => {
  let carrier: SpawnedCarrier;
  beforeAll(async () => {
    carrier = await startCarrier(['--clock', 'virtual']);
  });
  afterAll(() => stopCarrier(carrier));

  test('who says Done and does nothing is no red of the carrier: it is asked again, and the case is open', async () => {
    const { code, tasks, only } = await attend(carrier, ['approval-brings-tokens'], (task, number, doIt) =>
      number === 1 ? nothingDone() : doIt(task),
    );
    expect(tasks.map(({ facts }) => facts['asked again'])).toEqual([
      undefined,
      'The first time (Ann) it came out otherwise than asked: the run expected completed, got no callback within 30 s. Was exactly this done? Please do it once more.',
    ]);
    expect(only).toMatchObject({
      verdict: 'inconclusive',
      findings: [],
      reason: expect.stringMatching(
        /^FLOW-002 may be a slip of a person, because it was not seen twice: Ann was asked "Approve the request on the phone" and answered "done" at \d{4}-\S+Z, and then the run expected completed, got no callback within 30 s; asked again, it came out as asked$/,
      ) as unknown,
      acts: [
        { step: 'approval', action: 'approve', answered: 'done', by: 'Ann', try: 'first' },
        { step: 'approval', action: 'approve', answered: 'done', by: 'Ann', try: 'again' },
      ],
    });
    expect(only['confirmation']).toBeUndefined();
    expect(code).toBe(4);
  });

  test('who approves where a denial was asked for is none either', async () => {
    const { code, tasks, only } = await attend(carrier, ['denial-brings-error'], (task, number, doIt) =>
      doIt(number === 1 ? approving(task) : task),
    );
    expect(tasks).toHaveLength(2);
    expect(tasks[1]?.facts['asked again']).toContain('the run expected failed, got a callback with tokens');
    expect(only).toMatchObject({
      verdict: 'inconclusive',
      findings: [],
      reason: expect.stringMatching(/^FLOW-003 may be .* asked again, it came out as asked$/) as unknown,
    });
    expect(code).toBe(4);
  });

  test('is none if the second asking ends otherwise again, in another way', async () => {
    const { code, only } = await attend(carrier, ['approval-brings-tokens'], (task, number, doIt) =>
      number === 1 ? nothingDone() : doIt(denying(task)),
    );
    expect(only).toMatchObject({ verdict: 'inconclusive', findings: [] });
    expect(only['reason']).toMatch(/^FLOW-002 may be .* asked again, it came out otherwise in another way$/);
    expect(code).toBe(4);
  });

  test('that cannot be asked for again leaves the case open, with the reason', async () => {
    const { code, only } = await attend(carrier, ['denial-brings-error'], (task, number, doIt) =>
      number === 1 ? doIt(approving(task)) : Promise.resolve({ button: 'Cannot', note: 'the battery is empty' }),
    );
    expect(only).toMatchObject({ verdict: 'inconclusive', findings: [] });
    expect(only['reason']).toMatch(
      /; the second try came to no verdict: deny was not possible: .*cannot: the battery is empty$/,
    );
    expect(code).toBe(4);
  });

  test('at a look is none either: the other answer the second time', async () => {
    const { code, only } = await attend(carrier, ['colour-mode-of-the-system'], (task, number, doIt) =>
      number === 1 ? Promise.resolve({ button: 'No' }) : doIt(task),
    );
    expect(only).toMatchObject({
      verdict: 'inconclusive',
      findings: [],
      acts: [
        { action: 'look', answered: 'no', try: 'first' },
        { action: 'look', answered: 'yes', try: 'again' },
      ],
    });
    expect(code).toBe(4);
  });

  test('has a late time-out, which is no denial with another code', async () => {
    const names = ['denial-brings-error', 'two-denials-one-code', 'CB-020'];
    const { result } = await attend(carrier, names, (task, number, doIt) =>
      number === 1 ? nothingDone() : doIt(task),
    );
    const invariants = Array.isArray(result['invariants']) ? result['invariants'].filter(isJsonObject) : [];
    expect(invariants.find(({ id }) => id === 'denial-codes-agree')).toMatchObject({ verdict: 'pass', findings: [] });
  }, 120_000);
});

test('no task card has a word of another decision than the one to take', async () => {
  const { cases } = await readSuites([]);
  const decided = cases.filter(({ steps }) => steps.some(({ act }) => isTrigger(act) && act.action === 'deny'));
  const carrier = await startCarrier(['--clock', 'virtual']);
  const { tasks } = await attend(
    carrier,
    decided.map(({ id }) => id),
    (task, _, doIt) => doIt(task),
  );
  await stopCarrier(carrier);
  const cardsOf = (decision: string) =>
    tasks.filter(({ description }) => description.startsWith(decision)).map((task) => JSON.stringify(task));
  expect(cardsOf('Deny').length).toBeGreaterThan(20);
  expect(cardsOf('Deny').filter((card) => /approv/i.test(card))).toEqual([]);
  expect(cardsOf('Approve').length).toBeGreaterThan(5);
  expect(cardsOf('Approve').filter((card) => /\bden[iy]/i.test(card))).toEqual([]);
  // Most cards say in which case.
  expect(tasks.filter(({ facts }) => facts['case'] !== undefined).length).toBeGreaterThan(tasks.length / 2);
}, 240_000);

describe('a carrier that brings tokens after a denial', () => {
  let carrier: SpawnedCarrier;
  let red: Attended;
  beforeAll(async () => {
    carrier = await startCarrier(['--clock', 'virtual', '--fault', 'denial-brings-tokens']);
    red = await attend(
      carrier,
      ['denial-of-each-kind-of-request/prompt-login'],
      (task, _, doIt) => doIt(task),
      'Ann <b>\u202e',
    );
  });
  afterAll(() => stopCarrier(carrier));

  test('is red, because two denials showed it', () => {
    expect(red.tasks).toHaveLength(2);
    expect(red.only).toMatchObject({
      verdict: 'fail',
      confirmation: { status: 'confirmed' },
      findings: [{ rule: 'FLOW-003', afterActs: 1 }],
      acts: [{ by: 'Ann <b>', try: 'first' }, { try: 'again' }],
    });
    expect(red.code).toBe(1);
    expect(red.result['footer']).toMatchObject({
      people: { answers: 2, again: 1, cases: 1, names: [{ name: 'Ann <b>', answers: 2 }], rules: ['FLOW-003'] },
    });
  });

  test('every report shows who answered what and when, and none takes the name for markup', () => {
    const said = /was asked .{0,6}Deny the request on the phone.{0,6} and answered .{0,6}done.{0,6} at 20/;
    const shown = (name: string): string => readFileSync(join(red.out, name), 'utf8');
    expect(red.stdout.replaceAll(/\s+/g, ' ')).toMatch(said);
    for (const name of ['report.html', 'junit', 'markdown', 'ctrf', 'annotations', 'sarif'])
      expect([name, said.test(shown(name).replaceAll(/&(?:quot|#34);/g, '"'))]).toEqual([name, true]);
    const counted = /2 answers of people in 1 case: Ann .*; 1 to a second asking/;
    expect(red.stdout.replaceAll(/\s+/g, ' ')).toMatch(counted);
    for (const name of ['report.html', 'junit', 'markdown', 'ctrf', 'sarif'])
      expect([name, counted.test(shown(name))]).toEqual([name, true]);
    expect(shown('report.html')).not.toContain('Ann <b>');
    expect(shown('journal.jsonl')).toContain('"by":"Ann <b>"');
  });

  test('and so do the certificate and verify', async () => {
    const folder = makeFolder();
    const { privateKey, publicKey } = makeKeyPairSync('ed25519');
    const files = { private: join(folder, 'private.json'), public: join(folder, 'public.json') };
    writeFileSync(files.private, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'lab' }), {
      mode: 0o600,
    });
    writeFileSync(files.public, JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'lab' }));
    const certified = await runCli(['certify', join(red.out, 'result.json'), '--key', files.private]);
    expect(certified).toMatchObject({ code: 0 });
    const certificate = join(red.out, 'certificate.jws');
    const verified = await runCli(['verify', certificate, join(red.out, 'result.json'), '--key', files.public]);
    const words = '2 answers of people in 1 case: Ann <b> 2; 1 to a second asking; on them rest verdicts on FLOW-003';
    for (const { stdout } of [certified, verified]) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    const [, payload = ''] = readFileSync(certificate, 'utf8').split('.');
    const manifest = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
    expect(manifest).toMatchObject({ people: { answers: 2, names: [{ name: 'Ann <b>', answers: 2 }] } });
  });

  test('no certificate is made of a result that claims a red after one asking', async () => {
    const file = join(makeFolder(), 'result.json');
    const text = readFileSync(join(red.out, 'result.json'), 'utf8');
    writeFileSync(file, text.replace('"status":"confirmed"', '"status":"seen-once"'));
    const key = join(makeFolder(), 'key.json');
    const { privateKey } = makeKeyPairSync('ed25519');
    writeFileSync(key, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'lab' }), { mode: 0o600 });
    const { code, stderr } = await runCli(['certify', file, '--key', key]);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('after an answer of a person, who was not asked again');
  });
});
