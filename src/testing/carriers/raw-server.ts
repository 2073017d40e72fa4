import { createServer, type Socket } from 'node:net';

/** A TCP server that plays a rude carrier: the test decides every byte. */
export interface RawServer {
  readonly origin: string;
  readonly port: number;
  /** Bytes sent by each connection, in the order of the connections. */
  readonly heard: readonly string[];
  readonly close: () => Promise<void>;
}

/** `onRequest` is called once a connection has sent the end of a header. */
export async function openRawServer(onRequest: (socket: Socket, head: string) => void): Promise<RawServer> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = heard.push('') - 1;
    let answered = false;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      heard[index] += chunk.toString('latin1');
      const head = heard[index] ?? '';
      if (answered || !head.includes('\r\n\r\n')) return;
      answered = true;
      onRequest(socket, head);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    heard,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
