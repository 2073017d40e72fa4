import { at, type Cursor, items, cursorText } from '../suite/yaml/document.ts';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { omitUndefined } from '../lib/json.ts';
import type { CancelCall, Identity, Target, TlsTrust, WrongReceiver } from '../model/target.ts';
import type { GivenTarget } from './grammar/target.ts';
import type { GivenSource } from './values.ts';
import { type TargetReader, readSource } from './reader.ts';
import { compileOptionalMap } from './templates.ts';
import { isIP } from 'node:net';

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Loads PEM certificates and reports unreadable ones. */
function loadCertificates(
  given: GivenSource,
  reader: TargetReader,
): readonly [pem: string, first: X509Certificate] | undefined {
  const read = readSource(given, reader);
  if (read === undefined) return undefined;
  const found = read.content.match(certificatePattern) ?? [];
  const unusable = (message: string): undefined =>
    reader.complain(read.place, 'key-unusable', `${read.name} ${message}`);
  try {
    const [first] = found.map((pem) => new X509Certificate(pem));
    return first === undefined ? unusable('holds no certificate in PEM') : [found.join('\n'), first];
  } catch {
    return unusable('holds a certificate that cannot be read');
  }
}

function loadPrivateKey(given: GivenSource, reader: TargetReader): readonly [pem: string, key: KeyObject] | undefined {
  const read = readSource(given, reader);
  if (read === undefined) return undefined;
  try {
    return [read.content, createPrivateKey(read.content)];
  } catch {
    const why = /ENCRYPTED/.test(read.content) ? 'is encrypted' : 'holds no private key in PEM';
    return reader.complain(read.place, 'key-unusable', `${read.name} ${why}`);
  }
}

interface GivenIdentity {
  readonly cert?: GivenSource;
  readonly key?: GivenSource;
  readonly cursor: Cursor;
}

/** Loads `cert` and `key` of a mapping, and reports a pair that does not match. */
export function loadIdentity(given: GivenIdentity | undefined, reader: TargetReader): Identity | undefined {
  const { cert, key } = given ?? {};
  if (given === undefined || (cert === undefined && key === undefined)) return undefined;
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? 'cert' : 'key';
    return reader.complain(given.cursor, 'missing-key', `"cert" and "key" go together: there is no "${missing}"`);
  }
  const [certificate, privateKey] = [loadCertificates(cert, reader), loadPrivateKey(key, reader)];
  if (certificate === undefined || privateKey === undefined) return undefined;
  if (certificate[1].checkPrivateKey(privateKey[1])) return { cert: certificate[0], key: privateKey[0] };
  return reader.complain(key.cursor, 'key-unusable', 'the private key is not that of the certificate');
}

function loadTrust(given: GivenTarget['tls'], reader: TargetReader): TlsTrust | undefined {
  if (given === undefined) return undefined;
  const [ca] = (given.ca === undefined ? undefined : loadCertificates(given.ca, reader)) ?? [];
  return omitUndefined({ ca, identity: loadIdentity(given, reader), minVersion: given.min_version });
}

const rateUnits: Readonly<Record<string, number>> = { s: 1, m: 1 / 60, h: 1 / 3600 };

/** Converts `5/s` or `90/m` to requests per second. */
function loadRate({ rate_limit: given, cursor }: GivenTarget, reader: TargetReader): number | undefined {
  if (given === undefined) return undefined;
  const [count = '', unit = ''] = given.split('/');
  const rate = Number(count) * (rateUnits[unit] ?? 0);
  if (rate > 0) return rate;
  return reader.complain(
    at(cursor, 'rate_limit'),
    'bad-value',
    'a rate of 0 would send no request: write at least 1, such as 1/m',
  );
}

function loadCancel(given: GivenTarget['cancel'], reader: TargetReader): CancelCall | undefined {
  if (given === undefined) return undefined;
  const { method = 'POST', as = 'form', member = 'auth_req_id', parameters, headers, cursor } = given;
  if (method === 'GET' && as !== 'query') {
    reader.complain(at(cursor, 'method'), 'bad-value', 'a GET has no body: write "as: query"');
  }
  return {
    method,
    as,
    member,
    ...omitUndefined({
      parameters: compileOptionalMap(parameters, reader),
      headers: compileOptionalMap(headers, reader),
    }),
    env: reader.env,
  };
}

/** Reports placeholders in the cancel URL other than the request's id. */
function requireKnownPlaceholders(cursor: Cursor, url: string, reader: TargetReader): void {
  for (const [, name = ''] of url.matchAll(/\{(\w+)\}/g)) {
    if (name === 'auth_req_id') continue;
    reader.complain(cursor, 'unknown-name', `the cancel URL may hold {auth_req_id}, not {${name}}`);
  }
}

