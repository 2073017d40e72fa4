import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import type { Result } from '../../model/result.ts';
import type { Driver, ExecDriver, HttpDriver, Target } from '../../model/target.ts';
import { type Conduct, type HandCarrier, openHandCarrier, startOfClock } from '../../testing/carriers/hand-carrier.ts';
import { loadText } from '../../testing/parts/load-text.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { buildRunOptions } from '../../testing/parts/run-options.ts';
import { run } from '../run.ts';
import type { RunOptions } from '../run-options.ts';
import { archiveRun } from './archive.ts';
import { readInterruptedRun } from './interrupted-run.ts';
import type { InterruptedRun } from '../run-options.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
`;

const open: HandCarrier[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ close }) => close()));
});

const granted = (_: JsonObject, index: number): Conduct => ({
  body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 },
});

/** Carrier whose admin API answers 404, which each driver interprets, and a resumable run. */
async function prepare(
  cases: string,
  drivers: (origin: string) => Readonly<Record<string, Driver>>,
  conduct = granted,
) {
  const carrier = await openHandCarrier(conduct);
  open.push(carrier);
  const { suites } = await loadText({ 'area/rules.yaml': rules, 'area/a.suite.yaml': `suite: A\ncases:\n${cases}` });
  const journal = join(makeFolder(), 'journal.jsonl');
  const { origin } = new URL(carrier.target.endpoints['server_initiated'] ?? '');
  const first = { ...carrier.target.subscribers[0], phone: '+12175550101' };
  const target: Target = {
    ...carrier.target,
    subscribers: [
      ...carrier.target.subscribers.map((one) => ({ ...one, ...first })),
      { ...first, name: 'other', tags: ['second'], subs: {} },
    ],
    drivers: drivers(origin),
  };
  const go = async (more: Partial<RunOptions> = {}): Promise<Result> => {
    const { result, close } = await run(
      buildRunOptions({ suites, target, journal, resumable: true, outlives: true, ...more }),
    );
    const whole = { ...result, cases: [...result.cases] };
    close();
    return whole;
  };
  const driven = (): readonly string[] => carrier.targets.filter((one) => one.startsWith('/admin/'));
  return { target, journal, driven, go, interrupted: (): InterruptedRun => readInterruptedRun(journal, Date.now()) };
}

/** Driver of the hand-made carrier's admin API, which answers 404; the driver interprets that. */
const http = (url: string, meaning: Partial<HttpDriver> = {}): HttpDriver => postTo(url, { done: [404], ...meaning });

/** Stops the run at the first matching progress event. */
function stopAt(is: (event: ProgressEvent) => boolean): Pick<RunOptions, 'signal' | 'progress'> {
  const stop = new AbortController();
  return { signal: stop.signal, progress: (event) => is(event) && stop.abort() };
}

const atFirstAdvance = (): Pick<RunOptions, 'signal' | 'progress'> => stopAt(({ kind }) => kind === 'advanced');

const waits = '{ as: wait, authorize: {}, expect: accepted }, { at: wait + 30m, authorize: {}, expect: accepted }';
const scenario = (id: string, steps: string): string =>
  `  - { id: ${id}, title: A, rule: REQ-001, steps: [${steps}] }\n`;
const edits = '{ trigger: { action: edit-profile, with: { attribute: name } } }';
const editing = (back: Partial<HttpDriver>) => (origin: string) => ({
  'edit-profile': http(`${origin}/admin/edit`),
  'restore-profile': http(`${origin}/admin/restore`, back),
});

const verdictsOf = ({ cases }: Result): readonly string[] => [...cases].map(({ id, verdict }) => `${id} ${verdict}`);

test('answers of people before a stop are kept', async () => {
  const deny: Driver = { kind: 'ask', timeout: 60, env: {} };
  const denied = '{ as: asked, authorize: {}, expect: accepted }, { as: denial, trigger: deny }';
  const { go, interrupted } = await prepare(scenario('denied', denied) + scenario('after', waits), () => ({ deny }));
  const answeredBy = (by: string): Pick<RunOptions, 'operator'> => ({
    operator: { ask: () => Promise.resolve({ word: 'done', by }) },
  });
  await go({ ...answeredBy('Ann'), ...stopAt((event) => event.kind === 'case-finished' && event.id === 'denied') });
  const { cases, footer } = await go({ ...answeredBy('Ben'), resume: interrupted() });
  expect([...cases][0]).toMatchObject({
    verdict: 'pass',
    acts: [{ step: 'denial', action: 'deny', asked: 'Deny the request on the phone', answered: 'done', by: 'Ann' }],
  });
  expect(footer?.people).toEqual({
    answers: 1,
    again: 0,
    cases: 1,
    names: [{ name: 'Ann', answers: 1 }],
    rules: ['REQ-001'],
  });
});

describe('what a case that ended could not undo', () => {
  const cases = scenario('edits', edits) + scenario('after', waits);
  const stopped = () => stopAt((event) => event.kind === 'case-finished' && event.id === 'edits');

  test('or the run is not resumed', async () => {
    const { go, interrupted } = await prepare(cases, editing({ done: [200] }));
    await go(stopped());
    await expect(go({ resume: interrupted() })).rejects.toMatchObject({ code: 'not-taken-back' });
  });
});

describe('a run that is resumed', () => {
  test('undoes nothing that was never changed', async () => {
    const given = '{ trigger: { action: edit-profile, with: { attribute: name }, ifPossible: true } }';
    const { go, interrupted, driven } = await prepare(scenario('edits', `${given}, ${waits}`), (origin) => ({
      'edit-profile': http(`${origin}/admin/edit`, { done: [200], impossible: [404] }),
      'restore-profile': http(`${origin}/admin/restore`, { done: [200], impossible: [404] }),
    }));
    await go(atFirstAdvance());
    expect(verdictsOf(await go({ resume: interrupted() }))).toEqual(['edits pass']);
    expect(driven()).toEqual(['/admin/edit', '/admin/edit']);
  });

  test('and is stopped again has undone once', async () => {
    const { go, interrupted, driven, target } = await prepare(
      scenario('edits', `${edits}, ${waits}`),
      editing({ done: [200] }),
    );
    await go(atFirstAdvance());
    const drivers = {
      ...target.drivers,
      'edit-profile': http('http://127.0.0.1:9/'),
      'restore-profile': http(`${new URL(target.endpoints['server_initiated'] ?? '').origin}/admin/restore`),
    };
    const works = { ...target, drivers };
    const before = driven().length;
    await go({ target: works, resume: interrupted(), signal: AbortSignal.abort() });
    await go({ target: works, resume: interrupted(), signal: AbortSignal.abort() });
    expect(driven().slice(before)).toEqual(['/admin/restore']);
  });

  test('cools down from when it undid what raises events, and says so where it is stopped', async () => {
    const numbers = (done: number) => (origin: string) => ({
      'change-number': http(`${origin}/admin/number`, { done: [done] }),
    });
    const steps = `{ trigger: { action: change-number, with: { phone: "+12175550199" } } }, ${waits}`;
    const prepared = await prepare(
      scenario('numbers', steps) + scenario('later', '{ authorize: {}, expect: accepted }'),
      numbers(404),
    );
    const { go, interrupted } = prepared;
    await go(atFirstAdvance());
    const again = await go({ resume: interrupted(), ...atFirstAdvance() });
    expect(again.footer?.left).toContainEqual(
      expect.stringMatching(/^subscriber first cools down until 2026-01-01T01:\d\d:00/),
    );
    const { cases } = await go({ resume: interrupted() });
    for (const { startedAt } of cases) expect(startedAt - startOfClock).toBeGreaterThanOrEqual(61 * 60_000);
  });

  test('after --bail too, and its journal is not written over', async () => {
    const { journal, go, interrupted } = await prepare(
      scenario('fails', '{ authorize: {}, expect: denied }') + scenario('waits', waits),
      () => ({}),
    );
    const { footer } = await go({ bail: true });
    expect(footer).toMatchObject({ interrupted: false, stopped: true });
    expect(verdictsOf(await go({ resume: interrupted() }))).toEqual(['fails fail', 'waits pass']);
    expect(() => interrupted()).toThrow('came to its end');
    await go({ bail: true });
    expect(archiveRun({ journal, beside: [] })).toMatchObject({ resumable: true });
  });

  test('keeps the unsolicited deliveries of the last moment', async () => {
    const unsolicitedDelivery = { after: 0, body: { auth_req_id: 'ccid-of-nobody' }, bearer: 'nobody' };
    const { go, interrupted } = await prepare(
      scenario('waits', waits),
      () => ({}),
      (claims, index) => ({
        ...granted(claims, index),
        callbacks: index === 0 ? [unsolicitedDelivery] : [],
        overtakes: true,
      }),
    );
    expect((await go(atFirstAdvance())).unsolicited).toHaveLength(1);
    const resumed = await go({ resume: interrupted() });
    expect(resumed.unsolicited).toHaveLength(1);
    expect(resumed.footer?.deliveries).toBe(1);
  });

  test('interrupted while it undoes: says so, and the journal is as it was', async () => {
    const { target, go, interrupted } = await prepare(
      scenario('edits', `${edits}, ${waits}`),
      editing({ done: [200] }),
    );
    await go(atFirstAdvance());
    const slow: ExecDriver = {
      kind: 'exec',
      argv: [buildTemplate('sleep'), buildTemplate('20')],
      variables: [],
      folder: makeFolder(),
      timeout: 30,
      done: [0],
      impossible: [],
      env: { PATH: process.env['PATH'] },
    };
    const drivers = { ...target.drivers, 'restore-profile': slow };
    const going = go({ target: { ...target, drivers }, resume: interrupted(), signal: AbortSignal.timeout(500) });
    await expect(going).rejects.toMatchObject({ kind: 'interrupted' });
    expect(interrupted().cases.size).toBe(0);
  });
});

test('events of another subscriber are reported as of that one', async () => {
  const given = `{ trigger: { action: move-sim, subscriber: second } }, ${waits}`;
  const { go } = await prepare(scenario('moves', given), (origin) => ({ 'move-sim': http(`${origin}/admin/move`) }));
  const { footer } = await go(atFirstAdvance());
  expect(footer?.left?.[0]).toMatch(/^moves: events of subscriber other were raised/);
});
