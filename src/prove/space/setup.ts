import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject, parseOwnJson } from '../../lib/json.ts';
import { packageRoot, referenceFolder } from '../../setup/paths.ts';
import type { IdShape, KeyType, Setup } from './freedoms-grammar.ts';

const alphabets: Readonly<Record<NonNullable<IdShape['characters']>, string>> = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  letters: 'abcdefghijklmnopqrstuvwxyz',
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
};

/** Id of this shape; the same name gives the same id. */
function idOf(name: string, { prefix = '', length = 20, characters = 'hex' }: IdShape): string {
  const alphabet = alphabets[characters];
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${name} ${block}`).digest(),
  );
  const wanted = Buffer.concat(bytes).subarray(0, length);
  const letters = Array.from(wanted, (byte) => alphabet[byte % alphabet.length]);
  return `${prefix}${letters.join('')}`;
}

/** Private key of a client, and its file in the target's folder. */
interface DrawnKey {
  readonly file: string;
  readonly jwk: JsonObject;
}

let pool: JsonObject | undefined;

function readObject(file: string): JsonObject {
  const value = parseOwnJson(readFileSync(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${file} is no JSON object`);
  return value;
}

/** Key made beforehand: making one takes seconds, and no two draws would be alike. */
function keyAt(type: KeyType, at: number): JsonObject {
  pool ??= readObject(`${packageRoot}/fixtures/space/keys.json`);
  const keys = pool[type];
  const jwk = isJsonObject(keys) ? keys[at] : undefined;
  if (!isJsonObject(jwk)) throw new Error(`fixtures/space/keys.json has no ${type} number ${at}`);
  return jwk;
}

const referenceKey = (file: string): JsonObject => readObject(`${referenceFolder}/${file}`);

const algOf = (type: KeyType): string => (type === 'es256' ? 'ES256' : 'RS256');

/** Index of each role's first key in the pool. */
const firstOf: Readonly<Record<string, number>> = {
  main: 0,
  second: 1,
  privileged: 2,
  plain: 3,
  disabled: 4,
  'two-keys': 5,
};

/** Kid lengths of the client with several keys, so that both limits are tried (C1.30). */
const ends: Readonly<Record<number, number>> = { 0: 36, 1: 1 };

function kidOf(client: string, at: number, shape: NonNullable<Setup['kids']>): string {
  const length = client === 'two-keys' ? (ends[at] ?? shape.length) : shape.length;
  return idOf(`${client} key ${at}`, { ...shape, ...(length === undefined ? {} : { length }) });
}

const usual = { length: 14, characters: 'mixed' } as const;

/** The keys of a client, in the order of its registration. */
function keysOf(client: string, given: readonly DrawnKey[], { keys, two_keys: two, kids }: Setup): readonly DrawnKey[] {
  const types =
    client === 'two-keys' && two !== undefined ? two : keys === undefined ? undefined : given.map(() => keys);
  const chosen = types?.map((type, at) => ({
    file: `keys/${client}-${at + 1}.json`,
    jwk: { ...keyAt(type, (firstOf[client] ?? 0) + at), alg: algOf(type) },
  }));
  if (chosen === undefined && kids === undefined) return given;
  return (chosen ?? given).map(({ file, jwk }, at) => ({
    file,
    jwk: { ...jwk, kid: kidOf(client, at, kids ?? usual) },
  }));
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

const publicOf = (jwk: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !privateMembers.includes(name)));

interface Blueprint {
  /** Like fixtures/reference/registrations.json, with the receiver's URL filled in. */
  readonly registrations: JsonObject;
  /** Like fixtures/reference/carrier.yaml. */
  readonly target: JsonObject;
  /** Key files by their path from the target file. */
  readonly files: Readonly<Record<string, string>>;
}

const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const list = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => isJsonObject(one)) : [];
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const mapValues = (given: Json | undefined, change: (one: JsonObject, name: string) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object(given)).map(([name, one]) => [name, change(object(one), name)]));

/** Hosts of the two SPs on the reference carrier. */
const sites = ['sp.test', 'second.test'] as const;

const filled = (template: string, { client, site }: { readonly client: string; readonly site: string }): string =>
  template.replaceAll('{client}', client).replaceAll('{site}', site);

/** Client for the registrations and the target file. */
function drawClient(registered: JsonObject, given: JsonObject, setup: Setup) {
  const client = text(registered['name']);
  const old = text(registered['sector']);
  const site = setup.sites?.[old === sites[1] ? 1 : 0] ?? old;
  const words = { client, site };
  const uris = (name: string, templates: readonly string[] | undefined, from: JsonObject): Json | undefined =>
    templates?.map((one) => filled(one, words)) ?? from[name];
  const moved = (value: Json | undefined): Json =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(old, site)) as Json;
  const keys = keysOf(client, drawnKeys(given), setup);
  const id = setup.client_ids === undefined ? text(registered['client_id']) : idOf(client, setup.client_ids);
  const event = given['event_uri'] === undefined ? undefined : (setup.event_uri ?? text(given['event_uri']));
  return {
    keys,
    target: {
      ...given,
      client_id: id,
      ...(keys.length === 0 ? {} : { keys: keys.map(({ file }) => ({ file })) }),
      ...registeredFor(given, setup),
      redirect_uris: moved(uris('redirect_uris', setup.redirect_uris, given)),
      notification_uris: uris('notification_uris', setup.notification_uris, given) ?? [],
      ...(event === undefined ? {} : { event_uri: filled(event, words) }),
    },
    site,
  };
}

