import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { HttpDriver } from '../../model/target.ts';
import { buildResponse } from '../../testing/parts/observations.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { buildServices } from '../../testing/parts/services.ts';
import type { RemainingChange, RemainingRequest } from '../context/recovery-record.ts';
import type { RemainingState } from './recover.ts';
import { coolDownRemaining, denyRemaining, undoRemaining } from './resume.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Opens an admin API that answers with this status and collects the requested URLs. */
async function openClockClient(status: number): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end();
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, asked };
}

const driver = (url: string): HttpDriver => postTo(url, { impossible: [409] });

const suites = { cases: [buildScenario('removes'), buildScenario('switches')] };

const change = (parts: Partial<RemainingChange>): RemainingChange => ({
  id: 'a change',
  ended: false,
  case: 'removes',
  step: 'removal',
  action: 'remove-consent',
  subscriber: 'first',
  of: undefined,
  given: {},
  at: Date.now(),
  ...parts,
});

async function servicesWith(status: number) {
  const { origin, asked } = await openClockClient(status);
  const drivers = {
    'give-consent': driver(`${origin}/consent/{{ subscriber.name }}`),
    'reset-flags': driver(`${origin}/flags`),
  };
  return { asked, services: buildServices(buildTarget({ drivers })) };
}

describe('what a run that was killed had changed', () => {
  test('is undone, the last first; what no action undoes wears off by itself', async () => {
    const { asked, services } = await servicesWith(200);
    const changes = [change({}), change({ case: 'switches', action: 'set-flag' }), change({ action: 'move-sim' })];
    await undoRemaining(changes, suites, services);
    expect(asked).toEqual(['/flags', '/consent/first']);
  });

  test('and had undone itself, is not undone', async () => {
    const { asked, services } = await servicesWith(200);
    await undoRemaining([change({ undoneAt: Date.now() })], suites, services);
    expect(asked).toEqual([]);
  });

  test('or may still be there: its subscriber is quarantined', async () => {
    const { asked, services } = await servicesWith(409);
    await undoRemaining([change({})], suites, services);
    expect(asked).toEqual(['/consent/first']);
    const taken = services.locks.take([{ lock: 'subscriber:first', exclusive: false }], { case: 'a', for: 'its lock' });
    await expect(taken).rejects.toThrow(
      /^what removes had changed when the run was cut off could not be undone: give-consent was not possible: /,
    );
  });

  test.each([
    ['the driver does not work', 500, change({})],
    ['there is no driver any more', 200, change({ action: 'edit-profile' })],
    ['there is no such case any more', 200, change({ case: 'gone' })],
  ])('or the run is not resumed, where %s', async (_, status, made) => {
    const { services } = await servicesWith(status);
    await expect(undoRemaining([made], suites, services)).rejects.toMatchObject({
      kind: 'unreachable',
      code: 'not-taken-back',
    });
  });
});

/** Request accepted so many seconds ago, by default for five minutes. */
const request = (id: string, ago: number, granted = 300): RemainingRequest => ({
  id,
  case: 'removes',
  step: 'request',
  subscriber: 'first',
  response: buildResponse({ sentAt: Date.now() / 1000 - ago, granted, outcome: 'accepted', body: { auth_req_id: id } }),
});

describe('a request that was left pending', () => {
  test('is denied, where it is not over already; that the carrier knows it no more is no matter', async () => {
    const { origin, asked } = await openClockClient(409);
    const deny = { ...driver(''), url: buildTemplate(`${origin}/deny/{{ request.body.auth_req_id }}`, ['request']) };
    const services = buildServices(buildTarget({ drivers: { deny } }));
    const requests = [
      request('ccid-1', 10),
      request('ccid-2', 400),
      request('ccid-3', 299),
      request('ccid-4', 900, 3600),
    ];
    expect(await denyRemaining(requests, suites, services)).toEqual([]);
    expect(asked).toEqual(['/deny/ccid-1', '/deny/ccid-3', '/deny/ccid-4']);
  });

  test('or is left to be waited out, where that does not work', async () => {
    const { origin } = await openClockClient(500);
    const deny = { ...driver(''), url: buildTemplate(`${origin}/deny/{{ request.body.auth_req_id }}`, ['request']) };
    const services = buildServices(buildTarget({ drivers: { deny } }));
    const pending = request('ccid-1', 10);
    expect(await denyRemaining([pending, request('ccid-2', 400)], suites, services)).toEqual([pending]);
  });

  test('keeps its subscriber until it is over, where it cannot be denied', async () => {
    const { services } = await servicesWith(200);
    const begun = performance.now();
    await denyRemaining([request('ccid-1', 299.6)], suites, services);
    const requests = [request('ccid-1', 299.6), request('ccid-2', 400)];
    await coolDownRemaining({ changes: [], requests, unanswered: [] }, services);
    expect(performance.now() - begun).toBeGreaterThan(250);
  });
});

describe('a subscriber whose events were raised', () => {
  const hour = 61 * 60 * 1000;
  const takesFirst = async (left: Partial<RemainingState>): Promise<number> => {
    const { services } = await servicesWith(200);
    const begun = performance.now();
    const cooledDown = coolDownRemaining({ changes: [], requests: [], unanswered: [], ...left }, services);
    services.timeline.enter();
    const giveBack = await services.locks.take([{ lock: 'subscriber:first', exclusive: false }], {
      case: 'a',
      for: 'its lock',
    });
    const waited = performance.now() - begun;
    giveBack();
    await cooledDown;
    return waited;
  };

  test('cools down until the carrier has forgotten them, before any case', async () => {
    const at = Date.now() - hour + 400;
    expect(await takesFirst({ changes: [change({ at: at - 1000 }), change({ at })] })).toBeGreaterThan(300);
  });

  test('or whose request has an unknown outcome, until that is over', async () => {
    const sent = { id: '1', case: 'removes', subscriber: 'first', correlationKeys: {} };
    const until = Date.now() + 400;
    expect(
      await takesFirst({
        unanswered: [
          { ...sent, until: until - 1000 },
          { ...sent, until },
        ],
      }),
    ).toBeGreaterThan(300);
  });

  test('or not, where that is long ago, or nothing raised any', async () => {
    const changes = [change({ at: Date.now() - hour - 1000 }), change({ action: 'set-flag' })];
    expect(await takesFirst({ changes })).toBeLessThan(200);
  });
});
