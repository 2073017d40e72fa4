import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Driver, HttpDriver, Target } from '../../model/target.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { buildResponse } from '../../testing/parts/observations.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildServices } from '../../testing/parts/services.ts';
import type { Operator } from '../context/operator.ts';
import { type Remnant, newRunState } from '../context/run-state.ts';
import { openInbox } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { describeRemains, tearDownStopped } from './tear-down.ts';

/** Driver of the hand-made carrier's admin API, which answers 404; the driver interprets that. */
const driver = (url: string, meaning: Partial<HttpDriver> = {}): HttpDriver => postTo(url, { done: [404], ...meaning });

interface Stopped {
  readonly steps: string;
  /** Drivers for undo and deny. */
  readonly drivers?: (origin: string) => Readonly<Record<string, Driver>>;
  readonly outlives?: boolean;
}

/** Stops a run as soon as its second request is at the carrier. */
async function stopped({ steps, drivers = () => ({}), outlives = true }: Stopped) {
  const controller = new AbortController();
  const conduct = (_: JsonObject, index: number): Conduct => {
    if (index === 1) controller.abort();
    return { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };
  };
  const change = (target: Target, origin: string): Target => ({
    ...target,
    drivers: {
      'remove-consent': driver(`${origin}/admin/remove`),
      'give-consent': driver(`${origin}/admin/give`),
      'move-sim': driver(`${origin}/admin/move`),
      deny: driver(`${origin}/admin/deny/{{ request.body.auth_req_id }}`),
      ...drivers(origin),
    },
  });
  const { result, cases, targets } = await runYamlCases(
    `  - { id: one, title: A case, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }, ${steps}] }\n`,
    {
      conduct,
      change,
      outlives,
      signal: controller.signal,
      operator: { ask: () => Promise.resolve({ word: 'done' }) },
    },
  );
  const driven = targets.filter((target) => target.startsWith('/admin/'));
  return { one: cases['one'], left: result.footer?.left, driven };
}

const second = '{ authorize: {} }, { await: callback, expect: completed }';

describe('a case that ends', () => {
  const one = (after = '') =>
    `  - { id: one, title: A case, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }${after}] }\n`;
  const denies =
    (drivers: (origin: string) => Target['drivers']) =>
    (target: Target, origin: string): Target => ({ ...target, drivers: drivers(origin) });

  test('denies what it leaves pending, so that the next request of the subscriber finds room (C1.1)', async () => {
    const change = denies((origin) => ({ deny: driver(`${origin}/admin/deny/{{ request.body.auth_req_id }}`) }));
    const { targets } = await runYamlCases(one(', { authorize: {}, expect: accepted }'), { change });
    expect(targets.filter((target) => target.startsWith('/admin/'))).toEqual([
      '/admin/deny/ccid-00000000000',
      '/admin/deny/ccid-00000000001',
    ]);
  });

  test('makes room for the next request, where the carrier lets one of a subscriber wait', async () => {
    const change = (target: Target, origin: string): Target => ({
      ...denies(() => ({ deny: driver(`${origin}/admin/deny/{{ request.body.auth_req_id }}`) }))(target, origin),
      supports: { 'several-pending': false },
    });
    const steps =
      ', { as: older, control: true, authorize: {} }, { as: newer, authorize: {} }, { await: callback, of: older, expect: silence }';
    const { cases } = await runYamlCases(one(`${steps}, { as: last, authorize: {} }`), { change, confirm: false });
    // No later step refers to the first request; the await refers to the older one, until it ends.
    expect(cases['one']?.messages.flatMap((message) => message.step ?? [])).toEqual([
      'step1',
      'end of step1',
      'older',
      'newer',
      'end of older',
      'end of newer',
      'last',
      'end of last',
    ]);
  });

  test.each([
    [1, 'end of step1'],
    [4, 'end of step1'],
    [5, 'step5'],
  ])(
    'leaves three of what no later step is about, if a subscriber takes few cases: %i',
    async (casesPerSubscriber, fifth) => {
      const change = (target: Target, origin: string): Target => ({
        ...denies(() => ({ deny: driver(`${origin}/admin/deny/{{ request.body.auth_req_id }}`) }))(target, origin),
        casesPerSubscriber,
      });
      const steps = ', { authorize: {} }, { authorize: {} }, { authorize: {} }, { authorize: {} }';
      const { cases } = await runYamlCases(one(steps), { change, confirm: false });
      const names = cases['one']?.messages.flatMap((message) => message.step ?? []);
      expect(names?.slice(0, 5)).toEqual(['step1', 'step2', 'step3', 'step4', fifth]);
    },
  );

  test('has nothing to deny of a request whose time is over', async () => {
    const change = denies((origin) => ({ deny: driver(`${origin}/admin/deny`) }));
    const after = ', { as: late, at: step1 + 10m, authorize: {}, expect: accepted }';
    const { targets } = await runYamlCases(one(after), { change });
    expect(targets.filter((target) => target.startsWith('/admin/'))).toHaveLength(1);
  });

  test('leaves what was decided alone, also where its callback is still to come', async () => {
    const change = denies((origin) => ({ deny: driver(`${origin}/admin/deny/{{ request.body.auth_req_id }}`) }));
    const steps = ', { authorize: {} }, { trigger: deny }, { trigger: deny, of: step1 }, { authorize: {}, times: 2 }';
    const { targets } = await runYamlCases(one(steps), { change });
    const each = [1, 0, 2, 3].map((index) => `/admin/deny/ccid-0000000000${index}`);
    expect(targets.filter((target) => target.startsWith('/admin/'))).toEqual(each);
  });

  test('does not ask a person to deny what the run can wait out', async () => {
    const asked: string[] = [];
    const change = denies(() => ({ deny: { kind: 'ask', timeout: 60, env: {} } }));
    const operator: Operator = {
      ask: ({ description }) => {
        asked.push(description);
        return Promise.resolve({ word: 'done' });
      },
    };
    await runYamlCases(one(), { change, operator });
    expect(asked).toEqual([]);
  });
});

