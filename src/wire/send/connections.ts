import type { TlsTrust } from '../../model/target.ts';
import { maxHeaderBytes } from '../read/collect-body.ts';
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, type LookupFunction, connect as connectPlain } from 'node:net';
import { subscribe } from 'node:diagnostics_channel';
import { Duplex } from 'node:stream';
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';

/** Link-local addresses (RFC 3927, RFC 4291 §2.5.6), and others where clouds serve credentials. */
const localAddresses = new BlockList();
localAddresses.addSubnet('169.254.0.0', 16, 'ipv4');
localAddresses.addAddress('100.100.100.200', 'ipv4');
localAddresses.addSubnet('fe80::', 10, 'ipv6');
localAddresses.addAddress('168.63.129.16', 'ipv4');
localAddresses.addAddress('192.0.0.192', 'ipv4');
localAddresses.addAddress('fd00:ec2::254', 'ipv6');
localAddresses.addAddress('fd20:ce::254', 'ipv6');
// The same addresses behind a translation to IPv4 (RFC 6052 §2.1).
localAddresses.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
localAddresses.addAddress('64:ff9b::6464:64c8', 'ipv6');
localAddresses.addAddress('64:ff9b::a83f:8110', 'ipv6');
localAddresses.addAddress('64:ff9b::c000:c0', 'ipv6');

const isLocalAddress = ({ address, family }: LookupAddress): boolean =>
  localAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4');

export class LinkLocalError extends Error {
  readonly code = 'ELINKLOCAL';

  constructor(hostname: string, address: string) {
    super(`${hostname} has the address ${address}, which is of no carrier: nothing is sent there`);
    this.name = 'LinkLocal';
  }
}

/** Resolves a host name, but refuses link-local addresses. An address written in the URL is never resolved, so it is allowed. */
export const createHostResolver =
  (by: typeof resolve): LookupFunction =>
  (hostname, options, done) => {
    by(hostname, { ...options, all: true }, (error, found) => {
      // On an error there is no list, whatever its type says.
      if (error !== null) {
        done(error, []);
        return;
      }
      const wrong = found.find(isLocalAddress);
      const [first] = found;
      if (wrong !== undefined) done(new LinkLocalError(hostname, wrong.address), []);
      else if (options.all === true || first === undefined) done(null, found);
      else done(null, first.address, first.family);
    });
  };

export const resolveHost = createHostResolver(resolve);

type Headers = readonly (readonly [name: string, value: string])[];

/** Adds a User-Agent, which a client should send (RFC 9110 §10.1.5); some firewalls refuse a request without one. */
export const nameSender = (headers: Headers): Headers =>
  headers.some(([name]) => name.toLowerCase() === 'user-agent') ? headers : [...headers, ['user-agent', 'carrierspec']];

export interface ConnectionSettings {
  /** Seconds. */
  readonly requestTimeout: number;
  /** Maximum for each origin. */
  readonly connections: number;
  readonly tls?: TlsTrust | undefined;
  /** Proxy URL, with a password if it needs one. */
  readonly proxy?: string | undefined;
  /** Opens a new connection for every request. */
  readonly fresh?: boolean | undefined;
  /** Accepts any certificate: only for checking that our own receiver can be reached. */
  readonly unverified?: boolean | undefined;
}

const continueStart = Buffer.from('HTTP/1.1 100');

/** Renames each 100 at the beginning of a chunk to 103, in place. A carrier that sends 100 separately starts a new chunk after it. */
function renameContinue(chunk: Buffer): void {
  let at = 0;
  while (chunk.subarray(at, at + continueStart.length).equals(continueStart)) {
    chunk.write('103', at + continueStart.length - 3, 'latin1');
    const end = chunk.indexOf('\r\n\r\n', at);
    if (end === -1) return;
    at = end + 4;
  }
}

