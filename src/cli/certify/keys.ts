import { readFileSync, statSync } from 'node:fs';
import { type CertificateKey, parsePublicKeys, parseSigningKey } from '../../certificate/keys.ts';
import { type Json, parseJson } from '../../model/json.ts';
import { CarrierspecError } from '../../model/problem.ts';

/** Bytes; a JWK Set of many keys has some kilobytes. */
const largestKey = 1 << 20;

function stop(message: string, cause?: unknown): CarrierspecError {
  return new CarrierspecError(`--key: ${message}`, {
    code: 'key-unusable',
    ...(cause === undefined ? {} : { cause }),
  });
}

function readJson(file: string): Json {
  let text: string;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw stop(`${file} is no file`);
    if (stat.size > largestKey) throw stop(`${file} is larger than ${largestKey} bytes`);
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof CarrierspecError) throw cause;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw stop(`${file} cannot be read: ${why}`, cause);
  }
  const value = parseJson(text);
  if (value === undefined) throw stop(`${file} is no JWK: it is not JSON`);
  return value;
}

/** The private JWK of `certify --key`. Throws in words that say nothing of the key itself. */
export async function readSigningKey(file: string): Promise<CertificateKey> {
  const key = await parseSigningKey(readJson(file));
  if ('wrong' in key) throw stop(`${file} ${key.wrong}`);
  return key;
}

/** The public JWK or JWK Set of `verify --key`. */
export async function readPublicKeys(file: string): Promise<readonly CertificateKey[]> {
  const keys = await parsePublicKeys(readJson(file));
  if ('wrong' in keys) throw stop(`${file} ${keys.wrong}`);
  return keys;
}
