import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, type JsonObject, omitUndefined } from '../../lib/json.ts';
import type { HttpDriver, TargetClock } from '../../model/target.ts';
import { buildTemplate, buildTemplates } from '../parts/templates.ts';

/** Clock of a carrier as another lab might have it, in front of a carrier whose clock stands until it is moved. */
export interface FrontClock {
  readonly clock: TargetClock;
  /** Every moment that the clock was asked to jump to, in milliseconds since the epoch. */
  readonly leaps: readonly number[];
  /** Number of requests to go back. */
  readonly wentBack: () => number;
  readonly close: () => Promise<void>;
}

export interface FrontClockHabits {
  readonly unit: 'seconds' | 'milliseconds';
  readonly flows: boolean;
  /** Real milliseconds after a jump until the carrier begins what came due by it. */
  readonly idles?: number;
  /** It tells whole units only, although it has parts of them. */
  readonly tells?: 'whole units';
}

/** Milliseconds between the steps of a clock that flows. */
const step = 10;

/** Opens a clock that uses other names, returns nothing when moved, and refuses to go back. */
export async function openFrontClock(carrierClock: string, habits: FrontClockHabits): Promise<FrontClock> {
  const { unit, flows, idles = 0, tells } = habits;
  const length = unit === 'seconds' ? 1000 : 1;
  const ask = async (init: RequestInit): Promise<JsonObject> => {
    const body: unknown = await (await fetch(carrierClock, init)).json();
    return isJsonObject(body) ? body : {};
  };
  const post = async (to: number): Promise<JsonObject> =>
    ask({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: Math.floor(to) }),
    });
  let anchor = { now: Number((await ask({}))['now']), at: performance.now() };
  let idling = Promise.resolve();
  let isIdling = false;
  const leaps: number[] = [];
  let back = 0;
  const now = (): number => (flows ? anchor.now + performance.now() - anchor.at : anchor.now);
  const told = (milliseconds: number): number =>
    tells === 'whole units' ? Math.floor(milliseconds / length) : milliseconds / length;
  const flow = setInterval(() => {
    if (flows && !isIdling) void post(now()).catch(() => undefined);
  }, step);
  const leap = async (to: number): Promise<void> => {
    if (!(to >= now())) back += 1;
    leaps.push(to);
    anchor = { now: to, at: performance.now() };
    const { nextDue } = await ask({});
    isIdling = typeof nextDue === 'number' && nextDue <= to;
    const begin = async (): Promise<void> => {
      if (isIdling) await pause(idles);
      await post(now());
      isIdling = false;
    };
    idling = begin();
    if (!isIdling || idles === 0) await idling;
  };
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method === 'PUT') {
        const body: unknown = await json(request);
        await leap(isJsonObject(body) ? Number(body['goto']) * length : Number.NaN);
        response.writeHead(204).end();
        return;
      }
      const { nextDue, inFlight } = await ask({});
      const next = typeof nextDue === 'number' ? told(nextDue) : undefined;
      response.end(
        JSON.stringify({ clock: { time: String(told(now())), ...omitUndefined({ next }) }, sending: inFlight }),
      );
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the clock has no port');
  const url = buildTemplate(`http://127.0.0.1:${address.port}/time`);
  const door = (method: string): HttpDriver => ({
    kind: 'http',
    method,
    url,
    done: [200, 204],
    impossible: [],
    env: {},
  });
  const names = {
    now: buildTemplate('{{ body.clock.time }}', ['body']),
    next: buildTemplate('{{ body.clock.next }}', ['body']),
    inFlight: buildTemplate('{{ body.sending }}', ['body']),
    unit,
  } as const;
  return {
    clock: {
      read: { ...door('GET'), names },
      advance: { ...door('PUT'), json: buildTemplates({ goto: '{{ to }}' }, ['to']), names },
      ...(flows ? { flows } : {}),
    },
    leaps,
    wentBack: () => back,
    close: async () => {
      clearInterval(flow);
      await idling.catch(() => undefined);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
