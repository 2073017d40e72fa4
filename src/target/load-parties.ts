import { at, type Cursor, place, items, cursorText } from '../suite/yaml/document.ts';
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, parseJson, omitUndefined } from '../lib/json.ts';
import type { Client, ClientKey, Subscriber } from '../model/target.ts';
import { isSigningAlg, type SigningAlgorithm, signingAlgorithms, signingAlgs } from '../model/signing.ts';
import type { GivenClient, GivenKey, GivenSubscriber } from './grammar/target.ts';
import type { GivenSource } from './values.ts';
import { type TargetReader, readCredentialFile, readSource, requireClients, withoutPassword } from './reader.ts';

const quotedUri = (uri: string): string => withoutPassword(JSON.stringify(uri));

/** Loads a URI on our receiver: a path that begins with a slash, or an absolute http or https URL. */
function loadReceiverUri(cursor: Cursor, reader: TargetReader): string | undefined {
  const uri = cursorText(cursor);
  if (uri === undefined || uri.startsWith('/')) return uri;
  if (/^https?:$/.test(URL.canParse(uri) ? new URL(uri).protocol : '')) return uri;
  const message = `${quotedUri(uri)} is no http or https URL, and no path of the receiver: that begins with /`;
  return reader.complain(cursor, 'bad-value', message);
}

/** Schemes that open neither an app nor a page of an SP. */
const unusableSchemes = /^(?:ftp|ws|wss|file|data|javascript|mailto):$/;

/** Loads a registered redirect URI: https, http, or a scheme of the SP's app. */
function loadRedirect(cursor: Cursor, reader: TargetReader): string | undefined {
  const uri = cursorText(cursor);
  if (uri === undefined) return undefined;
  const protocol = URL.canParse(uri) ? new URL(uri).protocol : undefined;
  if (protocol !== undefined && !unusableSchemes.test(protocol)) return uri;
  const message = `${quotedUri(uri)} is no absolute URI with https, http or a scheme of an app`;
  return reader.complain(cursor, 'bad-value', message);
}

/** Loads the usable items of a list and reports the others. */
function loadUris(
  cursor: Cursor | undefined,
  reader: TargetReader,
  load: (item: Cursor, reader: TargetReader) => string | undefined,
): readonly string[] {
  return cursor === undefined ? [] : items(cursor).flatMap((item) => load(item, reader) ?? []);
}

/** Loads a client's redirect URIs. An empty list is a mistake, because every request names one. */
function loadRedirects(cursor: Cursor | undefined, reader: TargetReader): readonly string[] {
  if (cursor !== undefined && Array.isArray(cursor.value) && items(cursor).length === 0) {
    reader.complain(
      cursor,
      'bad-value',
      'a client without a redirect URI can send no request: every request names one',
    );
  }
  return loadUris(cursor, reader, loadRedirect);
}

interface LoadedSubscriber {
  readonly subscriber: Subscriber;
  readonly cursor: Cursor;
}

/** Value that a subscriber must not share. */
interface UniqueValue {
  readonly what: string;
  readonly value: string;
  readonly owner: string;
  readonly cursor: Cursor;
}

function uniqueValues({ subscriber: { name: owner, phone, subs }, cursor }: LoadedSubscriber): readonly UniqueValue[] {
  return [
    ...(phone === undefined ? [] : [{ what: 'the phone', value: phone, owner, cursor: at(cursor, 'phone') }]),
    ...Object.entries(subs).map(([client, value]) => {
      return { what: `the sub for client ${client}`, value, owner, cursor: at(at(cursor, 'subs'), client) };
    }),
  ];
}

/** Reports shared values: two names for one person would let cases disturb each other unnoticed. */
function requireOwn(all: readonly UniqueValue[], reader: TargetReader): void {
  const taken = new Map<string, UniqueValue>();
  for (const own of all) {
    const key = JSON.stringify([own.what, own.value]);
    const first = taken.get(key);
    if (first === undefined) {
      taken.set(key, own);
      continue;
    }
    const message = `${own.what} is that of subscriber ${first.owner} already (line ${place(first.cursor).line})`;
    reader.complain(own.cursor, 'duplicate-id', message);
  }
}

/** Loads the test users, who must be different people. */
export function loadSubscribers(
  given: readonly (readonly [string, GivenSubscriber])[],
  clients: readonly string[],
  reader: TargetReader,
): readonly Subscriber[] {
  const loaded = given.map(([name, { tags = [], phone, subs = [], cursor }]): LoadedSubscriber => {
    const places = subs.map(([client]) => at(at(cursor, 'subs'), client));
    requireClients(places, clients, reader);
    const own = omitUndefined({ phone: reader.text(phone) });
    return { subscriber: { name, tags, ...own, subs: Object.fromEntries(subs) }, cursor };
  });
  requireOwn(loaded.flatMap(uniqueValues), reader);
  return loaded.map(({ subscriber }) => subscriber);
}

