import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { bodies } from './bodies.ts';
import { heads } from './heads.ts';
import { writePlainly, type Writer, writers } from './writers.ts';

/** A response of the carrier behind the proxy. */
interface ProxiedAnswer {
  readonly status: number;
  readonly lines: readonly string[];
  readonly body: Buffer;
}

/** Names of everything that the proxy can do; each alters every response that is not spared. */
export const modes: readonly string[] = [...Object.keys(bodies), ...Object.keys(heads), ...Object.keys(writers)];

export interface HostileProxy {
  readonly origin: string;
  /** Responses altered so far. */
  readonly altered: () => number;
  /** Switches the mode; without one, responses pass unaltered. */
  readonly misbehave: (mode: string | undefined) => void;
  readonly close: () => Promise<void>;
}

interface ProxyOptions {
  readonly port: number;
  /** Origin by which clients reach it, if another server stands in front. */
  readonly origin?: string;
  /** Origin that requests are passed on to; evaluated for each request. */
  readonly upstream: () => string;
  /** Whether the response to this request is left unaltered. */
  readonly spares: (request: IncomingMessage) => boolean;
}

const framing = /^(?:content-length|transfer-encoding|connection|keep-alive)$/i;

function headerPairs({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

function forwardRequest(incoming: IncomingMessage, body: Buffer, upstream: string): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    const { method, url = '/', headers } = incoming;
    const sent = request(`${upstream}${url}`, { method, headers: { ...headers, connection: 'close' } }, (came) => {
      const lines = headerPairs(came).filter(([name]) => !framing.test(name));
      read(came).then(
        (bytes) => resolve({ status: came.statusCode ?? 0, lines: lines.map((line) => line.join(': ')), body: bytes }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Replaces the carrier's own address in discovery, so that everything goes through the proxy. */
function replaceOrigin(answer: ProxiedAnswer, upstream: string, origin: string): ProxiedAnswer {
  if (!answer.body.includes(upstream)) return answer;
  return { ...answer, body: Buffer.from(answer.body.toString('utf8').replaceAll(upstream, origin)) };
}

function alter(mode: string, answer: ProxiedAnswer, socket: Socket): ReturnType<Writer> {
  const { bytes, headers = {} } = bodies[mode]?.(answer.body) ?? { bytes: answer.body };
  const kept = answer.lines.filter(
    (line) => !Object.keys(headers).some((name) => line.toLowerCase().startsWith(`${name}:`)),
  );
  const added = Object.entries(headers).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  const head = { status: answer.status, lines: [...kept, ...added], length: bytes.length };
  const begin = heads[mode] ?? plainHead;
  const write = writers[mode] ?? writePlainly;
  return write({ head: begin(head), body: bytes }, socket);
}

const plainHead = ({ status, lines, length }: { status: number; lines: readonly string[]; length: number }): string =>
  [`HTTP/1.1 ${status} x`, ...lines, `Content-Length: ${length}`].join('\r\n');

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Stands between the program and a carrier, and misbehaves in the carrier's place as its mode says. */
export async function openHostileProxy(options: ProxyOptions): Promise<HostileProxy> {
  let mode: string | undefined;
  let altered = 0;
  const sockets = new Set<Socket>();
  const { port, upstream, spares } = options;
  const { origin = `http://127.0.0.1:${port}` } = options;
  const answer = async (incoming: IncomingMessage): Promise<void> => {
    const { socket } = incoming;
    const given = replaceOrigin(await forwardRequest(incoming, await read(incoming), upstream()), upstream(), origin);
    if (mode === undefined || spares(incoming))
      await writePlainly({ head: plainHead({ ...given, length: given.body.length }), body: given.body }, socket);
    else {
      altered += 1;
      await alter(mode, given, socket);
    }
  };
  const server = createServer({ keepAlive: true }, (incoming) => {
    answer(incoming).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, port);
  return {
    origin,
    altered: () => altered,
    misbehave: (next) => {
      mode = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
