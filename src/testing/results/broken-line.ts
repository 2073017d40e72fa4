import { createServer, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface BrokenLine {
  readonly origin: string;
  /** Breaks every connection, and accepts no more until `mend`. */
  readonly cut: () => void;
  /** Drops all traffic without closing anything, like a phone that has left its network. Open connections stay dead. */
  readonly swallow: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

type LineState = 'whole' | 'cut' | 'swallowing';

/** A forward proxy between a browser and its server: a network that can fail. */
export async function openBrokenLine(): Promise<BrokenLine> {
  let state: LineState = 'whole';
  const sockets = new Set<Socket>();
  const dead = new Set<Socket>();
  /** Responses still streaming from the server, each with a function that stops it. */
  const streams = new Map<ServerResponse, () => void>();
  const server = createServer((asked, answer) => {
    if (dead.has(asked.socket)) return;
    const { method, url = '', headers } = asked;
    const onward = request(url, { method, headers, agent: false }, (response) => {
      const { connection: _, 'keep-alive': __, ...kept } = response.headers;
      answer.writeHead(response.statusCode ?? 502, { ...kept, connection: 'close' });
      answer.flushHeaders();
      response.pipe(answer);
      response.once('error', () => answer.destroy());
      streams.set(answer, () => response.unpipe(answer).resume());
    });
    onward.once('error', () => answer.destroy());
    answer.once('close', () => {
      streams.delete(answer);
      onward.destroy();
    });
    asked.pipe(onward);
  });
  server.on('connection', (socket) => {
    if (state === 'cut') socket.destroy();
    if (state === 'swallowing') dead.add(socket);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      dead.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cut: () => {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    swallow: () => {
      state = 'swallowing';
      for (const socket of sockets) dead.add(socket);
      for (const stop of streams.values()) stop();
    },
    mend: () => {
      state = 'whole';
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
