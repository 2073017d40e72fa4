import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Identity, TlsTrust } from '../model/target.ts';
import { at, type Cursor, text } from '../suite/yaml/cursor.ts';
import type { Reader } from './reader.ts';
import { readSource } from './read-source.ts';

const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Certificates in PEM, each of which can be read. */
function loadCertificates(cursor: Cursor, reader: Reader): readonly [pem: string, first: X509Certificate] | undefined {
  const read = readSource(cursor, reader);
  if (read === undefined) return undefined;
  const found = read.content.match(certificates) ?? [];
  const unusable = (message: string): undefined =>
    reader.complain(read.place, 'key-unusable', `${read.name} ${message}`);
  try {
    const [first] = found.map((pem) => new X509Certificate(pem));
    return first === undefined ? unusable('holds no certificate in PEM') : [found.join('\n'), first];
  } catch {
    return unusable('holds a certificate that cannot be read');
  }
}

function loadPrivateKey(cursor: Cursor, reader: Reader): readonly [pem: string, key: KeyObject] | undefined {
  const read = readSource(cursor, reader);
  if (read === undefined) return undefined;
  try {
    return [read.content, createPrivateKey(read.content)];
  } catch {
    const why = /ENCRYPTED/.test(read.content) ? 'is encrypted' : 'holds no private key in PEM';
    return reader.complain(read.place, 'key-unusable', `${read.name} ${why}`);
  }
}

/** `cert` and `key` of a mapping, where they belong together. */
export function loadIdentity(cursor: Cursor, reader: Reader): Identity | undefined {
  const [cert, key] = [at(cursor, 'cert'), at(cursor, 'key')];
  if (cert.value === undefined && key.value === undefined) return undefined;
  if (cert.value === undefined || key.value === undefined) {
    const missing = cert.value === undefined ? 'cert' : 'key';
    return reader.complain(cursor, 'missing-key', `"cert" and "key" go together: there is no "${missing}"`);
  }
  const [certificate, privateKey] = [loadCertificates(cert, reader), loadPrivateKey(key, reader)];
  if (certificate === undefined || privateKey === undefined) return undefined;
  if (certificate[1].checkPrivateKey(privateKey[1])) return { cert: certificate[0], key: privateKey[0] };
  return reader.complain(key, 'key-unusable', 'the private key is not that of the certificate');
}

const versions = ['TLSv1.2', 'TLSv1.3'] as const;

/** Whom to trust, and who we are, when we call the carrier. */
export function loadTrust(cursor: Cursor, reader: Reader): TlsTrust | undefined {
  if (cursor.value === undefined) return undefined;
  const ca = at(cursor, 'ca').value === undefined ? undefined : loadCertificates(at(cursor, 'ca'), reader);
  const identity = loadIdentity(cursor, reader);
  const minVersion = versions.find((one) => one === text(at(cursor, 'min_version')));
  return {
    ...(ca === undefined ? {} : { ca: ca[0] }),
    ...(identity === undefined ? {} : { identity }),
    ...(minVersion === undefined ? {} : { minVersion }),
  };
}
