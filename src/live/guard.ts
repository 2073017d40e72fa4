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
const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);
/** Wildcard addresses, with the addresses they cover; `::` covers IPv4 too. */
const wildcardHosts: Readonly<Record<string, (address: string) => boolean>> = { '0.0.0.0': isIPv4, '::': () => true };
/** Default port, which browsers omit. */
const defaultPort = 80;

export const isLoopbackHost = (host: string): boolean => loopbackHosts.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

/** A host as written in a URL. */
export const bracketHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((of) => of ?? [])
    .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
    .map(({ address }) => address);

/** Accepted Host headers. No other name is allowed, because foreign DNS could point it here (DNS rebinding). */
export function allowedHosts({ host, port }: LiveAddress): readonly string[] {
  const isBound = Object.hasOwn(wildcardHosts, host) ? wildcardHosts[host] : undefined;
  const own =
    isBound === undefined
      ? [host]
      : [...ownAddresses(), ...loopbackHosts].filter((name) => name === 'localhost' || isBound(name));
  const names = new Set(isLoopbackHost(host) ? [host, ...loopbackHosts] : own);
  return [...names].flatMap((name) => [
    `${bracketHost(name)}:${port}`,
    ...(port === defaultPort ? [bracketHost(name)] : []),
  ]);
}

export interface GuardedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface GuardRefusal {
  readonly status: 403 | 404 | 421;
  readonly why: 'token' | 'host' | 'origin';
}

/** Explains what is wrong with the address; reveals nothing of the right one but the port that was reached. */
export const refusalWords = ({ why }: Pick<GuardRefusal, 'why'>, port: number | undefined): string => {
  if (why === 'token')
    return 'There is no page at this address. Use the whole address that carrierspec printed behind "live:", to its final "/".\n';
  if (why === 'origin') return '';
  return `This page is not served under the host and port of this address. It is served on port ${port}: through a tunnel the local port must be the same (ssh -L ${port}:127.0.0.1:${port}), and the host the one of the address that carrierspec printed behind "live:".\n`;
};

/** Whether a link is followed, say from a chat. It may open the page, because the page cannot be framed. */
const isNavigation = ({ method, headers }: GuardedRequest): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** Whether the request is same-origin: browsers send Origin with every POST, and another site's page cannot change it. */
function isOwnOrigin(asked: GuardedRequest): boolean {
  const { method, headers } = asked;
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined && isNavigation(asked)) return true;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return method === 'GET';
  return origin === `http://${headers.host?.toLowerCase()}`;
}

/** Creates the check of each request, made before anything else is read; undefined lets the request in. */
export function createGuard(
  token: string,
  hosts: readonly string[],
): (asked: GuardedRequest) => GuardRefusal | undefined {
  return (asked) => {
    if (!hosts.includes(asked.headers.host?.toLowerCase() ?? '')) return { status: 421, why: 'host' };
    const [, given = ''] = asked.url.split(/[/?]/);
    if (!isSameSecret(given, token)) return { status: 404, why: 'token' };
    return isOwnOrigin(asked) ? undefined : { status: 403, why: 'origin' };
  };
}
