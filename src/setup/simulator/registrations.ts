import { at, type Cursor, entries, items, cursorText } from '../../suite/yaml/document.ts';
import { createHash, createPublicKey } from 'node:crypto';
import { launchScopes } from '../../interfaces/server-initiated/registration.ts';
import { isJsonObject, type Json, type JsonObject, parseJson, renderPlain, isList } from '../../lib/json.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { GivenSimulatedClient, GivenSimulatedSubscriber } from '../../target/grammar/simulator.ts';
import { clientFlags } from '../../target/values.ts';
import { type TargetReader, readSource, requireClients } from '../../target/reader.ts';

const standardScopes = [...launchScopes, 'events'];

const defaultFlags = Object.fromEntries(Object.keys(clientFlags).map((flag) => [flag, flag === 'server_initiated']));

const defaultAlgorithms: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256' };
const registeredMembers = ['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'alg', 'use'];
const leastBits = 2048;

/** Explains why a public key is unusable, without quoting it. */
function explainUnusableKey(jwk: JsonObject): string | undefined {
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

function loadPublicKey(jwk: Json | undefined, place: Cursor, reader: TargetReader): readonly JsonObject[] {
  if (!isJsonObject(jwk)) return reader.complain(place, 'key-unusable', 'this holds no JWK') ?? [];
  const why = explainUnusableKey(jwk);
  if (why !== undefined) return reader.complain(place, 'key-unusable', `this key cannot be used: ${why}`) ?? [];
  const kept = registeredMembers.flatMap((name) => {
    const member = jwk[name];
    return member === undefined ? [] : [[name, member] as const];
  });
  return [{ alg: defaultAlgorithms[renderPlain(jwk['kty'])] ?? '', ...Object.fromEntries(kept) }];
}

/** Public keys from the file itself, and from a JWK set or single JWK elsewhere. */
function loadKeys({ keys = [], jwks }: GivenSimulatedClient, reader: TargetReader): readonly JsonObject[] {
  const inline = keys.flatMap((one) => loadPublicKey(one.value, one, reader));
  const read = jwks === undefined ? undefined : readSource(jwks, reader);
  if (read === undefined) return inline;
  const parsed = parseJson(read.content);
  const list = isJsonObject(parsed) && isList(parsed['keys']) ? parsed['keys'] : [parsed];
  return [...inline, ...list.flatMap((jwk) => loadPublicKey(jwk, read.place, reader))];
}

const isLocalUrl = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopback(hostname);

/** Reports a callback over plain http, which only a receiver on this machine may use, and other unusable URLs. */
interface ClientLoading {
  /** Base URL for URIs that begin with /. */
  readonly receiver: string;
  readonly reader: TargetReader;
}

function requireReceiverUri(what: string, cursor: Cursor, { receiver, reader }: ClientLoading): string {
  const written = cursorText(cursor) ?? '';
  const uri = written.startsWith('/') ? `${receiver}${written}` : written;
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const good = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (!good || !(url.protocol === 'https:' || isLocalUrl(url))) {
    reader.complain(cursor, 'bad-value', `${what} goes to an https URL, or to http on this machine`);
  }
  return uri;
}

function requireSimulatedRedirect(cursor: Cursor, reader: TargetReader): void {
  const uri = cursorText(cursor) ?? '';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme !== undefined && !['http', 'javascript', 'data', 'file'].includes(scheme) && !uri.includes('*')) return;
  reader.complain(cursor, 'bad-value', 'a redirect_uri is https or of a scheme of its own, without wildcards (§2.3)');
}

export function loadSimulatedClient(name: string, given: GivenSimulatedClient, loading: ClientLoading): JsonObject {
  const { reader } = loading;
  const { cursor, secret, redirect_uris: redirects = [], flags: on, event_uri: eventUri } = given;
  const clientId = reader.text(given.client_id) ?? '';
  const source = secret === undefined ? undefined : readSource(secret, reader);
  const callback = (place: Cursor): string => requireReceiverUri('a callback', place, loading);
  for (const place of items(at(cursor, 'redirect_uris'))) requireSimulatedRedirect(place, reader);
  return {
    client_id: clientId,
    name,
    keys: loadKeys(given, reader),
    ...(source === undefined ? {} : { secret: source.content.trim() }),
    redirect_uris: redirects.length === 0 ? ['https://sp.example/callback'] : redirects,
    notification_uris: items(at(cursor, 'notification_uris')).map(callback),
    ...(eventUri === undefined
      ? {}
      : { event_uri: requireReceiverUri('an event', at(cursor, 'event_uri'), loading), event_subscription: true }),
    flags: { ...defaultFlags, ...on },
    scopes: given.scopes ?? standardScopes,
    sector: given.sector ?? clientId,
    disabled: given.disabled === true,
  };
}

interface SubscriberLoading {
  readonly mccmnc: string;
  readonly clients: readonly string[];
  readonly reader: TargetReader;
}

/** Derived from the names, so that an SP's fixtures stay valid. */
const testSub = (mccmnc: string, client: string, name: string): string =>
  `${mccmnc}-${createHash('sha256').update(`${client}\n${name}`).digest('hex').slice(0, 20)}`;

/** Attributes of every subscriber; those of the file override them. */
const testProfile = (name: string, phone: string): JsonObject => ({
  name: { value: `Test ${name}`, given_name: 'Test', family_name: name },
  email: { value: `${name.replaceAll(/[^A-Za-z0-9.-]/g, '-')}@subscriber.example` },
  phone: { value: phone },
  postal_code: { value: '62701' },
  birthdate: { value: '1990-04-01' },
});

export function loadSimulatedSubscriber(
  name: string,
  given: GivenSimulatedSubscriber,
  { mccmnc, clients, reader }: SubscriberLoading,
): JsonObject {
  const { phone = '', enrolled = true, profile, cursor } = given;
  const [subs, consents] = [new Map(given.subs), given.consents && new Map(given.consents)];
  for (const key of ['subs', 'consents']) {
    const places = entries(at(cursor, key)).map(([, place]) => place);
    requireClients(places, clients, reader);
  }
  for (const [client, sub] of subs) {
    if (sub.startsWith(`${mccmnc}-`)) continue;
    const message = `a subscriber id begins with the carrier code and a dash: ${mccmnc}-`;
    reader.complain(at(at(cursor, 'subs'), client), 'bad-value', message);
  }
  const consented = (client: string): readonly string[] =>
    consents === undefined ? ['openid'] : (consents.get(client) ?? []);
  return {
    name,
    phone,
    enrolled,
    profile: { ...testProfile(name, phone), ...(isJsonObject(profile?.value) ? profile.value : {}) },
    account: { plan: 'postpaid', holder: true, email_verified: true },
    consents: Object.fromEntries(clients.map((client) => [client, consented(client)])),
    subs: Object.fromEntries(clients.map((client) => [client, subs.get(client) ?? testSub(mccmnc, client, name)])),
  };
}
