import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

/** An HTTP proxy on this machine, between the program and a carrier. */
export interface Tunnel {
  /** URL with the password. */
  readonly url: string;
  /** `HOST:PORT` of every requested connection. */
  readonly asked: readonly string[];
  /** Bytes sent to the carriers, in order. */
  readonly sent: () => string;
  readonly close: () => void;
}

/** Opens tunnels for clients with this `proxy-authorization`, and reports the requested hosts. */
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

/** Opens a tunnel for clients with the password. */
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
