import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { isJsonObject } from '../../lib/json.ts';
import type { HttpDriver, TargetClock } from '../../model/target.ts';
import { startOfClock } from './hand-carrier.ts';
import { buildTemplate, buildTemplates } from '../parts/templates.ts';

export interface FlowingAdmin {
  readonly clock: TargetClock;
  /** Every moment that the clock was asked to jump to, in seconds after its start. */
  readonly leaps: readonly number[];
  /** Number of requests to go back. */
  readonly wentBack: () => number;
  readonly close: () => Promise<void>;
}

/** Milliseconds between the clock's own steps. */
const step = 10;

/**
 * Clock of a hand-made carrier as another lab might have it: it runs, counts in seconds, uses other names, returns nothing when
 * moved, and refuses to go back.
 */
export async function openFlowingAdmin(carrier: string): Promise<FlowingAdmin> {
  let anchor = { now: startOfClock, at: performance.now() };
  const leaps: number[] = [];
  let back = 0;
  const now = (): number => anchor.now + performance.now() - anchor.at;
  const post = async (to: number): Promise<Record<string, unknown>> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ to }) };
    const body: unknown = await (await fetch(`${carrier}/clock`, init)).json();
    return isJsonObject(body) ? body : {};
  };
  const flow = setInterval(() => void post(now()).catch(() => undefined), step);
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method === 'PUT') {
        const body: unknown = await json(request);
        const to = isJsonObject(body) ? Number(body['goto']) * 1000 : Number.NaN;
        if (to < now()) back += 1;
        leaps.push((to - startOfClock) / 1000);
        anchor = { now: to, at: performance.now() };
        await post(to);
        response.writeHead(204).end();
        return;
      }
      const { nextDue, inFlight } = await post(now());
      const due = typeof nextDue === 'number' ? { next: nextDue / 1000 } : {};
      response.end(JSON.stringify({ clock: { time: String(now() / 1000), ...due }, sending: inFlight }));
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
    unit: 'seconds',
  } as const;
  return {
    clock: {
      read: { ...door('GET'), names },
      advance: { ...door('PUT'), json: buildTemplates({ goto: '{{ to }}' }, ['to']), names },
      flows: true,
    },
    leaps,
    wentBack: () => back,
    close: async () => {
      clearInterval(flow);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
