import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket, type FloodTarget, writeBytes } from './lanes.ts';

/** Measurements of a load. Times in milliseconds. */
export interface LoadResult {
  readonly answered: number;
  /** Responses per second. */
  readonly rate: number;
  /** Most requests in progress at the same time. */
  readonly inFlight: number;
  readonly median: number;
  readonly slowest: number;
}

interface Load {
  readonly where: Omit<FloodTarget, 'signal' | 'count'>;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
  /** Connections, with one request at a time each. */
  readonly connections: number;
  readonly request: (turn: number) => Buffer | string;
}

/** Resolves when a response has arrived; false if the connection ended without one. */
function awaitResponse(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (is: boolean) => (): void => {
      socket.off('data', yes).off('close', no);
      resolve(is);
    };
    const [yes, no] = [done(true), done(false)];
    socket.once('data', yes).once('close', no);
    if (socket.destroyed) no();
  });
}

/** Sends requests at a rate, each as soon as it is due and a connection is free. */
export async function runLoad({ where, rate, seconds, connections, request }: Load): Promise<LoadResult> {
  const stopped = new AbortController();
  setMaxListeners(0, stopped.signal);
  const place: FloodTarget = { ...where, signal: stopped.signal, count: () => undefined };
  const begun = performance.now();
  const times: number[] = [];
  let [turn, under, most] = [0, 0, 0];
  const isOver = (): boolean => performance.now() - begun > seconds * 1000;
  const nextDue = (): number => begun + (turn / rate) * 1000 - performance.now();
  const lane = async (): Promise<void> => {
    let socket: Socket | undefined;
    while (!isOver()) {
      if (socket === undefined || socket.destroyed) socket = await openSocket(place);
      const due = nextDue();
      if (socket === undefined || due > 0) {
        await pause(Math.max(1, due));
        continue;
      }
      turn += 1;
      under += 1;
      most = Math.max(most, under);
      const at = performance.now();
      const isAnswered = (await writeBytes(socket, request(turn))) && (await awaitResponse(socket));
      under -= 1;
      if (isAnswered) times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const took = (performance.now() - begun) / 1000;
  stopped.abort();
  const sorted = times.toSorted((a, b) => a - b);
  const [median = 0, slowest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return { answered: times.length, rate: times.length / took, inFlight: most, median, slowest };
}
