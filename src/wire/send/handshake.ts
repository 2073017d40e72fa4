import { connect, type SecureVersion } from 'node:tls';
import type { TlsTrust } from '../../model/target.ts';
import { trustOptions, resolveHost } from './connections.ts';
import { failureDetail } from './send-result.ts';

export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const satisfies readonly SecureVersion[];
type TlsVersion = (typeof tlsVersions)[number];

export interface HandshakeSettings {
  /** Only this version, with any certificate; if absent, any current version with a valid certificate. */
  readonly version?: TlsVersion | undefined;
  readonly trust?: TlsTrust | undefined;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Result of a handshake; `code` is Node's or OpenSSL's. */
export type HandshakeResult =
  | { readonly connected: true; readonly version: string }
  | { readonly connected: false; readonly code: string; readonly detail: string };

/** Enables versions that OpenSSL speaks only at its lowest security level. */
const anyCipher = 'DEFAULT@SECLEVEL=0';

const handshakeErrorCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

/** Failures that do not show which versions the server speaks. */
const unreachedCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ELINKLOCAL',
  'ETIMEDOUT',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
]);

export const isUnreached = (shaken: HandshakeResult): boolean => !shaken.connected && unreachedCodes.has(shaken.code);

/** Connects by TLS, sends nothing and closes. */
export function shakeHands(url: string, { version, trust, timeout }: HandshakeSettings): Promise<HandshakeResult> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const only =
    version === undefined
      ? {}
      : { minVersion: version, maxVersion: version, ciphers: anyCipher, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const fail = (code: string, detail: string): void => resolve({ connected: false, code, detail });
    const place = { host, port: port === '' ? 443 : Number(port), timeout, lookup: resolveHost };
    const socket = connect({ ...place, ...name, ...trustOptions(trust), ...only });
    socket.once('secureConnect', () => {
      resolve({ connected: true, version: socket.getProtocol() ?? 'unknown' });
      socket.destroy();
    });
    socket.once('error', (error: Error) => fail(handshakeErrorCode(error), failureDetail(error)));
    socket.once('close', () => fail('closed', 'the server closed the connection'));
    socket.once('timeout', () => {
      fail('ETIMEDOUT', `no handshake in ${timeout / 1000} s`);
      socket.destroy();
    });
  });
}
