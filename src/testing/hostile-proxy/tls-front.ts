import { connect, createServer as createPlain, type Server, type Socket } from 'node:net';
import { createSecureContext, type TlsOptions, TLSSocket } from 'node:tls';
import type { CertificateName, Certificates } from './certificates.ts';

/** Treatment of one connection. */
interface TlsMode {
  readonly certificate?: CertificateName;
  readonly options?: TlsOptions;
  /** Replaces the handshake. */
  readonly instead?: (socket: Socket) => void;
  /** Passes the responses back; by default unchanged. */
  readonly back?: PassBack;
  /** Runs after the handshake; the connection is passed on all the same. */
  readonly after?: (secure: TLSSocket, socket: Socket) => void;
}

const old = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1' } as const;

/** Record of a fatal alert, handshake_failure. */
const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);
/** Record of a handshake message that claims an excessive length. */
const longRecord = Buffer.concat([Buffer.from([0x16, 0x03, 0x03, 0xff, 0xff]), Buffer.alloc(70_000, 2)]);

type PassBack = (passed: Socket, secure: TLSSocket, socket: Socket) => void;

const passAll: PassBack = (passed, secure) => void passed.pipe(secure);

/** Closes the connection without close_notify, in the middle of a response. */
const truncate: PassBack = (passed, secure, socket) =>
  void passed.once('data', (chunk) => {
    secure.write(chunk.subarray(0, chunk.length / 2), () => setTimeout(() => socket.destroy(), 20));
  });

const certificates: readonly CertificateName[] = [
  'expired',
  'not-yet-valid',
  'wrong-host',
  'hostile-name',
  'many-names',
  'self-signed',
  'unknown-authority',
  'for-clients',
];

/** Modes of the front by name. The modes in `harmless` let every request through. */
export const tlsModes: Readonly<Record<string, TlsMode>> = {
  right: {},
  ...Object.fromEntries(certificates.map((certificate) => [certificate, { certificate }] as const)),
  'tls-1.0': { options: { ...old, maxVersion: 'TLSv1' } },
  'tls-1.1': { options: { ...old, maxVersion: 'TLSv1.1' } },
  'tls-1.2-weak': { options: { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0' } },
  'offers-http-2': { options: { ALPNProtocols: ['h2'] } },
  'asks-for-a-certificate': { options: { requestCert: true, rejectUnauthorized: false } },
  renegotiates: { options: { maxVersion: 'TLSv1.2' }, after: (secure) => void secure.renegotiate({}, () => undefined) },
  'renegotiates-all-the-time': {
    options: { maxVersion: 'TLSv1.2' },
    after: (secure) => {
      const again = (): void => {
        if (!secure.destroyed) secure.renegotiate({}, (error) => (error === null ? setImmediate(again) : undefined));
      };
      again();
    },
  },
  truncated: { back: truncate },
  'truncated-at-once': { after: (_, socket) => void socket.resetAndDestroy() },
  'garbage-after-the-handshake': { after: (_, socket) => void socket.write(Buffer.alloc(5000, 'x')) },
  'speaks-http': { instead: (socket) => void socket.end('HTTP/1.1 400 \u{1B}[2J\r\nContent-Length: 0\r\n\r\n') },
  alerts: { instead: (socket) => void socket.end(alert) },
  'long-record': { instead: (socket) => void socket.end(longRecord) },
  'closes-at-once': { instead: (socket) => void socket.destroy() },
  'resets-at-once': { instead: (socket) => void socket.resetAndDestroy() },
  'never-shakes-hands': { instead: () => undefined },
  'drips-a-handshake': {
    instead: (socket) => {
      const timer = setInterval(() => socket.write(Buffer.from([0x16])), 500);
      socket.once('close', () => clearInterval(timer));
    },
  },
};

/** Modes in which a request gets through as if nothing were wrong. */
export const harmless: ReadonlySet<string> = new Set([
  'right',
  'tls-1.2-weak',
  'asks-for-a-certificate',
  'renegotiates',
  'renegotiates-all-the-time',
]);

export interface TlsFront {
  readonly origin: string;
  /** Connections so far. */
  readonly taken: () => number;
  /** From connection number `from` on, counted from 0, connections get this mode; earlier ones are handled correctly. */
  readonly misbehave: (mode: string, from?: number) => void;
  readonly close: () => Promise<void>;
}

interface TlsFrontOptions {
  readonly certificates: Certificates;
  readonly port: number;
  /** Local port that requests are passed on to. */
  readonly upstream: () => number;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Speaks TLS, as badly as its mode says, in front of a server without TLS. */
export async function openTlsFront({ certificates: made, port, upstream }: TlsFrontOptions): Promise<TlsFront> {
  let current: { readonly mode: TlsMode; readonly from: number } = { mode: {}, from: 0 };
  let taken = 0;
  const sockets = new Set<Socket>();
  const shake = (socket: Socket, { certificate = 'right', options = {}, back = passAll, after }: TlsMode): void => {
    const secureContext = createSecureContext({ ...made.of[certificate], ...options });
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ...options });
    secure.on('error', () => socket.destroy());
    secure.once('secure', () => {
      const passed = connect(upstream(), '127.0.0.1');
      passed.on('error', () => socket.destroy());
      secure.pipe(passed);
      back(passed, secure, socket);
      socket.once('close', () => passed.destroy());
      after?.(secure, socket);
    });
  };
  const server = createPlain((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    const { mode, from } = current;
    const taking = taken >= from ? mode : {};
    taken += 1;
    if (taking.instead === undefined) shake(socket, taking);
    else taking.instead(socket);
  });
  const listening = await listen(server, port);
  return {
    origin: `https://localhost:${listening}`,
    taken: () => taken,
    misbehave: (name, from = 0) => {
      const mode = tlsModes[name];
      if (mode === undefined) throw new Error(`there is no TLS mode ${name}`);
      current = { mode, from: taken + from };
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
