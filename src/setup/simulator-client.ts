import { createPublicKey } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, parseJson, plainText } from '../model/json.ts';
import { at, type Cursor, entries, isList, items, text, texts } from '../suite/yaml/cursor.ts';
import { readSource } from '../target/read-source.ts';
import type { Reader } from '../target/reader.ts';

const standard = [
  'openid',
  'name',
  'email',
  'phone',
  'postal_code',
  'address',
  'birthdate',
  'offline_access',
  'events',
];

const flags = [
  'server_initiated',
  'silent_authorization_enabled',
  'enum_enabled',
  'usertraits_enabled',
  'ial_enabled',
  'events',
];

const algorithms: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256' };
const publicMembers = ['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'alg', 'use'];
const leastBits = 2048;

/** What is wrong with a public key, without a word of it. */
function whyUnusable(jwk: JsonObject): string | undefined {
  if (typeof jwk['d'] === 'string')
    return 'it is a private key: register its public members only, and keep it to the SP';
  if (typeof jwk['kid'] !== 'string') return 'it has no kid';
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
    const fits = namedCurve === 'prime256v1' || (modulusLength ?? 0) >= leastBits;
    return fits ? undefined : 'it is neither RSA of 2048 bits or more nor EC on P-256';
  } catch {
    return 'its members are no public key';
  }
}

function loadPublicKey(jwk: Json | undefined, place: Cursor, reader: Reader): readonly JsonObject[] {
  if (!isJsonObject(jwk)) return reader.complain(place, 'key-unusable', 'this holds no JWK') ?? [];
  const why = whyUnusable(jwk);
  if (why !== undefined) return reader.complain(place, 'key-unusable', `this key cannot be used: ${why}`) ?? [];
  const kept = publicMembers.flatMap((name) => {
    const member = jwk[name];
    return member === undefined ? [] : [[name, member] as const];
  });
  return [{ alg: algorithms[plainText(jwk['kty'])] ?? '', ...Object.fromEntries(kept) }];
}

/** Public keys: written here, or a JWK set or one JWK elsewhere. */
function loadKeys(cursor: Cursor, reader: Reader): readonly JsonObject[] {
  const inline = items(at(cursor, 'keys')).flatMap((one) => loadPublicKey(one.value, one, reader));
  const place = at(cursor, 'jwks');
  if (place.value === undefined) return inline;
  const read = readSource(place, reader);
  const parsed = read === undefined ? undefined : parseJson(read.content);
  if (read === undefined) return inline;
  const list = isJsonObject(parsed) && isList(parsed['keys']) ? parsed['keys'] : [parsed];
  return [...inline, ...list.flatMap((jwk) => loadPublicKey(jwk, read.place, reader))];
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);

/** Plain http is for a receiver on this machine only, as with any carrier. */
function loadUri(cursor: Cursor, receiver: string, reader: Reader): string {
  const written = text(cursor) ?? '';
  const uri = written.startsWith('/') ? `${receiver}${written}` : written;
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const good = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (good && (url.protocol === 'https:' || isLoopback(url))) return uri;
  reader.complain(cursor, 'bad-value', 'a callback goes to an https URL, or to http on this machine');
  return 'https://sp.example/';
}

function loadRedirect(cursor: Cursor, reader: Reader): string {
  const uri = text(cursor) ?? '';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme !== undefined && !['http', 'javascript', 'data', 'file'].includes(scheme) && !uri.includes('*'))
    return uri;
  reader.complain(cursor, 'bad-value', 'a redirect_uri is https or of a scheme of its own, without wildcards (§2.3)');
  return 'https://sp.example/';
}

interface Given {
  readonly receiver: string;
  readonly reader: Reader;
}

/** An SP registration as the reference carrier wants it. */
export function loadSimulatedClient(name: string, cursor: Cursor, { receiver, reader }: Given): JsonObject {
  const clientId = reader.text(at(cursor, 'client_id')) ?? '';
  const secret = at(cursor, 'secret').value === undefined ? undefined : readSource(at(cursor, 'secret'), reader);
  const eventUri = at(cursor, 'event_uri');
  const on = new Map(entries(at(cursor, 'flags')).map(([flag, { value }]) => [flag, value === true] as const));
  const redirects = items(at(cursor, 'redirect_uris')).map((one) => loadRedirect(one, reader));
  return {
    client_id: clientId,
    name,
    keys: loadKeys(cursor, reader),
    ...(secret === undefined ? {} : { secret: secret.content.trim() }),
    redirect_uris: redirects.length === 0 ? ['https://sp.example/callback'] : redirects,
    notification_uris: items(at(cursor, 'notification_uris')).map((one) => loadUri(one, receiver, reader)),
    ...(eventUri.value === undefined
      ? {}
      : { event_uri: loadUri(eventUri, receiver, reader), event_subscription: true }),
    flags: Object.fromEntries(flags.map((flag) => [flag, on.get(flag) ?? flag === 'server_initiated'])),
    scopes: texts(at(cursor, 'scopes')) ?? standard,
    sector: text(at(cursor, 'sector')) ?? clientId,
    disabled: at(cursor, 'disabled').value === true,
  };
}
