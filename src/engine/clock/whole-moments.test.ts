import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import type { Millis } from '../../lib/time.ts';
import type { HttpDriver } from '../../model/target.ts';
import { buildMoment, buildScope, buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { createSender } from '../../wire/send/sender.ts';
import { createClockClient } from '../drive/clock-client.ts';
import { createTimeline } from './timeline.ts';
import { createVirtualClock } from './virtual-clock.ts';

type Unit = 'seconds' | 'milliseconds';

/** A clock that is strict: it refuses what is no whole number, and to go back. */
const strict = { now: 0, asked: [] as unknown[], refused: 0 };
const server = createServer((request, response) => {
  void json(request)
    .catch(() => undefined)
    .then((body) => {
      const to: unknown = isJsonObject(body) ? body['to'] : strict.now;
      if (isJsonObject(body)) strict.asked.push(to);
      const isRight = typeof to === 'number' && Number.isSafeInteger(to) && to >= strict.now;
      if (isRight) strict.now = to;
      else strict.refused += 1;
      response.writeHead(isRight ? 200 : 400).end(JSON.stringify({ now: strict.now, nextDue: null, inFlight: 0 }));
    });
});
const sender = createSender({ requestTimeout: 5, connections: 1 });
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the clock has no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(async () => {
  await sender.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function clientIn(unit: Unit) {
  const door = (method: string): HttpDriver => ({
    kind: 'http',
    method,
    url: buildTemplate(url),
    done: [200],
    impossible: [],
    env: {},
  });
  const names = {
    now: buildTemplate('{{ body.now }}', ['body']),
    inFlight: buildTemplate('{{ body.inFlight }}', ['body']),
    unit,
  };
  const advance = { ...door('POST'), json: buildTemplates({ to: '{{ to }}' }, ['to']) };
  return createClockClient({ read: { ...door('GET'), names }, advance: { ...advance, names } }, sender);
}

/** Waits for a moment on a clock that stands at `start`. Returns what the clock was asked for. */
async function waitFor(due: Millis, unit: Unit, start: number): Promise<readonly unknown[]> {
  Object.assign(strict, { now: start, asked: [], refused: 0 });
  const client = clientIn(unit);
  const failures: unknown[] = [];
  const timeline = createTimeline(
    createVirtualClock({
      client,
      start: (await client.read()).now,
      held: () => 0,
      onAdvance: () => undefined,
      onFailure: (cause) => {
        failures.push(cause);
        timeline.interrupt();
      },
    }),
  );
  timeline.enter();
  expect(await timeline.wait({ due, label: { case: 'a-case', for: 'a moment' } }).catch(() => failures)).toBe(false);
  return strict.asked;
}

/** A duration as a suite may write it, and its microseconds. */
const duration = fc.oneof(
  fc.integer({ min: 1, max: 9_999 }).map((tenths) => [`${tenths / 10}s`, tenths * 100_000] as const),
  fc.integer({ min: 1, max: 999_999 }).map((count) => [`${count}ms`, count * 1000] as const),
  fc.integer({ min: 1, max: 999_999 }).map((count) => [`${(count / 1000).toFixed(3)}ms`, count] as const),
  fc
    .tuple(fc.nat(59), fc.integer({ min: 1, max: 59_999 }))
    .map(
      ([minutes, milliseconds]) =>
        [`${minutes}m${(milliseconds / 1000).toFixed(3)}s`, minutes * 60_000_000 + milliseconds * 1000] as const,
    ),
);

/** A moment of a suite, up to eight durations and a latency of the target after a step. */
const moment = fc.record({
  sentAt: fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
  terms: fc.array(duration, { minLength: 1, maxLength: 8 }),
  latency: fc.integer({ min: 0, max: 5_000_000 }),
  unit: fc.constantFrom<Unit>('seconds', 'milliseconds'),
});

describe('a carrier’s clock', () => {
  test('is asked for whole units only, for none before the moment, and for less than a unit after it', async () => {
    const property = fc.asyncProperty(moment, async ({ sentAt, terms, latency, unit }) => {
      const source = ['first', ...terms.map(([text]) => text), 'target.latency.event'].join(' + ');
      const scope = buildScope({ first: { sentAt: sentAt / 1000 }, target: { latency: { event: latency / 1e6 } } });
      const due = buildMoment(source, ['first', 'target']).evaluate(scope);
      const length = unit === 'seconds' ? 1000 : 1;
      const asked = await waitFor(due, unit, Math.floor(sentAt / length));
      const exact = terms.reduce((sum, [, micros]) => sum + micros, sentAt * 1000 + latency);
      expect([asked.length, strict.refused]).toEqual([1, 0]);
      const reached = Number(asked[0]) * length * 1000;
      expect(reached).toBeGreaterThanOrEqual(exact);
      expect(reached).toBeLessThan(exact + Math.max(length * 1000, 1000));
    });
    await fc.assert(property, { numRuns: 100 });
  }, 60_000);

  test('is never asked for a fraction by a run', async () => {
    const moments = ['123ms', '0.3s + 7ms', '1.0005s', '1.1s', '1m0.001s'];
    const steps = [
      '{ as: request, authorize: {}, expect: accepted }',
      ...moments.map((after, at) => `{ as: s${at}, at: request + ${after}, authorize: {}, expect: accepted }`),
      '{ await: callback, until: s4 + 0.7s, expect: completed }',
    ];
    const callback = { auth_req_id: 'ccid-5', access_token: 'a', expires_in: 3600, token_type: 'bearer' };
    const { cases } = await runYamlCases(
      `  - { id: one, title: A case, rule: REQ-001, steps: [${steps.join(', ')}] }\n`,
      {
        conduct: (_, index) => ({
          body: { auth_req_id: `ccid-${index}`, expires_in: 300 },
          callbacks: index === moments.length ? [{ after: 0.65, body: callback }] : [],
        }),
      },
    );
    expect(cases['one']).toMatchObject({ verdict: 'pass' });
  });
});
