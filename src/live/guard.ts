import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface LiveAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Random 192-bit secret: anyone with the page's address may answer. */
export const drawToken = (): string => randomBytes(24).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);
/** Wildcard addresses, with the addresses they cover; `::` covers IPv4 too. */
const every: Readonly<Record<string, (address: string) => boolean>> = { '0.0.0.0': isIPv4, '::': () => true };
/** Default port, which browsers omit. */
const usualPort = 80;

export const isLoopback = (host: string): boolean => loopback.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

/** A host as written in a URL. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((of) => of ?? [])
    .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
    .map(({ address }) => address);

/** Accepted Host headers. No other name is allowed, because foreign DNS could point it here (DNS rebinding). */
export function hostsOf({ host, port }: LiveAddress): readonly string[] {
  const isBound = Object.hasOwn(every, host) ? every[host] : undefined;
  const own =
    isBound === undefined
      ? [host]
      : [...ownAddresses(), ...loopback].filter((name) => name === 'localhost' || isBound(name));
  const names = new Set(isLoopback(host) ? [host, ...loopback] : own);
  return [...names].flatMap((name) => [`${bracketed(name)}:${port}`, ...(port === usualPort ? [bracketed(name)] : [])]);
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Refused {
  readonly status: 403 | 404 | 421;
  readonly why: 'token' | 'host' | 'origin';
}

/** Explains what is wrong with the address; reveals nothing of the right one but the port that was reached. */
export const refusedWords = ({ why }: Pick<Refused, 'why'>, port: number | undefined): string => {
  if (why === 'token')
    return 'There is no page at this address. Use the whole address that carrierspec printed behind "live:", to its final "/".\n';
  if (why === 'origin') return '';
  return `This page is not served under the host and port of this address. It is served on port ${port}: through a tunnel the local port must be the same (ssh -L ${port}:127.0.0.1:${port}), and the host the one of the address that carrierspec printed behind "live:".\n`;
};

/** Whether a link is followed, say from a chat. It may open the page, because the page cannot be framed. */
const isNavigation = ({ method, headers }: Asked): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** Whether the request is same-origin: browsers send Origin with every POST, and another site's page cannot change it. */
function isOwnOrigin(asked: Asked): boolean {
  const { method, headers } = asked;
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined && isNavigation(asked)) return true;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return method === 'GET';
  return origin === `http://${headers.host?.toLowerCase()}`;
}

/** Creates the check of each request, made before anything else is read; undefined lets the request in. */
export function createGuard(token: string, hosts: readonly string[]): (asked: Asked) => Refused | undefined {
  return (asked) => {
    if (!hosts.includes(asked.headers.host?.toLowerCase() ?? '')) return { status: 421, why: 'host' };
    const [, given = ''] = asked.url.split(/[/?]/);
    if (!isSame(given, token)) return { status: 404, why: 'token' };
    return isOwnOrigin(asked) ? undefined : { status: 403, why: 'origin' };
  };
}
