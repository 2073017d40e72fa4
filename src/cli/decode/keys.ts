import { verifiesWith } from '../../judge/checks/events/verify-jws.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../model/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { createSender } from '../../wire/send.ts';
import { readInputFile } from './input.ts';

/** Seconds to fetch a key set. */
const requestTimeout = 10;

async function fetchText(url: string): Promise<string> {
  const sender = createSender({ requestTimeout, connections: 1 });
  try {
    const sent = await sender.send({ method: 'GET', url, headers: [['accept', 'application/json']] });
    if ('response' in sent && sent.response.status === 200) return sent.response.body.toString('utf8');
    const why =
      'response' in sent ? `HTTP ${sent.response.status}` : `${sent.noResponse.reason} (${sent.noResponse.detail})`;
    throw new CarrierspecError(`--jwks: ${url}: ${why}`, { code: 'jwks-unreachable' });
  } finally {
    await sender.close();
  }
}

async function textOf(source: string): Promise<string> {
  if (/^https?:\/\//i.test(source)) return fetchText(source);
  const text = await readInputFile(source);
  if (text !== undefined) return text;
  throw new CarrierspecError(`--jwks: ${source}: there is no such file`, { code: 'bad-flag' });
}

function keysOf(value: Json | undefined): readonly JsonObject[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const keys = value['keys'];
  if (Array.isArray(keys)) return keys.filter(isJsonObject);
  return typeof value['kty'] === 'string' ? [value] : undefined;
}

/** The keys of a JWK set, or one JWK, in a file or at a URL. */
export async function readKeys(source: string): Promise<readonly JsonObject[]> {
  const keys = keysOf(parseJson(await textOf(source)));
  if (keys !== undefined) return keys;
  throw new CarrierspecError(`--jwks: ${source} holds no JWK set`, { code: 'bad-flag' });
}

/** What became of a signature: the kid of the key that verifies it, or why none does. */
export interface Verified {
  readonly verified: boolean;
  readonly description: string;
}

function tryKey(jws: string, key: JsonObject, alg: Json | undefined): boolean {
  try {
    return verifiesWith(jws, key, alg);
  } catch {
    return false;
  }
}

/** RFC 7515 §6: the key that kid names, else every key. */
export function verifyWith(jws: string, header: JsonObject, keys: readonly JsonObject[]): Verified {
  const { kid, alg } = header;
  const named = kid === undefined ? [] : keys.filter((key) => key['kid'] === kid);
  const tried = named.length > 0 ? named : keys;
  const found = tried.find((key) => tryKey(jws, key, alg));
  if (found !== undefined) {
    const name = found['kid'] === undefined ? 'without a kid' : JSON.stringify(found['kid']);
    const other = kid !== undefined && named.length === 0 ? `, though the header names ${JSON.stringify(kid)}` : '';
    return { verified: true, description: `verified with key ${name}${other}` };
  }
  const whose = named.length > 0 ? `the key ${JSON.stringify(kid)}` : `any of ${keys.length} keys`;
  return { verified: false, description: `does not verify with ${whose} (alg ${JSON.stringify(alg ?? null)})` };
}
