import { createHash } from 'node:crypto';
import { readPackageText } from '../../lib/package-file.ts';
import { isJsonObject, type Json, type JsonObject, parseOwnJson } from '../../lib/json.ts';
import { packageRoot, referenceFolder } from '../../setup/paths.ts';
import type { IdShape, KeyType, CarrierSetup } from './freedoms-grammar.ts';

const alphabets: Readonly<Record<NonNullable<IdShape['characters']>, string>> = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  letters: 'abcdefghijklmnopqrstuvwxyz',
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  marks: 'abcdefghijklmnopqrstuvwxyz0123456789._~-%',
};

/** Id of this shape; the same name gives the same id. */
function deriveId(name: string, { prefix = '', length = 20, characters = 'hex' }: IdShape): string {
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

let keyPool: JsonObject | undefined;

function readFixtureObject(file: string): JsonObject {
  const value = parseOwnJson(readPackageText(file));
  if (!isJsonObject(value)) throw new Error(`${file} is no JSON object`);
  return value;
}

/** Key made beforehand: making one takes seconds, and no two draws would be alike. */
function pooledKey(type: KeyType, at: number): JsonObject {
  keyPool ??= readFixtureObject(`${packageRoot}/fixtures/space/keys.json`);
  const keys = keyPool[type];
  const jwk = isJsonObject(keys) ? keys[at] : undefined;
  if (!isJsonObject(jwk)) throw new Error(`fixtures/space/keys.json has no ${type} number ${at}`);
  return jwk;
}

const readReferenceKey = (file: string): JsonObject => readFixtureObject(`${referenceFolder}/${file}`);

const algorithmForType = (type: KeyType): string => (type === 'es256' ? 'ES256' : 'RS256');

/** Index of each role's first key in the pool. */
const firstKeyIndexes: Readonly<Record<string, number>> = {
  main: 0,
  second: 1,
  privileged: 2,
  plain: 3,
  disabled: 4,
  'two-keys': 5,
};

/** Kid lengths of the client with several keys, so that both limits are tried (C1.30). */
const kidLengthLimits: Readonly<Record<number, number>> = { 0: 36, 1: 1 };

function drawKid(client: string, at: number, shape: NonNullable<CarrierSetup['kids']>): string {
  const length = client === 'two-keys' ? (kidLengthLimits[at] ?? shape.length) : shape.length;
  return deriveId(`${client} key ${at}`, { ...shape, ...(length === undefined ? {} : { length }) });
}

const usualKidShape = { length: 14, characters: 'mixed' } as const;

/** The keys of a client, in the order of its registration. */
function drawKeys(
  client: string,
  given: readonly DrawnKey[],
  { keys, two_keys: two, kids }: CarrierSetup,
): readonly DrawnKey[] {
  const types =
    client === 'two-keys' && two !== undefined ? two : keys === undefined ? undefined : given.map(() => keys);
  const chosen = types?.map((type, at) => ({
    file: `keys/${client}-${at + 1}.json`,
    jwk: { ...pooledKey(type, (firstKeyIndexes[client] ?? 0) + at), alg: algorithmForType(type) },
  }));
  if (chosen === undefined && kids === undefined) return given;
  return (chosen ?? given).map(({ file, jwk }, at) => ({
    file,
    jwk: { ...jwk, kid: drawKid(client, at, kids ?? usualKidShape) },
  }));
}

const privateKeyNames = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

const stripPrivateKey = (jwk: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !privateKeyNames.includes(name)));

interface Blueprint {
  /** Like fixtures/reference/registrations.json, with the receiver's URL filled in. */
  readonly registrations: JsonObject;
  /** Like fixtures/reference/carrier.yaml. */
  readonly target: JsonObject;
  /** Key files by their path from the target file. */
  readonly files: Readonly<Record<string, string>>;
}

const objectOrEmpty = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listObjects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => isJsonObject(one)) : [];
const textOrEmpty = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const mapMembers = (given: Json | undefined, change: (one: JsonObject, name: string) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(objectOrEmpty(given)).map(([name, one]) => [name, change(objectOrEmpty(one), name)]),
  );

/** Hosts of the two SPs on the reference carrier. */
const referenceSites = ['sp.test', 'second.test'] as const;

const fillUriTemplate = (
  template: string,
  { client, site }: { readonly client: string; readonly site: string },
): string => template.replaceAll('{client}', client).replaceAll('{site}', site);

/** Client for the registrations and the target file. */
function applyClient(registered: JsonObject, given: JsonObject, setup: CarrierSetup) {
  const client = textOrEmpty(registered['name']);
  const old = textOrEmpty(registered['sector']);
  const site = setup.sites?.[old === referenceSites[1] ? 1 : 0] ?? old;
  const words = { client, site };
  const uris = (name: string, templates: readonly string[] | undefined, from: JsonObject): Json | undefined =>
    templates?.map((one) => fillUriTemplate(one, words)) ?? from[name];
  const moved = (value: Json | undefined): Json =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(old, site)) as Json;
  const keys = drawKeys(client, readClientKeys(given), setup);
  const id = setup.client_ids === undefined ? textOrEmpty(registered['client_id']) : deriveId(client, setup.client_ids);
  const event = given['event_uri'] === undefined ? undefined : (setup.event_uri ?? textOrEmpty(given['event_uri']));
  return {
    keys,
    target: {
      ...given,
      client_id: id,
      ...(keys.length === 0 ? {} : { keys: keys.map(({ file }) => ({ file })) }),
      ...registeredScopes(given, setup),
      redirect_uris: moved(uris('redirect_uris', setup.redirect_uris, given)),
      notification_uris: uris('notification_uris', setup.notification_uris, given) ?? [],
      ...(event === undefined ? {} : { event_uri: fillUriTemplate(event, words) }),
    },
    site,
  };
}

