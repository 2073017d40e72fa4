import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { TlsTrust } from '../../model/target.ts';

/** How the carrier is called. */
export interface Calling {
  /** Seconds. */
  readonly requestTimeout: number;
  /** For each origin. */
  readonly connections: number;
  readonly tls?: TlsTrust | undefined;
  /** URL, with a password where it needs one. */
  readonly proxy?: string | undefined;
  /** Whoever answers is believed: only to see whether our own receiver can be reached. */
  readonly unverified?: boolean | undefined;
}

/** Options of node:tls for a connection to the carrier. */
export function trustOptions({ ca, identity, minVersion }: TlsTrust = {}) {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(identity === undefined ? {} : { cert: identity.cert, key: identity.key }),
    ...(minVersion === undefined ? {} : { minVersion }),
  };
}

function credentialsOf({ username, password }: URL): { readonly token?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { token: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** Keep-alive connections to the carrier, straight or through a proxy; no limit of undici's own is in the way. */
export function openAgent({ requestTimeout, connections, tls, proxy, unverified = false }: Calling): Dispatcher {
  const limits = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
  const connect = { timeout: requestTimeout * 1000, rejectUnauthorized: !unverified, ...trustOptions(tls) };
  if (proxy === undefined) return new Agent({ ...limits, connect });
  const url = new URL(proxy);
  const token = credentialsOf(url);
  url.username = '';
  url.password = '';
  return new ProxyAgent({
    ...limits,
    uri: url.href,
    ...token,
    // Plain http goes through a tunnel too, so that the proxy changes nothing that is judged.
    proxyTunnel: true,
    requestTls: connect,
    proxyTls: { timeout: requestTimeout * 1000 },
  });
}
