import { repeatInLanes, keepOpen, openSocket, type FloodTarget, restFor, writeBytes } from './lanes.ts';

const head = ({ path }: FloodTarget, ...lines: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: sp.test', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');

const idleConnections = 2000;
const slowConnections = 400;
const second = 1000;

/** Connections that strangers open, by name of the flood. */
export const connectionFloods: Readonly<Record<string, (place: FloodTarget) => Promise<void>>> = {
  idle: (place) => keepOpen(place, idleConnections, () => Promise.resolve()),
  'idle-after-a-request': (place) =>
    keepOpen(place, idleConnections, async (socket) => {
      await writeBytes(socket, `${head(place, 'Content-Length: 2')}{}`);
    }),
  'slow-head': (place) =>
    keepOpen(place, slowConnections, async (socket) => {
      await writeBytes(socket, `POST ${place.path} HTTP/1.1\r\n`);
      while (!socket.destroyed && (await writeBytes(socket, 'X-a: b\r\n'))) await restFor(place, second);
    }),
  'slow-body': (place) =>
    keepOpen(place, slowConnections, async (socket) => {
      await writeBytes(socket, head(place, 'Content-Length: 1000'));
      while (!socket.destroyed && (await writeBytes(socket, ' '))) await restFor(place, second);
    }),
  'body-never-comes': (place) =>
    keepOpen(place, idleConnections, async (socket) => {
      await writeBytes(socket, head(place, 'Content-Length: 1000'));
    }),
  'large-bodies-held': (place) =>
    keepOpen(place, slowConnections, async (socket) => {
      await writeBytes(socket, head(place, 'Content-Length: 300000'));
      await writeBytes(socket, ' '.repeat(299_000));
    }),
  'endless-body': (place) =>
    keepOpen(place, 4, async (socket) => {
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      await writeBytes(socket, head(place, 'Transfer-Encoding: chunked'));
      while (await writeBytes(socket, chunk)) await restFor(place, 1);
    }),
  'endless-small-chunks': (place) =>
    keepOpen(place, 4, async (socket) => {
      await writeBytes(socket, head(place, 'Transfer-Encoding: chunked'));
      while (await writeBytes(socket, '1\r\nx\r\n'.repeat(1000))) await restFor(place, 1);
    }),
  'endless-header': (place) =>
    keepOpen(place, 4, async (socket) => {
      await writeBytes(socket, `POST ${place.path} HTTP/1.1\r\n`);
      while (await writeBytes(socket, 'X-a: b\r\n'.repeat(100))) await restFor(place, 1);
    }),
  'opened-and-reset': (place) =>
    repeatInLanes(place, async () => {
      const socket = await openSocket(place);
      if (socket !== undefined) place.count();
      socket?.resetAndDestroy();
    }),
  'reset-in-the-body': (place) =>
    repeatInLanes(place, async () => {
      const socket = await openSocket(place);
      if (socket === undefined) return;
      place.count();
      await writeBytes(socket, `${head(place, 'Content-Length: 1000')}{`);
      socket.resetAndDestroy();
    }),
  'gone-before-the-answer': (place) =>
    repeatInLanes(place, async () => {
      const socket = await openSocket(place);
      if (socket === undefined) return;
      place.count();
      await writeBytes(socket, `${head(place, 'Content-Length: 2')}{}`);
      socket.resetAndDestroy();
    }),
  'many-at-once': (place) =>
    repeatInLanes(
      place,
      async () => {
        const socket = await openSocket(place);
        if (socket === undefined) return;
        place.count();
        await writeBytes(socket, `${head(place, 'Content-Length: 2', 'Connection: close')}{}`);
        await restFor(place, 20);
        socket.destroy();
      },
      200,
    ),
  'answers-never-read': (place) =>
    keepOpen(place, 20, async (socket) => {
      socket.pause();
      const many = `${head(place, 'Content-Length: 2')}{}`.repeat(50);
      while (await writeBytes(socket, many)) await restFor(place, 20);
    }),
};
