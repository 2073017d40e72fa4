import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

/** An HTTP proxy on this machine, between the program and a carrier. */
export interface Tunnel {
  /** With the password in it. */
  readonly url: string;
  /** `HOST:PORT` of every connection that was asked for. */
  readonly asked: readonly string[];
  /** What was sent to the carriers, byte for byte. */
  readonly sent: () => string;
  readonly close: () => void;
}

/** Makes tunnels for who shows this `proxy-authorization`, and says what it was asked for. */
export function serveTunnels(server: Server, authorization: string | undefined, hear: (host: string) => void): void {
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    hear(request.url ?? '');
    if (request.headers['proxy-authorization'] !== authorization) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const there = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(client).pipe(there);
    });
    client.on('error', () => there.destroy()).on('close', () => there.destroy());
    there.on('error', () => client.destroy());
  });
}

/** Opens a tunnel for who has the password. */
export async function openTunnel(password: string): Promise<Tunnel> {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(500).end());
  const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
  const sent: Buffer[] = [];
  serveTunnels(server, authorization, (host) => asked.push(host));
  server.on('connect', (_, client: Socket) => client.on('data', (chunk) => sent.push(chunk)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://user:${password}@127.0.0.1:${address.port}`,
    asked,
    sent: () => Buffer.concat(sent).toString('latin1'),
    close: () => void server.close(),
  };
}
