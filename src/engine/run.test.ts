import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { unchainedText } from '../journal/entries.ts';
import { type JsonObject, renderPlain } from '../lib/json.ts';
import type { CaseResult, Result } from '../model/result.ts';
import type { Target } from '../model/target.ts';
import { type Conduct, type HandCarrier, openHandCarrier, startOfClock } from '../testing/carriers/hand-carrier.ts';
import { loadText } from '../testing/parts/load-text.ts';
import { buildTemplate } from '../testing/parts/templates.ts';
import { buildRunOptions } from '../testing/parts/run-options.ts';
import { run } from './run.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
`;

let folder = '';
const open: HandCarrier[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrierspec-run-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ close }) => close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly result: Result;
  readonly cases: Readonly<Record<string, CaseResult>>;
  readonly carrier: HandCarrier;
  readonly journal: string;
}

let runs = 0;

/** Runs these cases against a carrier with this conduct; `change` alters the target. */
async function runCases(
  yaml: string,
  conductOf: (claims: JsonObject, index: number) => Conduct,
  {
    change = (target) => target,
    signal = new AbortController().signal,
  }: { change?: (target: Target) => Target; signal?: AbortSignal } = {},
): Promise<Ran> {
  const { suites, problems } = await loadText({
    'area/rules.yaml': rules,
    'area/a.suite.yaml': `suite: A suite\ncases:\n${yaml}`,
  });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  const carrier = await openHandCarrier(conductOf);
  open.push(carrier);
  runs += 1;
  const journal = join(folder, `${runs}.jsonl`);
  const { result, close } = await run(buildRunOptions({ suites, target: change(carrier.target), journal, signal }));
  const cases = Object.fromEntries([...result.cases].map((one) => [one.id, one]));
  close();
  return { result, cases, carrier, journal };
}

const scenario = (id: string, steps: string, rest = ''): string =>
  `  - { id: ${id}, title: A case, rule: REQ-001${rest}, steps: [${steps}] }\n`;
const control = '{ as: control, control: true, authorize: {}, expect: accepted }';
const refused = `{ as: bad, authorize: { claims: { acr_values: a9 } }, expect: denied }, ${control}`;
const dropped = `{ as: bad, authorize: { claims: { acr_values: a9 } }, expect: denied-or-dropped }, ${control}`;

const granted = (id: string): Conduct => ({ body: { auth_req_id: id, expires_in: 300 } });
const tokens = (id: string, after: number) => ({
  after,
  body: { auth_req_id: id, access_token: 'opaque-token-of-a-test' },
});
const denial: Conduct = { status: 400, body: { error: 'invalid_request' } };

/** Answers a bad request with this conduct; accepts the control and leaves it without a result. */
const onBad =
  (bad: Conduct) =>
  (claims: JsonObject): Conduct =>
    claims['acr_values'] === 'a9' ? bad : granted('ccid-control');

describe('a refused request stays refused', () => {
  test('tokens that come of it later are a finding', async () => {
    const late = { ...denial, callbacks: [tokens('ccid-unknown', 500)] };
    const { cases } = await runCases(scenario('late', refused), onBad(late));
    expect(cases['late']?.verdict).toBe('fail');
    expect(cases['late']?.findings).toMatchObject([
      {
        rule: 'REQ-001',
        level: 'required',
        code: 'late-delivery',
        expected: 'no callback',
        actual: 'a callback with tokens',
        step: 'bad',
        message: 'late#d1',
      },
    ]);
  });

  test('a callback after the observation window is unsolicited', async () => {
    const late = { ...denial, callbacks: [tokens('ccid-unknown', 700)] };
    const long = scenario(
      'long',
      '{ as: one, authorize: {}, expect: accepted }, { as: two, at: one + 20m, authorize: {}, expect: accepted }',
    );
    const { cases, result } = await runCases(scenario('late', refused) + long, onBad(late));
    expect(cases['late']?.verdict).toBe('pass');
    expect(result.unsolicited).toMatchObject([
      { id: 'unsolicited#1', kind: 'delivery', receivedAt: startOfClock + 700_000, answered: 200 },
    ]);
  });

  test('a call at a URI that only the case drew is a finding, whatever it carries, also after the step', async () => {
    const drawn =
      '{ as: bad, authorize: { claims: { acr_values: a9, notification_uri: "{{ client.notification_uri }}{{ fresh() }}" } }, expect: denied }';
    const late = { ...denial, callbacks: [{ after: 590, body: {}, bearer: 'unknown' }] };
    const { cases, result } = await runCases(scenario('drawn', `${drawn}, ${control}`), onBad(late));
    expect(cases['drawn']).toMatchObject({ verdict: 'fail', messages: [{}, {}, { kind: 'delivery', step: 'bad' }] });
    expect(cases['drawn']?.findings).toMatchObject([{ code: 'late-delivery', expected: 'no callback' }]);
    expect(cases['drawn']?.findings[0]?.actual).toMatch(/^POST \/\S+[\da-f]{16}$/);
    expect(result.unsolicited).toEqual([]);
  });
});

describe('a request that may be dropped', () => {
  test.each<[string, Conduct]>([
    ['accepted', { ...granted('ccid-bad'), callbacks: [tokens('ccid-bad', 200)] }],
    ['the connection is reset', { reset: true, callbacks: [tokens('ccid-bad', 20)] }],
  ])('%s, and tokens come when the case no longer waits: it was not dropped', async (_, bad) => {
    const { cases } = await runCases(scenario('drop', dropped), onBad(bad));
    expect(cases['drop']?.verdict).toBe('fail');
  });
});

describe('callbacks', () => {
  const awaiting =
    '{ as: request, authorize: {}, expect: accepted }, { as: result, await: callback, expect: completed }';

  test('one that overtakes the answer is the request’s', async () => {
    const { cases } = await runCases(scenario('fast', awaiting), () => ({
      ...granted('ccid-1'),
      callbacks: [tokens('ccid-1', 0)],
      overtakes: true,
    }));
    expect(cases['fast']).toMatchObject({ verdict: 'pass', findings: [] });
  });

  test('what was given to one await is not given to the next', async () => {
    const first = '{ as: request, authorize: {}, expect: accepted }, { as: result, control: true, await: callback }';
    const steps = `${first}, { as: more, await: callback, until: request + 2m, expect: silence }`;
    const { cases } = await runCases(scenario('once', steps), () => ({
      ...granted('ccid-1'),
      callbacks: [tokens('ccid-1', 5)],
    }));
    expect(cases['once']).toMatchObject({ verdict: 'pass', findings: [] });
  });
});

test.each([1e15, Number.MAX_VALUE])('a life of %s seconds moves no clock', async (life) => {
  const wait =
    '{ as: request, control: true, authorize: {}, expect: accepted }, { as: result, await: callback, until: request + request.granted, expect: silence }';
  const { cases, result } = await runCases(scenario('life', wait), () => ({
    body: { auth_req_id: 'ccid-1', expires_in: life },
  }));
  expect(cases['life']?.verdict).toBe('inconclusive');
  expect(cases['life']?.reason).toMatch(/^to wait for a delivery would take \S+ days, and a case waits 3650 at most$/);
  expect(Date.parse(result.footer?.endedAt ?? '') - startOfClock).toBeLessThan(86_400_000);
});

describe('what is recorded', () => {
  const one = scenario(
    'one',
    '{ as: request, authorize: {}, expect: accepted }, { as: result, await: callback, expect: completed }',
  );
  const conduct = (): Conduct => ({ ...granted('ccid-1'), callbacks: [tokens('ccid-1', 5)] });

  test('no token, bearer, signed object or private key, neither in the result nor in the journal', async () => {
    const { result, carrier, journal, cases } = await runCases(one, conduct);
    const all = JSON.stringify([{ ...result, cases: [] }, cases]) + readFileSync(journal, 'utf8');
    const [claims = {}] = carrier.requests;
    expect(cases['one']?.messages).toHaveLength(2);
    for (const secret of ['opaque-token-of-a-test', renderPlain(claims['client_notification_token'])]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(all).not.toContain(secret);
    }
    expect(all).not.toMatch(/eyJ[\w-]{6,}\./);
    for (const member of ['d', 'p', 'q']) {
      expect(all).not.toContain(String(carrier.target.clients[0]?.keys[0]?.jwk[member]));
    }
  });

  test('times are whole milliseconds', async () => {
    const { cases } = await runCases(one, conduct);
    const times = cases['one']?.messages.flatMap((message) =>
      'sentAt' in message ? [message.sentAt, message.receivedAt] : [message.receivedAt],
    );
    for (const time of [...(times ?? []), cases['one']?.endedAt]) expect(time).toSatisfy(Number.isInteger);
  });

  test('of a long body the beginning, and how long it was', async () => {
    const body = `{"x":"${'y'.repeat(400_000)}"}`;
    const { cases } = await runCases(scenario('long', '{ authorize: {}, expect: answered }'), () => ({ text: body }));
    const [message] = cases['long']?.messages ?? [];
    const response = message?.kind === 'exchange' ? message.response : undefined;
    expect(response).toMatchObject({ bytes: body.length, truncated: true });
    expect(response?.body).toBe(body.slice(0, 16 * 1024));
  });

  test('the journal holds what the result holds, and ends with the footer', async () => {
    const { result, journal, cases } = await runCases(one, conduct);
    const lines = readFileSync(journal, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(unchainedText(line)?.text ?? ''));
    expect(lines).toEqual([
      { kind: 'header', ...result.header },
      { kind: 'case', ...cases['one'] },
      {
        kind: 'end',
        cases: ['one'],
        rules: result.rules,
        invariants: result.invariants,
        unsolicited: result.unsolicited,
      },
      { kind: 'footer', ...result.footer },
    ]);
    expect(result.footer).toMatchObject({
      outcome: 'conformant',
      reasons: [],
      interrupted: false,
      exchanges: 1,
      deliveries: 1,
    });
    expect(result.header.clock.kind).toBe('virtual');
  });
});

test('an answer whose body is nested too deeply to be read is no fault of ours', async () => {
  const text = `{"auth_req_id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const { cases } = await runCases(scenario('one', '{ authorize: {}, expect: accepted }'), () => ({ text }));
  expect(cases['one']).toMatchObject({ verdict: 'pass' });
});

