import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { groupBy } from '../../../lib/lists.ts';
import type { Target } from '../../../model/target.ts';
import type { Abilities } from './abilities.ts';
import { type Point, touchedIn } from './points.ts';
import { objectOf, objectsOf, rowsIn, textOf } from './rows.ts';

/** One value of a part of a request that leaves the request valid. */
export interface Value {
  readonly name: string;
  readonly difference: JsonObject;
  /** The registration that sends, where not the case's own. */
  readonly client?: string;
  /** It reads what not every registration has. */
  readonly ofClient?: boolean;
  /** Steps before the request, which its difference reads: `{{ @hint.body }}`, where @ is what names of steps begin with. */
  readonly before?: readonly JsonObject[];
  /** What becomes of such a request is not the same everywhere: it only stands beside what is refused anyway. */
  readonly besideOnly?: boolean;
  readonly rule: string;
}

/** The value of the valid request. */
export const isPlain = ({ difference, client }: Value): boolean =>
  client === undefined && Object.keys(difference).length === 0;

/** A part of a request with values of which each leaves it valid; the first is that of the valid request. */
export interface Part {
  /** `claims.acr_values`, `client`. */
  readonly id: string;
  readonly values: readonly Value[];
}

/** The rule of all that is valid: it is accepted. */
export const acceptedRule = 'TRN-014';

/** A value that needs neither another client nor steps before it, and is accepted everywhere. */
export const standsAlone = ({ client, before, besideOnly }: Value): boolean =>
  client === undefined && before === undefined && besideOnly !== true;

const plain: Value = { name: 'as it is', difference: {}, rule: acceptedRule };

const longest = 60;
const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

const nameOf = (difference: JsonObject): string => shorten(JSON.stringify(difference).slice(1, -1).replaceAll('"', ''));

/** Parts that say which key signs and for whom: they go together. */
function idOf(touched: ReadonlySet<string>): string | undefined {
  if (touched.has('client') || touched.has('key')) return 'client and key';
  const [only, ...others] = touched;
  return others.length === 0 ? only : undefined;
}

/** A URI of a certain scheme, or the second of a list; or how many keys there are counts. */
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

/** Each claim that a difference sets or drops, as a difference of its own: several conforming values conform alone. */
function eachClaim(difference: JsonObject): readonly JsonObject[] {
  const { claims, drop, ...others } = difference;
  if (Object.keys(others).length > 0) return [difference];
  return [
    ...(isJsonObject(claims) ? Object.entries(claims).map(([name, value]) => ({ claims: { [name]: value } })) : []),
    ...(Array.isArray(drop) ? drop.map((name): JsonObject => ({ drop: [String(name)] })) : []),
  ];
}

/** The same jti is not accepted twice. */
const isUsedUp = ({ claims }: JsonObject): boolean =>
  isJsonObject(claims) && typeof claims['jti'] === 'string' && !claims['jti'].includes('{{');

/** Parts of one id in one, with the plain value in front. */
const together = (parts: readonly Part[]): readonly Part[] =>
  [...groupBy(parts, ({ id }) => id)].map(([id, some]) => ({
    id,
    values: distinct([plain, ...some.flatMap(({ values }) => values)]),
  }));

/** The parts of a list of suites/exploration/parts.yaml, as far as the target has what they need. */
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

/** Scopes in pairs, and with a refresh token: lists that no suite has. */
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

/** Parts of a request and their conforming values, as the listed cases have them, and others that are listed. */
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