/** A carrier may send an unrequested 100 (RFC 9110 §15.2). undici ignores 103, but fails on such a 100. */
subscribe('undici:client:connected', (said) => {
  if (typeof said !== 'object' || said === null || !('socket' in said) || !(said.socket instanceof Duplex)) return;
  const { socket } = said;
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk)) renameContinue(chunk);
    return chunk;
  };
});

/** Options of node:tls for a connection to the carrier. */
export function trustOptions({ ca, identity, minVersion }: TlsTrust = {}) {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(identity === undefined ? {} : { cert: identity.cert, key: identity.key }),
    ...(minVersion === undefined ? {} : { minVersion }),
  };
}

function proxyToken({ username, password }: URL): { readonly token?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { token: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** Keep-alive connections to the carrier, direct or through a proxy; undici's own timeouts are off. */
export function openAgent(calling: ConnectionSettings): Dispatcher {
  const { requestTimeout, connections, tls, proxy, fresh = false, unverified = false } = calling;
  const pipelining = fresh ? 0 : 1;
  const limits = { connections, pipelining, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: maxHeaderBytes };
  const wait = { timeout: requestTimeout * 1000, lookup: resolveHost };
  const connect = { ...wait, rejectUnauthorized: !unverified, ...trustOptions(tls) };
  if (proxy === undefined) return new Agent({ ...limits, connect });
  const url = new URL(proxy);
  const token = proxyToken(url);
  url.username = '';
  url.password = '';
  return new ProxyAgent({
    ...limits,
    uri: url.href,
    ...token,
    // Plain http is tunnelled too, so that the proxy changes nothing that is judged.
    proxyTunnel: true,
    requestTls: connect,
    proxyTls: { timeout: requestTimeout * 1000 },
  });
}

/** Facts about an origin from a connection without a request. */
export type OriginFacts =
  | { readonly kind: 'plain' }
  | {
      readonly kind: 'tls';
      /** `TLSv1.3`. */
      readonly version: string;
      readonly cipher: string;
      readonly subject: string;
      readonly issuer: string;
      /** Milliseconds since the epoch. */
      readonly validTo: number;
    }
  /** `code` is Node's or OpenSSL's. */
  | { readonly kind: 'failed'; readonly code: string; readonly detail: string };

const systemCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

function tlsFacts(socket: TLSSocket): OriginFacts {
  const certificate = socket.getPeerX509Certificate();
  return {
    kind: 'tls',
    version: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    subject: certificate?.subject.replaceAll('\n', ', ') ?? '',
    issuer: certificate?.issuer.replaceAll('\n', ', ') ?? '',
    validTo: Date.parse(certificate?.validTo ?? ''),
  };
}

/** Milliseconds to wait for a request for a client certificate, which in TLS 1.3 comes after the handshake. */
const certificateRequestDelay = 300;

/** Connects, sends nothing and closes. `timeout` is in milliseconds. */
export function probeOrigin(origin: string, trust: TlsTrust | undefined, timeout: number): Promise<OriginFacts> {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const place = { host, port: port === '' ? (isTls ? 443 : 80) : Number(port), timeout, lookup: resolveHost };
  return new Promise((resolve) => {
    // An IP address must not be sent as server name (RFC 6066 §3).
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const socket = isTls
      ? connectTls({ ...place, ...name, ...trustOptions(trust), checkServerIdentity })
      : connectPlain(place);
    const end = (facts: OriginFacts): void => {
      resolve(facts);
      socket.destroy();
    };
    socket.once('error', (error: Error) => end({ kind: 'failed', code: systemCode(error), detail: error.message }));
    socket.once('timeout', () =>
      end({ kind: 'failed', code: 'ETIMEDOUT', detail: `no response in ${timeout / 1000} s` }),
    );
    socket.once('connect', () => {
      if (!isTls) end({ kind: 'plain' });
    });
    if (isTls && 'getProtocol' in socket) {
      socket.once('secureConnect', () => {
        const facts = tlsFacts(socket);
        setTimeout(() => end(facts), facts.kind === 'tls' && facts.version === 'TLSv1.3' ? certificateRequestDelay : 0);
      });
    }
  });
}
