import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import type { Client, ClientKey } from '../model/target.ts';
import { at, type Cursor, entries, items, text, texts } from '../suite/cursor.ts';
import type { Reader } from './reader.ts';

/** A JWK is small; whatever is larger is no key. */
const mostBytes = 64 * 1024;

/** One SP registration of the target file, its keys read from their files. */
export function loadClient(name: string, cursor: Cursor, reader: Reader): Client {
  const secret = loadSecret(at(cursor, 'secret'), reader);
  return {
    name,
    clientId: reader.text(at(cursor, 'client_id')) ?? '',
    keys: items(at(cursor, 'keys')).flatMap((key) => loadKey(key, reader) ?? []),
    ...(secret === undefined ? {} : { secret }),
    redirectUris: texts(at(cursor, 'redirect_uris')) ?? [],
    notificationUris: texts(at(cursor, 'notification_uris')) ?? [],
    flags: Object.fromEntries(entries(at(cursor, 'flags')).map(([flag, { value }]) => [flag, value === true] as const)),
  };
}

function loadSecret(cursor: Cursor, reader: Reader): string | undefined {
  if (cursor.value === undefined) return undefined;
  const file = text(at(cursor, 'file'));
  if (file === undefined) return reader.text(cursor);
  return readSmall(at(cursor, 'file'), file, reader)?.trim();
}

function readSmall(cursor: Cursor, file: string, reader: Reader): string | undefined {
  try {
    const content = readFileSync(resolve(reader.folder, file));
    if (content.length <= mostBytes) return content.toString('utf8');
    reader.complain(cursor, 'file-unreadable', `${file} is larger than ${mostBytes} bytes`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    reader.complain(
      cursor,
      'file-unreadable',
      `${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}`,
    );
  }
  return undefined;
}

const algorithms: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256' };

function loadKey(cursor: Cursor, reader: Reader): ClientKey | undefined {
  const place = at(cursor, 'file');
  const file = reader.text(place);
  const content = file === undefined ? undefined : readSmall(place, file, reader);
  if (file === undefined || content === undefined) return undefined;
  const jwk = parseJwk(content);
  const unusable = jwk === undefined ? 'it holds no JSON object' : whyUnusable(jwk);
  if (jwk === undefined || unusable !== undefined) {
    reader.complain(place, 'key-unusable', `${file} is no private JWK: ${unusable}`);
    return undefined;
  }
  const kid = text(at(cursor, 'kid')) ?? stringOf(jwk['kid']);
  if (kid === undefined) reader.complain(cursor, 'key-unusable', `${file} has no kid, and the target file names none`);
  const alg = text(at(cursor, 'alg')) ?? stringOf(jwk['alg']) ?? algorithms[stringOf(jwk['kty']) ?? ''] ?? 'RS256';
  return { kid: kid ?? '', alg, jwk };
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function parseJwk(content: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(content);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Says what is wrong without a word of the key itself. */
function whyUnusable(jwk: JsonObject): string | undefined {
  if (jwk['kty'] !== 'RSA' && jwk['kty'] !== 'EC') return 'kty is neither RSA nor EC';
  if (typeof jwk['d'] !== 'string') return 'it has no private member d';
  try {
    createPrivateKey({ key: { ...jwk }, format: 'jwk' });
    return undefined;
  } catch {
    return 'its members are no key';
  }
}