describe('a case that is stopped', () => {
  test('undoes what it changed, denies what is pending, and keeps what was sent and what came', async () => {
    const { one, left, driven } = await stopped({ steps: `{ trigger: remove-consent }, ${second}` });
    expect(driven).toEqual([
      '/admin/remove',
      '/admin/give',
      '/admin/deny/ccid-00000000000',
      '/admin/deny/ccid-00000000001',
    ]);
    expect(one).toMatchObject({ verdict: 'not-run', reason: 'interrupted', findings: [] });
    expect(one?.messages.filter(({ kind }) => kind === 'exchange')).toHaveLength(6);
    expect(left).toEqual([
      expect.stringMatching(
        /^one: events of subscriber first were raised: until 2026-01-01T01:01:00.000Z the carrier may drop the like$/,
      ),
    ]);
  });

  test('says what it leaves behind, where undoing and denying fail', async () => {
    const drivers = (origin: string) => ({
      'give-consent': driver(`${origin}/admin/give`, { done: [200] }),
      deny: driver(`${origin}/admin/deny`, { done: [200] }),
    });
    const { left } = await stopped({ steps: `{ trigger: remove-consent }, ${second}`, drivers });
    expect(left).toEqual([
      'one: subscriber first is changed, and give-consent still to be done: the driver for give-consent did not work: denied 404',
      expect.stringContaining('events of subscriber first were raised'),
      'one: the request of step step1 to subscriber first is pending until 2026-01-01T00:05:00.000Z',
      'one: the request of step step3 to subscriber first is pending until 2026-01-01T00:05:00.000Z',
    ]);
  });

  test('has programs run a last time, and does not ask the operator', async () => {
    const folder = makeFolder();
    const script = buildTemplate("require('node:fs').writeFileSync('given', '')");
    const steps = `{ trigger: remove-consent }, { trigger: { action: set-flag, with: { require_dpop: true } } }, ${second}`;
    const { left } = await stopped({
      steps,
      drivers: (origin) => ({
        'give-consent': {
          kind: 'exec',
          argv: [buildTemplate(process.execPath), buildTemplate('-e'), script],
          variables: [],
          folder,
          timeout: 5,
          done: [0],
          impossible: [],
          env: {},
        },
        'set-flag': driver(`${origin}/admin/flag`),
        'reset-flags': { kind: 'ask', timeout: 60, env: {} },
      }),
    });
    expect(existsSync(join(folder, 'given'))).toBe(true);
    expect(left?.[0]).toBe(
      'one: client main is changed, and reset-flags still to be done: no operator is there to be asked for reset-flags',
    );
  });

  test('denies no longer when the time for that is over', async () => {
    const drivers = { deny: driver('http://127.0.0.1:9/deny') };
    const services = buildServices(buildTarget({ drivers }), { state: { ...newRunState(), denyUntil: 0 } });
    const ctx = openContext(services, {
      case: buildScenario('one'),
      assignment: { client: buildClient(), second: undefined, subscriber: { name: 'first', tags: [], subs: {} } },
    });
    const inbox = openInbox(ctx, 'request', {});
    inbox.settle(buildResponse({ sentAt: Date.now() / 1000, granted: 300, outcome: 'accepted' }));
    const left = await tearDownStopped(ctx);
    expect(left.map(({ about }) => about)).toEqual(['request']);
    expect(left[0]?.words).toMatch(/^one: the request of step request to subscriber first is pending until/);
    expect(services.state.exchanges).toBe(0);
  });

  test('denies each of the requests of a step that is done several times, and sends no more of them', async () => {
    const { driven, one } = await stopped({ steps: '{ authorize: {}, times: 5 }' });
    expect(one?.messages.filter(({ id }) => /#x\d+$/.test(id))).toHaveLength(4);
    expect(driven).toEqual(['/admin/deny/ccid-00000000000', '/admin/deny/ccid-00000000001']);
  });

  test('reports all changes and events, and before the requests', () => {
    const of = (about: Remnant['about'], count: number): Remnant[] =>
      Array.from({ length: count }, (_, at) => ({ about, words: `${about} ${at}` }));
    const said = describeRemains([...of('request', 30), ...of('events', 30), ...of('change', 30)]);
    expect(said.slice(0, 60)).toEqual([...of('change', 30), ...of('events', 30)].map(({ words }) => words));
    expect(said.slice(60)).toEqual([...of('request', 25).map(({ words }) => words), 'and 5 more requests are pending']);
  });
});
