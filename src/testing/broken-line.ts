import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';

export interface BrokenLine {
  readonly origin: string;
  /** Breaks every connection, and takes no more until `mend`. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

/** A forward proxy between a browser and what it asks for: a network that can fail. */
export async function openBrokenLine(): Promise<BrokenLine> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    const { method, url = '', headers } = asked;
    const onward = request(url, { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      response.pipe(answer);
      response.once('error', () => answer.destroy());
    });
    onward.once('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.on('connection', (socket) => {
    if (isCut) socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
