import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import type { PageTask, PersonReply } from '../../testing/carriers/phone-lab.ts';
import { type Attended, attend, cardsOf, misleadingCards } from '../../testing/pages/attend.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, type SpawnedCarrier, startCarrier, stopCarrier } from '../../testing/program/target-file.ts';

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
    const { result, tasks } = await attend(carrier, names, (task, number, doIt) =>
      number === 1 ? nothingDone() : doIt(task),
    );
    expect(cardsOf(tasks, 'Deny').length).toBeGreaterThan(1);
    expect(misleadingCards(tasks)).toEqual([]);
    const invariants = Array.isArray(result['invariants']) ? result['invariants'].filter(isJsonObject) : [];
    expect(invariants.find(({ id }) => id === 'denial-codes-agree')).toMatchObject({ verdict: 'pass', findings: [] });
  }, 120_000);
});

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
