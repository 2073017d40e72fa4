import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { groupBy } from '../../../lib/lists.ts';
import type { Target } from '../../../model/target.ts';
import type { Abilities } from './abilities.ts';
import { type Point, touchedIn } from './points.ts';
import { objectOf, objectsOf, rowsIn, textOf } from './rows.ts';

/** Value of a part of a request that leaves the request valid. */
export interface Value {
  readonly name: string;
  readonly difference: JsonObject;
  /** Registration that sends, if not the case's own. */
  readonly client?: string;
  /** Reads values that not every registration has. */
  readonly ofClient?: boolean;
  /** Steps before the request that its difference reads, as `{{ @hint.body }}`; @ stands for the prefix of step names. */
  readonly before?: readonly JsonObject[];
  /** Its outcome depends on the carrier, so it only stands beside values that are refused anyway. */
  readonly besideOnly?: boolean;
  readonly rule: string;
}

/** Whether a value is the one of the valid request. */
export const isPlain = ({ difference, client }: Value): boolean =>
  client === undefined && Object.keys(difference).length === 0;

/** Part of a request with values that leave it valid; the first is the valid request's own. */
export interface Part {
  /** `claims.acr_values`, `client`. */
  readonly id: string;
  readonly values: readonly Value[];
}

/** Rule by which a valid request is accepted. */
export const acceptedRule = 'TRN-014';

/** Whether a value needs no other client and no steps before it, and is accepted everywhere. */
export const standsAlone = ({ client, before, besideOnly }: Value): boolean =>
  client === undefined && before === undefined && besideOnly !== true;

const plain: Value = { name: 'as it is', difference: {}, rule: acceptedRule };

const longest = 60;
const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

const nameOf = (difference: JsonObject): string => shorten(JSON.stringify(difference).slice(1, -1).replaceAll('"', ''));

/** Id of the part; key and client are one part. */
function idOf(touched: ReadonlySet<string>): string | undefined {
  if (touched.has('client') || touched.has('key')) return 'client and key';
  const [only, ...others] = touched;
  return others.length === 0 ? only : undefined;
}

/** Whether a difference depends on the registered URIs, or on how many keys there are. */
const readsLists = (difference: JsonObject): boolean =>
  touchedIn(difference).has('header.kid') ||
  /first_with|client\.(?:redirect|notification)_uris|client\.keys/.test(JSON.stringify(difference));

const isPlainSetting = ({ case: { client, subscriber, receiver, exclusive } }: Point): boolean =>
  client === 'main' && subscriber === 'consented' && receiver.length === 0 && !exclusive;

/** Registrations that may send in place of the case's. */
function clientsOf({ clients }: Target): readonly Value[] {
  const may = clients.filter(
    ({ name, flags, keys }) => name !== 'main' && flags['server_initiated'] === true && keys.length > 0,
  );
  return may
    .filter(({ name }) => ['second', 'privileged', 'two-keys'].includes(name))
    .flatMap(({ name, keys }) => {
      const own: Value = { name: `client: ${name}`, difference: {}, client: name, rule: acceptedRule };
      const second: JsonObject = { key: 'second', header: { kid: '{{ client.keys.1.kid }}' } };
      return name === 'two-keys' && keys.length > 1
        ? [own, { name: 'the second key of two-keys', difference: second, client: name, rule: 'HDR-001' }]
        : [own];
    });
}

function distinct(values: readonly Value[]): readonly Value[] {
  const seen = new Map(
    values.map((value) => [JSON.stringify([value.difference, value.client]), value] as const).toReversed(),
  );
  return [...seen.values()].toReversed();
}

/** Splits a difference into one for each claim: several conforming values conform alone. */
function eachClaim(difference: JsonObject): readonly JsonObject[] {
  const { claims, drop, ...others } = difference;
  if (Object.keys(others).length > 0) return [difference];
  return [
    ...(isJsonObject(claims) ? Object.entries(claims).map(([name, value]) => ({ claims: { [name]: value } })) : []),
    ...(Array.isArray(drop) ? drop.map((name): JsonObject => ({ drop: [String(name)] })) : []),
  ];
}

/** Whether it has a fixed jti, which is not accepted twice. */
const isUsedUp = ({ claims }: JsonObject): boolean =>
  isJsonObject(claims) && typeof claims['jti'] === 'string' && !claims['jti'].includes('{{');

/** Joins parts of the same id, with the plain value in front. */
const together = (parts: readonly Part[]): readonly Part[] =>
  [...groupBy(parts, ({ id }) => id)].map(([id, some]) => ({
    id,
    values: distinct([plain, ...some.flatMap(({ values }) => values)]),
  }));

/** Parts of a list in suites/exploration/parts.yaml whose needs the target meets. */
export const listedParts = (list: Json | undefined, abilities: Abilities): readonly Part[] =>
  together(
    rowsIn(list, abilities).map(({ json: { id, rule, values, client, ofClient, besideOnly, before } }) => ({
      id: textOf(id),
      values: Object.entries(objectOf(values)).flatMap(([name, difference]): readonly Value[] => {
        if (!isJsonObject(difference)) return [];
        return [
          {
            name,
            difference,
            rule: textOf(rule),
            ...(typeof client === 'string' ? { client } : {}),
            ...(before === undefined ? {} : { before: objectsOf(before) }),
            ofClient: ofClient === true,
            besideOnly: besideOnly === true,
          },
        ];
      }),
    })),
  );

/** Scope lists that no suite has: pairs, and lists with a refresh token. */
function scopesPart(target: Target): Part {
  const scopes = target.clients.find(({ name }) => name === 'main')?.scopes ?? [];
  const named = scopes.filter((one) => !['openid', 'offline_access', 'events', 'name'].includes(one));
  const pairs = named.flatMap((one, at) => named.slice(at + 1).map((other) => `openid ${one} ${other}`));
  const lasting = scopes.includes('name') && scopes.includes('offline_access') ? named : [];
  const lists = [...pairs, ...lasting.map((one) => `openid name ${one} offline_access`)];
  return {
    id: 'claims.scope',
    values: lists.map((scope) => ({ name: `scope ${scope}`, difference: { claims: { scope } }, rule: acceptedRule })),
  };
}

interface PartsGround {
  readonly points: readonly Point[];
  readonly target: Target;
  readonly listed: readonly Part[];
}

/** Parts of a request with their conforming values, from the listed cases, the listed parts and the target. */
export function partsOf({ points, target, listed }: PartsGround): readonly Part[] {
  const conforming = points
    .filter((point) => point.outcome === 'accepted' && isPlainSetting(point))
    .flatMap(({ difference: whole, rule }) =>
      eachClaim(whole).flatMap((difference): readonly Part[] => {
        const id = idOf(touchedIn(difference));
        if (id === undefined || id === 'client and key' || isUsedUp(difference)) return [];
        return [{ id, values: [{ name: nameOf(difference), difference, rule, ofClient: readsLists(difference) }] }];
      }),
    );
  const clients = { id: 'client and key', values: clientsOf(target) };
  return together([...conforming, ...listed, scopesPart(target), clients]).filter(({ values }) => values.length > 1);
}