/** Loads an SP registration with its keys and secret. */
export function loadClient(name: string, given: GivenClient, reader: TargetReader): Client {
  const { client_id, keys = [], secret, redirect_uris, notification_uris, event_uri, scopes, flags = {} } = given;
  return {
    name,
    clientId: reader.text(client_id) ?? '',
    keys: keys.flatMap((key) => loadKey(key, reader) ?? []),
    ...omitUndefined({
      secret: secret === undefined ? undefined : loadSecret(secret, reader),
      eventUri: event_uri === undefined ? undefined : loadReceiverUri(event_uri, reader),
      scopes,
    }),
    redirectUris: loadRedirects(redirect_uris, reader),
    notificationUris: loadUris(notification_uris, reader, loadReceiverUri),
    flags: Object.fromEntries(
      Object.entries(flags).flatMap(([flag, on]) => (typeof on === 'boolean' ? [[flag, on] as const] : [])),
    ),
  };
}

function loadSecret({ file, cursor }: GivenSource, reader: TargetReader): string | undefined {
  if (file === undefined) return reader.text(cursor);
  const place = at(cursor, 'file');
  const read = readCredentialFile(place, reader);
  if (read === undefined) return undefined;
  const secret = read.content.trim();
  return secret === '' ? reader.complain(place, 'bad-value', `${read.name} is empty`) : secret;
}

/** Loads a private key from its file or variable. The target file's kid and alg override the key's own. */
function loadKey(given: GivenKey, reader: TargetReader): ClientKey | undefined {
  const read = readSource(given, reader);
  if (read === undefined) return undefined;
  const { content, name, place } = read;
  const unusable = (message: string): undefined => reader.complain(place, 'key-unusable', `${name} ${message}`);
  const jwk = content.includes('-----BEGIN') ? pemToJwk(content) : parseJwk(content);
  if (typeof jwk === 'string') return unusable(`is no private ${jwk}`);
  const key = importPrivateKey(jwk);
  if (typeof key === 'string') return unusable(`is no private JWK: ${key}`);
  const alg = given.alg ?? nonEmptyString(jwk['alg']) ?? defaultAlg(jwk);
  const unfit = algMismatch(key, alg) ?? signingFlaw(key, jwk);
  if (unfit !== undefined) return unusable(`cannot be used: ${unfit}`);
  const kid = given.kid ?? nonEmptyString(jwk['kid']);
  if (kid !== undefined) return { kid, alg, jwk };
  return reader.complain(given.cursor, 'key-unusable', `${name} has no kid, and the target file names none`);
}

/** Converts a PEM to a JWK, or says what is wrong with it. */
function pemToJwk(pem: string): JsonObject | string {
  if (!/PRIVATE KEY-----/.test(pem)) return 'key: it is a PEM without a private key';
  if (/ENCRYPTED/.test(pem)) return 'key: it is encrypted';
  try {
    return parseJwk(JSON.stringify(createPrivateKey(pem).export({ format: 'jwk' })));
  } catch {
    return 'key: it is no PEM of a private key';
  }
}

function parseJwk(text: string): JsonObject | string {
  const jwk = parseJson(text);
  return isJsonObject(jwk) ? jwk : 'JWK: it holds no JSON object';
}

const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Imports a key, or says what is wrong without quoting the key. */
function importPrivateKey(jwk: JsonObject): KeyObject | string {
  if (jwk['kty'] !== 'RSA' && jwk['kty'] !== 'EC') return 'kty is neither RSA nor EC';
  if (typeof jwk['d'] !== 'string') return 'it has no private member d';
  try {
    return createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return 'its members are no key';
  }
}

/** Minimum size of an RSA key (RFC 7518 §3.3). */
const leastBits = 2048;

/** Default algorithm of a key: RS256, or the one for its curve. */
function defaultAlg({ kty, crv }: JsonObject): string {
  const ofCurve = Object.entries(signingAlgorithms).find(([, one]) => 'curve' in one && one.curve.jwk === crv);
  return kty === 'RSA' ? 'RS256' : (ofCurve?.[0] ?? 'ES256');
}

function algMismatch({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, alg: string) {
  if (!isSigningAlg(alg)) return `its alg is none of ${signingAlgs.join(', ')}`;
  const algorithm: SigningAlgorithm = signingAlgorithms[alg];
  if (algorithm.curve !== undefined) {
    const fits = type === 'ec' && details?.namedCurve === algorithm.curve.node;
    return fits ? undefined : `${alg} needs an EC key on the curve ${algorithm.curve.jwk}`;
  }
  if (type !== 'rsa') return `${alg} needs an RSA key`;
  const bits = details?.modulusLength ?? 0;
  return bits < leastBits ? `${alg} needs at least ${leastBits} bits, and it has ${bits}` : undefined;
}

/** Explains why a key cannot sign. Unreported, the carrier would seem to refuse every signature, or the run would fail halfway. */
function signingFlaw(key: KeyObject, jwk: JsonObject): string | undefined {
  const operations = jwk['key_ops'];
  if (operations !== undefined && JSON.stringify(operations) !== '["sign"]') return 'its key_ops are not ["sign"]';
  try {
    const probe = Buffer.from('probe');
    if (verify('sha256', probe, createPublicKey(key), sign('sha256', probe, key))) return undefined;
  } catch {
    // Falls through to the general message, because a more exact one would quote the key.
  }
  return 'its private and public members do not belong together';
}