/** Scopes of a client without those that the setup takes away. */
function registeredScopes({ scopes }: JsonObject, { without_scopes: without = [] }: CarrierSetup): JsonObject {
  return Array.isArray(scopes) ? { scopes: scopes.filter((one: Json) => !without.includes(textOrEmpty(one))) } : {};
}

const readClientKeys = (given: JsonObject): readonly DrawnKey[] =>
  listObjects(given['keys']).map(({ file }) => ({ file: textOrEmpty(file), jwk: readReferenceKey(textOrEmpty(file)) }));

function applyClients({ registrations, target }: Blueprint, setup: CarrierSetup, receiver: string) {
  const onReceiver = (uri: Json): string => `${receiver}${textOrEmpty(uri)}`;
  const drawn = listObjects(registrations['clients']).map((registered) => {
    const one = applyClient(
      registered,
      objectOrEmpty(objectOrEmpty(target['clients'])[textOrEmpty(registered['name'])]),
      setup,
    );
    const { client_id, redirect_uris, notification_uris, event_uri } = one.target as JsonObject;
    const uris = Array.isArray(notification_uris) ? notification_uris.map(onReceiver) : [];
    const entry = {
      ...registered,
      ...registeredScopes(registered, setup),
      client_id: client_id ?? '',
      sector: one.site,
      keys: one.keys.map(({ jwk }) => stripPrivateKey(jwk)),
      redirect_uris: redirect_uris ?? [],
      notification_uris: uris,
      ...(event_uri === undefined ? {} : { event_uri: onReceiver(event_uri) }),
    };
    return { name: textOrEmpty(registered['name']), entry, ...one };
  });
  return {
    clients: drawn.map(({ entry }) => entry),
    targets: Object.fromEntries(drawn.map(({ name, target: one }) => [name, one])),
    files: Object.fromEntries(
      drawn.flatMap(({ keys }) => keys.map(({ file, jwk }) => [file, `${JSON.stringify(jwk, null, 2)}\n`])),
    ),
  };
}

function applySubs(name: string, given: Json | undefined, { code, subs }: CarrierSetup): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOrEmpty(given)).map(([client, sub]) => {
      const [old = '', rest = ''] = textOrEmpty(sub).split(/-(.*)/s);
      return [client, `${code ?? old}-${subs === undefined ? rest : deriveId(`${name} of ${client}`, subs)}`];
    }),
  );
}

const drawPhone = (given: string, { phones }: CarrierSetup): string =>
  phones === undefined ? given : `${phones}${given.slice(-4)}`;

function applySubscriber(registered: JsonObject, setup: CarrierSetup): JsonObject {
  const phone = drawPhone(textOrEmpty(registered['phone']), setup);
  const profile = { ...objectOrEmpty(registered['profile']), phone: { value: phone } };
  const subs = applySubs(textOrEmpty(registered['name']), registered['subs'], setup);
  return { ...registered, phone, profile, subs, consents: applyConsents(registered['consents'], setup) };
}

/** Adds these scopes to every consent that includes openid. */
function applyConsents(given: Json | undefined, { consented = [] }: CarrierSetup): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOrEmpty(given)).map(([client, scopes]) => {
      const all: readonly Json[] = Array.isArray(scopes) ? scopes : [];
      return [client, all.includes('openid') ? [...new Set([...all, ...consented])] : all];
    }),
  );
}

/** Codes and issuers of other carriers. */
function applyOtherCarriers({ registrations }: Blueprint, { foreign_codes: foreign }: CarrierSetup): Json {
  if (foreign === undefined) return registrations['other_carriers'] ?? [];
  return foreign.map((mccmnc, at) => ({ mccmnc, issuer: `https://other${at + 1}.carrier.test` }));
}

/** Blueprint with other ids, keys, URIs, codes and addresses. */
export function applySetup(blueprint: Blueprint, setup: CarrierSetup, receiver: string): Blueprint {
  const { registrations, target } = blueprint;
  const { clients, targets, files } = applyClients(blueprint, setup, receiver);
  const code = setup.code ?? textOrEmpty(registrations['mccmnc']);
  const codes = { own: setup.own_codes, foreign: setup.foreign_codes };
  const named = Object.entries(codes).filter(([, one]) => one !== undefined);
  return {
    registrations: {
      ...registrations,
      mccmnc: code,
      own_codes: setup.own_codes ?? [],
      other_carriers: applyOtherCarriers(blueprint, setup),
      clients,
      subscribers: listObjects(registrations['subscribers']).map((one) => applySubscriber(one, setup)),
    },
    target: {
      ...target,
      mccmnc: code,
      ...(named.length === 0
        ? {}
        : {
            carrier_codes: { ...objectOrEmpty(target['carrier_codes']), ...(Object.fromEntries(named) as JsonObject) },
          }),
      clients: targets as JsonObject,
      subscribers: mapMembers(target['subscribers'], (one, name) => ({
        ...one,
        phone: drawPhone(textOrEmpty(one['phone']), setup),
        subs: applySubs(name, one['subs'], setup),
      })),
    },
    files: { ...blueprint.files, ...files },
  };
}