describe('a run that cannot be', () => {
  const one = scenario('one', '{ authorize: {}, expect: accepted }');

  test('interrupted before it began: nothing ran, and it says so', async () => {
    const { result, cases, carrier } = await runCases(one, () => granted('ccid-1'), { signal: AbortSignal.abort() });
    expect(cases['one']).toMatchObject({ verdict: 'not-run', reason: 'interrupted', messages: [] });
    expect(result.footer).toMatchObject({ outcome: 'incomplete', interrupted: true });
    expect(result.footer?.reasons).toContain('interrupted');
    expect(carrier.requests).toEqual([]);
  });

  test('interrupted while it waits: what is finished stays, the rest was not run', async () => {
    const controller = new AbortController();
    const two =
      one +
      scenario(
        'two',
        '{ as: first, authorize: {}, expect: accepted }, { at: first + 20m, authorize: {}, expect: accepted }',
      );
    const conduct = (_: JsonObject, index: number): Conduct => {
      if (index === 2) controller.abort();
      return index === 2 ? { ...granted('ccid-3') } : denial;
    };
    const { result, cases } = await runCases(two, conduct, { signal: controller.signal });
    expect(cases['one']).toMatchObject({ verdict: 'fail' });
    expect(cases['two']).toMatchObject({ verdict: 'not-run', reason: 'interrupted' });
    expect(result.footer).toMatchObject({ outcome: 'not conformant', interrupted: true });
    expect(result.footer?.reasons[0]).toBe('interrupted');
  });

  test('a carrier that cannot be reached', async () => {
    const change = (target: Target): Target => ({ ...target, discovery: 'http://127.0.0.1:9' });
    const running = runCases(one, () => granted('ccid-1'), { change });
    await expect(running).rejects.toMatchObject({ code: 'carrier-unreachable' });
  });

  test('a clock that does not tell the time', async () => {
    const change = (target: Target): Target => {
      const url = buildTemplate(`${new URL(target.endpoints['server_initiated'] ?? '').origin}/admin/clock`);
      return target.clock?.read.kind !== 'http'
        ? target
        : { ...target, clock: { ...target.clock, read: { ...target.clock.read, url } } };
    };
    const running = runCases(one, () => granted('ccid-1'), { change });
    await expect(running).rejects.toMatchObject({ code: 'clock-unusable' });
  });

  test('a clock that cannot be advanced during the run: the cases that ended before keep their verdicts', async () => {
    const later = scenario(
      'two',
      '{ as: first, authorize: {}, expect: accepted }, { at: first + 1m, authorize: {}, expect: accepted }',
    );
    const change = (target: Target): Target => {
      const url = buildTemplate('http://127.0.0.1:9/clock');
      return target.clock?.advance.kind !== 'http'
        ? target
        : { ...target, clock: { ...target.clock, advance: { ...target.clock.advance, url } } };
    };
    const conduct = (_: JsonObject, index: number): Conduct => (index === 2 ? granted('ccid-2') : denial);
    const { result, cases } = await runCases(one + later, conduct, { change });
    expect(cases['one']).toMatchObject({ verdict: 'fail' });
    expect(cases['two']).toMatchObject({ verdict: 'not-run' });
    expect(result.footer).toMatchObject({ outcome: 'not conformant', stopped: true, exitCode: 1 });
    expect(result.footer?.reasons[0]).toMatch(
      /^stopped: the carrier's clock at http:\/\/127.0.0.1:9.* gave no response: refused/,
    );
  });

  test('an endpoint that is not named: inconclusive, with the reason', async () => {
    const change = (target: Target): Target => ({ ...target, endpoints: {} });
    const { cases } = await runCases(one, () => granted('ccid-1'), { change });
    const reason = 'neither discovery nor the target names the endpoint server_initiated';
    expect(cases['one']).toMatchObject({ verdict: 'inconclusive', reason });
  });
});
