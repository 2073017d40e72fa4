import { at, type Cursor, items, text } from '../suite/yaml/document.ts';
import { isIP } from 'node:net';
import { defined } from '../lib/optional.ts';
import type { Target, WrongReceiver } from '../model/target.ts';
import type { GivenTarget } from './grammar/target.ts';
import { loadCertificates, loadIdentity } from './load-calling.ts';
import type { Reader } from './reader.ts';

type GivenReceiver = NonNullable<GivenTarget['receiver']>;

/** The receiver with a wrong certificate; https, since without TLS no certificate is shown. */
function loadWrongReceiver(given: GivenReceiver['wrong_certificate'], reader: Reader): WrongReceiver | undefined {
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

const widest: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Addresses and CIDR ranges. */
function loadSources(cursor: Cursor, reader: Reader): readonly string[] {
  return items(cursor).flatMap((item) => {
    const source = text(item) ?? '';
    const [address = '', bits, ...more] = source.split('/');
    const most = widest[isIP(address)];
    if (most !== undefined && Number(bits) === 0) {
      reader.complain(item, 'bad-value', `${JSON.stringify(source)} is every address: it locks nobody out`);
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

function loadAuthorities({ clients: given, tls }: GivenReceiver, reader: Reader): string | undefined {
  if (given?.ca === undefined) return undefined;
  if (tls !== undefined) return loadCertificates(given.ca, reader)?.[0];
  const message = 'without "tls" the receiver speaks http, and nobody shows it a certificate';
  return reader.complain(given.cursor, 'bad-value', message);
}

/** By what deliveries of the carrier are told from others, beside the registered URIs. */
const loadLocks = (given: GivenReceiver, reader: Reader) => ({
  sources: given.sources === undefined ? undefined : loadSources(at(given.cursor, 'sources'), reader),
  clientAuthorities: loadAuthorities(given, reader),
});

/** Where the SP's endpoints are during a run. */
export function loadReceiver(given: GivenTarget['receiver'], reader: Reader): Target['receiver'] {
  return {
    host: reader.text(given?.host) ?? '127.0.0.1',
    port: reader.port(given?.port) ?? 0,
    ...defined({
      url: reader.url(given?.url)?.replace(/\/$/, ''),
      tls: loadIdentity(given?.tls, reader),
      ...(given === undefined ? {} : loadLocks(given, reader)),
      wrongCertificate: loadWrongReceiver(given?.wrong_certificate, reader),
    }),
  };
}
