import type { Target } from '../model/target.ts';
import { at, type Cursor, text } from '../suite/yaml/cursor.ts';
import { loadIdentity, loadTrust } from './load-pem.ts';
import type { Reader } from './reader.ts';

const defaults = { host: '127.0.0.1', port: 0 };

/** Where the SP's endpoints are during a run. */
export function loadReceiver(cursor: Cursor, reader: Reader): Target['receiver'] {
  const url = reader.url(at(cursor, 'url'));
  const tls = loadIdentity(at(cursor, 'tls'), reader);
  return {
    host: reader.text(at(cursor, 'host')) ?? defaults.host,
    port: reader.number(at(cursor, 'port')) ?? defaults.port,
    ...(url === undefined ? {} : { url: url.replace(/\/$/, '') }),
    ...(tls === undefined ? {} : { tls }),
  };
}

const perSecond: Readonly<Record<string, number>> = { s: 1, m: 1 / 60, h: 1 / 3600 };

/** `5/s` or `90/m`, as requests a second. */
function loadRate(cursor: Cursor, reader: Reader): number | undefined {
  const [count = '', unit = ''] = (text(cursor) ?? '').split('/');
  if (cursor.value === undefined) return undefined;
  const rate = Number(count) * (perSecond[unit] ?? 0);
  return rate > 0 ? rate : reader.complain(cursor, 'bad-value', 'a rate of nothing: no request could ever be sent');
}

type Calling = Pick<Target, 'tls' | 'proxy' | 'rateLimit' | 'casesPerSubscriber' | 'testCarrier'>;

/** How the carrier is called: whom we trust, through which proxy, how often, and whether it is a test carrier. */
export function loadCalling(root: Cursor, reader: Reader): Calling {
  const trust = loadTrust(at(root, 'tls'), reader);
  const proxy = reader.url(at(root, 'proxy'));
  const rateLimit = loadRate(at(root, 'rate_limit'), reader);
  const casesPerSubscriber = reader.number(at(root, 'cases_per_subscriber'));
  const testCarrier = at(root, 'test_carrier').value;
  return {
    ...(trust === undefined ? {} : { tls: trust }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(casesPerSubscriber === undefined ? {} : { casesPerSubscriber }),
    ...(typeof testCarrier === 'boolean' ? { testCarrier } : {}),
  };
}
