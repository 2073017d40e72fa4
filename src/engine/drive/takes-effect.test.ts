import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import type { Driver, Target } from '../../model/target.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';

const calls: string[] = [];
/** Admin API that performs every action, as slowly as its path says. */
const admin = createServer((request, response) => {
  calls.push(request.url ?? '');
  const slow = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
  setTimeout(() => response.end('{}'), slow);
});
await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`;
afterAll(() => admin.close());

const program = (text: string): Driver => ({
  kind: 'exec',
  argv: [buildTemplate('sh'), buildTemplate('-c'), buildTemplate(text)],
  variables: [],
  folder: '.',
  timeout: 10,
  done: [0],
  impossible: [],
  env: { PATH: process.env['PATH'] },
});

const scenario = (steps: string): string =>
  `  - { id: one, title: A case, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: answered }, ${steps}] }\n`;

interface Setting {
  readonly drivers: Readonly<Record<string, Driver>>;
  readonly conduct?: Conduct;
}

async function run(steps: string, { drivers, conduct }: Setting) {
  const change = (target: Target): Target => ({ ...target, drivers: { ...target.drivers, ...drivers } });
  const ran = await runYamlCases(scenario(steps), {
    change,
    ...(conduct === undefined ? {} : { conduct: () => conduct }),
  });
  return ran.cases['one'];
}

const undoable = (driver: Driver) => ({ 'remove-consent': driver, 'give-consent': postTo(`${origin}/back`) });
const removal = '{ as: removal, trigger: remove-consent, record: { after: "{{ removal.sentAt - request.sentAt }}" } }';

describe('what a driver did takes effect later', () => {
  test.each<[string, Driver]>([
    ['http', postTo(`${origin}/remove`)],
    ['exec', program('exit 0')],
  ])('%s: the run waits, and the moment of the action is when it has taken effect', async (_, driver) => {
    const found = await run(`${removal}, { as: later, at: removal + 5s, authorize: {}, expect: answered }`, {
      drivers: undoable({ ...driver, takesEffect: 90 }),
    });
    expect(found).toMatchObject({ verdict: 'pass', recorded: { after: 90 } });
  });

  test('nor is it too late where it was due at a moment', async () => {
    const found = await run(removal.replace('{ as: removal', '{ as: removal, at: request + 10s'), {
      drivers: undoable({ ...postTo(`${origin}/remove`), takesEffect: 90 }),
    });
    expect(found).toMatchObject({ verdict: 'pass', recorded: { after: 100 } });
  });

  test('what was not possible takes none', async () => {
    const impossible = { ...postTo(`${origin}/remove`, { done: [], impossible: [200] }), takesEffect: 90 };
    const steps = removal.replace('remove-consent', '{ action: remove-consent, ifPossible: true }');
    expect(await run(steps, { drivers: undoable(impossible) })).toMatchObject({ recorded: { after: 0 } });
  });

  test('an action on a request that expires before shows nothing', async () => {
    const found = await run('{ trigger: approve }', {
      drivers: { approve: { ...postTo(`${origin}/approve`), takesEffect: 90 } },
      conduct: { body: { auth_req_id: 'ccid-0000000001', expires_in: 60 } },
    });
    expect(found?.reason).toBe('the driver for approve took 90.0 s, and the request expired meanwhile');
  });
});

test('a driver whose call takes long makes no step late that is due after it', async () => {
  const slow = { 'edit-profile': postTo(`${origin}/edit/2500`), 'restore-profile': postTo(`${origin}/back`) };
  const steps = '{ as: edit, trigger: edit-profile }, { at: edit + 500ms, http: { to: userinfo }, expect: answered }';
  // In real time: without the clock of the carrier.
  const change = (_target: Target, carrier: string): Target =>
    buildTarget({ endpoints: { userinfo: `${carrier}/userinfo`, server_initiated: `${carrier}/si` }, drivers: slow });
  const { cases } = await runYamlCases(`  - { id: one, title: A case, rule: REQ-001, steps: [${steps}] }\n`, {
    change,
  });
  expect(cases['one']).toMatchObject({ verdict: 'pass' });
}, 20_000);

describe('no driver is called about a request that is on no phone', () => {
  const ways: readonly (readonly [string, Conduct])[] = [
    ['was refused', { status: 400, body: { error: 'invalid_request' } }],
    ['was refused, although an id was given', { status: 400, body: { error: 'x', auth_req_id: 'ccid-0000000001' } }],
    ['broke the carrier', { status: 500, body: { auth_req_id: 'ccid-0000000001' } }],
    ['had no answer', { reset: true }],
    ['was accepted without an id', { body: { expires_in: 300 } }],
  ];
  const kinds: readonly (readonly [string, (path: string) => Driver])[] = [
    ['http', (path) => postTo(`${origin}${path}`)],
    ['exec', (path) => program(`curl -s -X POST ${origin}${path}`)],
  ];
  const steps = ['approve', 'deny', 'ignore'].map((action) => `{ trigger: { action: ${action}, ifPossible: true } }`);

  test.each(kinds.flatMap(([kind, make]) => ways.map(([way, conduct]) => ({ kind, way, make, conduct }))))(
    '$kind: it $way',
    async ({ make, conduct }) => {
      const drivers = Object.fromEntries(
        ['approve', 'deny', 'ignore', 'look'].map((name) => [name, make(`/about/${name}`)]),
      );
      const before = calls.length;
      const found = await run(`${steps.join(', ')}, { as: seen, look: card, record: { seen: "{{ seen.card }}" } }`, {
        drivers,
        conduct,
      });
      expect(calls.slice(before)).toEqual([]);
      expect(found?.recorded).toEqual({ seen: { shown: false } });
    },
  );
});