/** Scopes of a client without those that the setup takes away. */
function registeredFor({ scopes }: JsonObject, { without_scopes: without = [] }: Setup): JsonObject {
  return Array.isArray(scopes) ? { scopes: scopes.filter((one: Json) => !without.includes(text(one))) } : {};
}

const drawnKeys = (given: JsonObject): readonly DrawnKey[] =>
  list(given['keys']).map(({ file }) => ({ file: text(file), jwk: referenceKey(text(file)) }));

function drawClients({ registrations, target }: Blueprint, setup: Setup, receiver: string) {
  const onReceiver = (uri: Json): string => `${receiver}${text(uri)}`;
  const drawn = list(registrations['clients']).map((registered) => {
    const one = drawClient(registered, object(object(target['clients'])[text(registered['name'])]), setup);
    const { client_id, redirect_uris, notification_uris, event_uri } = one.target as JsonObject;
    const uris = Array.isArray(notification_uris) ? notification_uris.map(onReceiver) : [];
    const entry = {
      ...registered,
      ...registeredFor(registered, setup),
      client_id: client_id ?? '',
      sector: one.site,
      keys: one.keys.map(({ jwk }) => publicOf(jwk)),
      redirect_uris: redirect_uris ?? [],
      notification_uris: uris,
      ...(event_uri === undefined ? {} : { event_uri: onReceiver(event_uri) }),
    };
    return { name: text(registered['name']), entry, ...one };
  });
  return {
    clients: drawn.map(({ entry }) => entry),
    targets: Object.fromEntries(drawn.map(({ name, target: one }) => [name, one])),
    files: Object.fromEntries(
      drawn.flatMap(({ keys }) => keys.map(({ file, jwk }) => [file, `${JSON.stringify(jwk, null, 2)}\n`])),
    ),
  };
}

function subsOf(name: string, given: Json | undefined, { code, subs }: Setup): JsonObject {
  return Object.fromEntries(
    Object.entries(object(given)).map(([client, sub]) => {
      const [old = '', rest = ''] = text(sub).split(/-(.*)/s);
      return [client, `${code ?? old}-${subs === undefined ? rest : idOf(`${name} of ${client}`, subs)}`];
    }),
  );
}

const phoneOf = (given: string, { phones }: Setup): string =>
  phones === undefined ? given : `${phones}${given.slice(-4)}`;

function drawSubscriber(registered: JsonObject, setup: Setup): JsonObject {
  const phone = phoneOf(text(registered['phone']), setup);
  const profile = { ...object(registered['profile']), phone: { value: phone } };
  const subs = subsOf(text(registered['name']), registered['subs'], setup);
  return { ...registered, phone, profile, subs, consents: consentsOf(registered['consents'], setup) };
}

/** Adds these scopes to every consent that includes openid. */
function consentsOf(given: Json | undefined, { consented = [] }: Setup): JsonObject {
  return Object.fromEntries(
    Object.entries(object(given)).map(([client, scopes]) => {
      const all: readonly Json[] = Array.isArray(scopes) ? scopes : [];
      return [client, all.includes('openid') ? [...new Set([...all, ...consented])] : all];
    }),
  );
}

/** Codes and issuers of other carriers. */
function othersOf({ registrations }: Blueprint, { foreign_codes: foreign }: Setup): Json {
  if (foreign === undefined) return registrations['other_carriers'] ?? [];
  return foreign.map((mccmnc, at) => ({ mccmnc, issuer: `https://other${at + 1}.carrier.test` }));
}

/** Blueprint with other ids, keys, URIs, codes and addresses. */
export function setUp(blueprint: Blueprint, setup: Setup, receiver: string): Blueprint {
  const { registrations, target } = blueprint;
  const { clients, targets, files } = drawClients(blueprint, setup, receiver);
  const code = setup.code ?? text(registrations['mccmnc']);
  const codes = { own: setup.own_codes, foreign: setup.foreign_codes };
  const named = Object.entries(codes).filter(([, one]) => one !== undefined);
  return {
    registrations: {
      ...registrations,
      mccmnc: code,
      own_codes: setup.own_codes ?? [],
      other_carriers: othersOf(blueprint, setup),
      clients,
      subscribers: list(registrations['subscribers']).map((one) => drawSubscriber(one, setup)),
    },
    target: {
      ...target,
      mccmnc: code,
      ...(named.length === 0
        ? {}
        : { carrier_codes: { ...object(target['carrier_codes']), ...(Object.fromEntries(named) as JsonObject) } }),
      clients: targets as JsonObject,
      subscribers: mapValues(target['subscribers'], (one, name) => ({
        ...one,
        phone: phoneOf(text(one['phone']), setup),
        subs: subsOf(name, one['subs'], setup),
      })),
    },
    files: { ...blueprint.files, ...files },
  };
}
