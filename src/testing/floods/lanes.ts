import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Destination of strangers, and their knowledge of the carrier, which includes no secret. */
export interface FloodTarget {
  readonly port: number;
  /** Source address; by default the carrier's. */
  readonly from?: string;
  /** Guessable path of an endpoint. */
  readonly path: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The strangers leave when it aborts. */
  readonly signal: AbortSignal;
  /** Counts one thing sent. */
  readonly count: () => void;
}

/** Milliseconds that a stranger waits for a response, and rests before its next request. */
const answerTime = 500;
const restTime = 2;
const laneCount = 6;

const pauseQuietly = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal }).catch(() => undefined);

/** Opens a connection, or returns undefined if it fails. It closes when the flood ends. */
export function openSocket({ port, from = '127.0.0.1', signal }: FloodTarget): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const end = (): void => void socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      resolve(undefined);
    });
    socket.once('connect', () => resolve(socket));
  });
}

/** Resolves when more may be written; false if the other side has closed. */
export function writeBytes(socket: Socket, bytes: Buffer | string): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed || !socket.writable) {
      resolve(false);
      return;
    }
    const gone = (): void => resolve(false);
    socket.once('close', gone);
    socket.write(bytes, (error) => {
      socket.off('close', gone);
      resolve(error === undefined || error === null);
    });
  });
}

/** Resolves with the first byte that comes back, or when the connection or the patience ends. */
export function awaitAnswer(socket: Socket, milliseconds = answerTime): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      socket.off('data', done).off('close', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    socket.once('data', done).once('close', done);
    if (socket.destroyed) done();
  });
}

/** Several strangers at once repeat the same action. */
export async function repeatInLanes(
  place: FloodTarget,
  act: (turn: number) => Promise<void>,
  many = laneCount,
): Promise<void> {
  let turn = 0;
  const lane = async (): Promise<void> => {
    while (!place.signal.aborted) {
      turn += 1;
      await act(turn);
      await pauseQuietly(restTime, place.signal);
    }
  };
  await Promise.all(Array.from({ length: many }, lane));
}

/** Sends requests one after the other in several lanes, over connections kept open as long as the other side allows. */
export async function sendInLanes(place: FloodTarget, request: (turn: number) => Buffer | string): Promise<void> {
  const idle: Socket[] = [];
  await repeatInLanes(place, async (turn) => {
    const kept = idle.pop();
    const socket = kept === undefined || kept.destroyed ? await openSocket(place) : kept;
    if (socket === undefined || !(await writeBytes(socket, request(turn)))) return;
    place.count();
    await awaitAnswer(socket);
    if (!socket.destroyed) idle.push(socket);
  });
}

/** Opens up to `many` connections, acts on each, and replaces those that end. */
export async function keepOpen(
  place: FloodTarget,
  many: number,
  each: (socket: Socket) => Promise<void>,
): Promise<void> {
  let openNow = 0;
  while (!place.signal.aborted) {
    if (openNow >= many) {
      await pauseQuietly(restTime, place.signal);
      continue;
    }
    const socket = await openSocket(place);
    if (socket === undefined) {
      await pauseQuietly(restTime, place.signal);
      continue;
    }
    place.count();
    openNow += 1;
    socket.once('close', () => {
      openNow -= 1;
    });
    socket.resume();
    void each(socket);
  }
}

export const restFor = (place: FloodTarget, milliseconds: number): Promise<void> =>
  pauseQuietly(milliseconds, place.signal);
