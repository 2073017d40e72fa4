import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { makeFolder, writeFolder } from '../testing/program/target-file.ts';
import { expectConformant } from './expect.ts';
import { judge } from './judge.ts';
import { CarrierspecError, certify, loadSuites, ReporterError } from './library.ts';
import type { CertifyOptions } from './options.ts';
import { createReferenceCarrier, faultNames } from '../lab/reference/reference-carrier.ts';

const theCase = { what: ['approval-brings-tokens'] };

/** Resolves to the error of a rejected promise. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('certify', () => {
  test('gives the result of a carrier in this process, keeps nothing, and listens to no signal', async () => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
    const carrier = await createReferenceCarrier();
    try {
      const { cases, footer, header } = await certify(carrier.target, theCase);
      expect([footer?.outcome, header.target.issuer]).toEqual(['conformant', carrier.url]);
      expect(cases.map(({ id, verdict }) => [id, verdict])).toEqual([['approval-brings-tokens', 'pass']]);
      expect(cases[0]?.messages.length).toBeGreaterThan(0);
    } finally {
      await carrier.close();
    }
    expect(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name))).toEqual(signals);
  });

  test('keeps what the program would, and makes the reports that were asked for', async () => {
    const out = makeFolder();
    const ctrf = join(out, 'own.json');
    const events: string[] = [];
    const onEvent: CertifyOptions['onEvent'] = ({ kind }) => void events.push(kind);
    const { header } = await certify({ faults: [] }, { ...theCase, out, reports: { ctrf }, onEvent });
    const kept: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(kept).toMatchObject({ run: header.run });
    expect(readFileSync(ctrf, 'utf8')).toMatch(/^\{\n"reportFormat":"CTRF"/);
    expect(events).toContain('case-finished');
  });

  test('is ended by a signal with what is finished', async () => {
    const stop = new AbortController();
    const onEvent = (): void => stop.abort();
    const { footer } = await certify({ faults: [] }, { what: ['callback'], signal: stop.signal, onEvent });
    expect(footer).toMatchObject({ interrupted: true, outcome: 'incomplete' });
  });

  test('a reporter that throws does not lose the result', async () => {
    const reporter = {
      event: () => {
        throw new RangeError('out of ink');
      },
    };
    const notes: string[] = [];
    const onNote = (line: string): void => void notes.push(line);
    const error = await errorOf(certify({ faults: [] }, { ...theCase, reporters: [reporter], onNote }));
    expect(error).toBeInstanceOf(ReporterError);
    expect(error).toMatchObject({ code: 'reporter-failed', result: { footer: { outcome: 'conformant' } } });
    expect(notes).toEqual([expect.stringContaining('RangeError: out of ink; it receives no further events')]);
  });

  test.each<readonly [string, Parameters<typeof certify>[0], CertifyOptions]>([
    ['target-broken', 'nowhere.yaml', {}],
    ['reference-carrier', { faults: ['no-such-fault'] }, {}],
    ['nothing-selected', { faults: [] }, { what: ['no-such-case'] }],
    ['bad-flag', { faults: [] }, { without: ['no-such-area'] }],
    ['bad-flag', { faults: [] }, { jobs: 0 }],
    ['bad-flag', { faults: [] }, { budget: Number.NaN }],
    ['bad-flag', { faults: [] }, JSON.parse('{"profile":"most"}')],
    ['bad-flag', { faults: [] }, { reports: { json: '-' } }],
    ['bad-flag', { faults: [] }, { reporters: ['nowhere.js'] }],
    ['suites-broken', { faults: [] }, { suites: ['nowhere'] }],
  ])('%s is the code of a mistake: %j %j', async (code, target, options) => {
    const error = await errorOf(certify(target, options));
    expect(error).toBeInstanceOf(CarrierspecError);
    expect(error).toMatchObject({ code });
  });
});

describe('expectConformant', () => {
  test('says in words what is broken', async () => {
    const error = await errorOf(
      expectConformant({ faults: ['callback-without-bearer'] }, { what: ['callback-bearer'] }),
    );
    expect(error).toBeInstanceOf(AssertionError);
    const { message } = error instanceof Error ? error : { message: '' };
    expect(message).toMatch(/^CB-\d{3}: [^\n]*, [^\n]* \(exit code 1\)\n\n/);
    expect(message).toMatch(/CB-\d{3}[\s\S]*Bearer/i);
    expect(message.split('\n').length).toBeLessThan(205);
  });

  test('gives the result of a conforming carrier', async () => {
    expect((await expectConformant({ faults: [] }, theCase)).footer?.outcome).toBe('conformant');
  });
});

describe('judge', () => {
  test('says what a message is, and the rules that it breaks', async () => {
    expect(await judge('{"auth_req_id":"x","error":"invalid_grant"}')).toEqual({
      type: 'callback',
      body: { auth_req_id: 'x', error: 'invalid_grant' },
      broken: [
        {
          rule: 'CB-023',
          level: 'required',
          path: 'body.error',
          expected: 'anything but "invalid_grant"',
          actual: '"invalid_grant"',
        },
      ],
      inside: [],
    });
  });

  test.each(['nonsense', '', `${'['.repeat(500)}${']'.repeat(500)}`, 'x'.repeat(2 * 1024 * 1024)])(
    'what is none is an error',
    async (text) => {
      expect(await errorOf(judge(text))).toMatchObject({ name: 'CarrierspecError', code: 'nothing-to-decode' });
    },
  );
});

test('the suites are rules and cases, and what a folder adds', async () => {
  const { rules, cases, digests } = await loadSuites();
  expect(cases.find(({ id }) => id === 'approval-brings-tokens')).toMatchObject({ area: 'server-initiated' });
  expect(cases.every((one) => one.rules.every((id) => rules.some((rule) => rule.id === id)))).toBe(true);
  expect(digests.rules).toMatch(/^sha256:[0-9a-f]{64}$/);
  const own = writeFolder({ 'own.suite.yaml': 'suite: Own\ncases:\n  - { id: own }\n' });
  const error = await errorOf(loadSuites([own]));
  expect(error instanceof CarrierspecError && error.problems.length).toBeGreaterThan(0);
});

test('a reference carrier that cannot start says why', async () => {
  expect(faultNames()).toContain('callback-without-bearer');
  const first = await createReferenceCarrier({ clock: 'real' });
  try {
    const taken = { public: Number(new URL(first.url).port) };
    for (const options of [{ ports: taken }, { faults: ['no-such-fault'] }]) {
      expect(await errorOf(createReferenceCarrier(options))).toMatchObject({ code: 'reference-carrier' });
    }
    expect(await errorOf(createReferenceCarrier({ receiver: 'nowhere' }))).toMatchObject({ code: 'bad-flag' });
  } finally {
    await first.close();
  }
});