/** Reports an issuer with a query or fragment (OpenID Connect Discovery §3). */
function loadIssuer(cursor: Cursor | undefined, reader: TargetReader): string | undefined {
  const url = reader.url(cursor);
  if (cursor === undefined || url === undefined || !/[?#]/.test(url)) return url;
  return reader.complain(cursor, 'bad-value', 'an issuer is a URL without a query and without a fragment');
}

const originMessage = 'an origin is a scheme and a host, such as https://keys.carrier.example or http://10.0.0.1:8080';

/** Loads one origin, written as a URL. */
function loadOrigin(cursor: Cursor, reader: TargetReader): readonly string[] {
  const url = reader.url(cursor);
  if (url === undefined) return [];
  const { origin, href, hostname } = new URL(url);
  const mistake = hostname.includes('*')
    ? 'an origin has no wildcard: each is listed'
    : href === `${origin}/`
      ? undefined
      : originMessage;
  if (mistake === undefined) return [origin];
  reader.complain(cursor, 'bad-value', mistake);
  return [];
}

/** Loads the carrier's addresses: from discovery, from the file, or from both. */
export function loadAddresses(
  given: GivenTarget,
  reader: TargetReader,
): Pick<Target, 'discovery' | 'issuer' | 'endpoints' | 'origins'> {
  const { discovery, issuer, endpoints, origins, events, cursor } = given;
  if (discovery === undefined && endpoints?.server_initiated === undefined) {
    const message = 'the target needs "discovery", or "endpoints" with "server_initiated"';
    reader.complain(cursor, 'missing-key', message);
  }
  const { cursor: _, ...places } = { cursor, ...endpoints };
  const urls = Object.entries(places).flatMap(([name, place]) => {
    const url = reader.url(place);
    if (name === 'cancel' && url !== undefined) requireKnownPlaceholders(place, url, reader);
    return url === undefined ? [] : [[name, url] as const];
  });
  return {
    ...omitUndefined({
      discovery: loadIssuer(discovery, reader),
      issuer: loadIssuer(issuer, reader),
      origins: origins?.flatMap((one) => loadOrigin(one, reader)),
    }),
    endpoints: { ...Object.fromEntries(urls), ...omitUndefined({ event_jwks: reader.url(events?.jwks) }) },
  };
}

/** Reports a user name or password that cannot be percent-decoded, because both are sent decoded. */
function loadProxy(given: Cursor | undefined, reader: TargetReader): string | undefined {
  const url = reader.url(given);
  if (given === undefined || url === undefined) return undefined;
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(username + password);
    return url;
  } catch {
    return reader.complain(
      given,
      'bad-value',
      'the user name or password has a "%" that begins no escape: write it as %25',
    );
  }
}

/** Loads how to call the carrier: trust, proxy, rate, and how to cancel a request. */
export function loadCallSettings(given: GivenTarget, reader: TargetReader) {
  return omitUndefined({
    tls: loadTrust(given.tls, reader),
    proxy: loadProxy(given.proxy, reader),
    rateLimit: loadRate(given, reader),
    cancel: loadCancel(given.cancel, reader),
  });
}

type GivenReceiver = NonNullable<GivenTarget['receiver']>;

/** Loads the receiver with a wrong certificate. It must be https, because only TLS shows a certificate. */
function loadWrongReceiver(given: GivenReceiver['wrong_certificate'], reader: TargetReader): WrongReceiver | undefined {
  const uri = reader.url(given?.uri);
  if (given === undefined || uri === undefined) return undefined;
  const { protocol, port } = new URL(uri);
  if (protocol !== 'https:') {
    const message = 'a receiver without TLS shows no certificate: write an https URI';
    return reader.complain(at(given.cursor, 'uri'), 'bad-value', message);
  }
  return {
    host: reader.text(given.host) ?? '127.0.0.1',
    port: reader.port(given.port) ?? (port === '' ? 443 : Number(port)),
    uri,
  };
}

const maxPrefixBits: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

function loadSources(cursor: Cursor, reader: TargetReader): readonly string[] {
  return items(cursor).flatMap((item) => {
    const source = cursorText(item) ?? '';
    const [address = '', bits, ...more] = source.split('/');
    const most = maxPrefixBits[isIP(address)];
    if (most !== undefined && Number(bits) === 0) {
      reader.complain(item, 'bad-value', `${JSON.stringify(source)} is every address: it keeps no sender out`);
      return [];
    }
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (most ?? 0));
    if (most !== undefined && isRange && more.length === 0) return [source];
    reader.complain(
      item,
      'bad-value',
      `${JSON.stringify(source)} is no address and no CIDR range, as 192.0.2.0/24 is one`,
    );
    return [];
  });
}

function loadAuthorities({ clients: given, tls }: GivenReceiver, reader: TargetReader): string | undefined {
  if (given?.ca === undefined) return undefined;
  if (tls !== undefined) return loadCertificates(given.ca, reader)?.[0];
  const message = 'without "tls" the receiver speaks http, where no sender shows a certificate';
  return reader.complain(given.cursor, 'bad-value', message);
}

/** Loads the means to authenticate deliveries, in addition to registered URIs. */
const loadAuthentication = (given: GivenReceiver, reader: TargetReader) => ({
  sources: given.sources === undefined ? undefined : loadSources(at(given.cursor, 'sources'), reader),
  clientAuthorities: loadAuthorities(given, reader),
});

export function loadReceiver(given: GivenTarget['receiver'], reader: TargetReader): Target['receiver'] {
  return {
    host: reader.text(given?.host) ?? '127.0.0.1',
    port: reader.port(given?.port) ?? 0,
    ...omitUndefined({
      url: reader.url(given?.url)?.replace(/\/$/, ''),
      tls: loadIdentity(given?.tls, reader),
      ...(given === undefined ? {} : loadAuthentication(given, reader)),
      wrongCertificate: loadWrongReceiver(given?.wrong_certificate, reader),
    }),
  };
}
