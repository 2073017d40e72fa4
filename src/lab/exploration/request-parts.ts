import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Target } from '../../model/target.ts';
import { ownNeeds, type RequestPoint, touchedParts } from './request-points.ts';

/** Value of a part of a request that leaves the request valid. */
export interface PartValue {
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
  /** Features that a case with this value requires. */
  readonly requires?: readonly string[];
  readonly rule: string;
}

/** Whether a value is the one of the valid request. */
export const isPlainValue = ({ difference, client }: PartValue): boolean =>
  client === undefined && Object.keys(difference).length === 0;

/** Part of a request with values that leave it valid; the first is the valid request's own. */
export interface RequestPart {
  /** `claims.acr_values`, `client`. */
  readonly id: string;
  readonly values: readonly PartValue[];
}

/** Rule by which a valid request is accepted. */
export const acceptedRule = 'TRN-014';

/** Whether a value needs no other client and no steps before it, and is accepted everywhere. */
export const isSelfContained = ({ client, before, besideOnly }: PartValue): boolean =>
  client === undefined && before === undefined && besideOnly !== true;

const plainPartValue: PartValue = { name: 'as it is', difference: {}, rule: acceptedRule };

const maxValueName = 60;
const shortenValueName = (text: string): string =>
  text.length > maxValueName ? `${text.slice(0, maxValueName - 1)}…` : text;

const valueName = (difference: JsonObject): string =>
  shortenValueName(JSON.stringify(difference).slice(1, -1).replaceAll('"', ''));

/** Id of the part; key and client are one part. */
function partId(touched: ReadonlySet<string>): string | undefined {
  if (touched.has('client') || touched.has('key')) return 'client and key';
  const [only, ...others] = touched;
  return others.length === 0 ? only : undefined;
}

/** Whether a difference depends on the registered URIs, or on how many keys there are. */
const readsRegistrationLists = (difference: JsonObject): boolean =>
  touchedParts(difference).has('header.kid') ||
  /first_with|client\.(?:redirect|notification)_uris|client\.keys/.test(JSON.stringify(difference));

const hasPlainSetting = ({ case: { client, subscriber, receiver, exclusive } }: RequestPoint): boolean =>
  client === 'main' && subscriber === 'consented' && receiver.length === 0 && !exclusive;

/** Registrations that may send in place of the case's. */
function clientValues({ clients }: Pick<Target, 'clients'>): readonly PartValue[] {
  const may = clients.filter(
    ({ name, flags, keys }) => name !== 'main' && flags['server_initiated'] === true && keys.length > 0,
  );
  return may
    .filter(({ name }) => ['second', 'privileged', 'two-keys'].includes(name))
    .flatMap(({ name, keys }) => {
      const own: PartValue = { name: `client: ${name}`, difference: {}, client: name, rule: acceptedRule };
      const second: JsonObject = { key: 'second', header: { kid: '{{ client.keys.1.kid }}' } };
      return name === 'two-keys' && keys.length > 1
        ? [own, { name: 'the second key of two-keys', difference: second, client: name, rule: 'HDR-001' }]
        : [own];
    });
}

function distinctValues(values: readonly PartValue[]): readonly PartValue[] {
  const seen = new Map(
    values.map((value) => [JSON.stringify([value.difference, value.client]), value] as const).toReversed(),
  );
  return [...seen.values()].toReversed();
}

/** Splits a difference into one for each claim: several conforming values conform alone. */
function splitByClaim(difference: JsonObject): readonly JsonObject[] {
  const { claims, drop, ...others } = difference;
  if (Object.keys(others).length > 0) return [difference];
  return [
    ...(isJsonObject(claims) ? Object.entries(claims).map(([name, value]) => ({ claims: { [name]: value } })) : []),
    ...(Array.isArray(drop) ? drop.map((name): JsonObject => ({ drop: [String(name)] })) : []),
  ];
}

/** Whether the value has a fixed jti, which is not accepted twice. */
const hasFixedJti = ({ claims }: JsonObject): boolean =>
  isJsonObject(claims) && typeof claims['jti'] === 'string' && !claims['jti'].includes('{{');

/** Joins parts of the same id, with the plain value in front. */
const mergePartsById = (parts: readonly RequestPart[]): readonly RequestPart[] =>
  [...groupBy(parts, ({ id }) => id)].map(([id, some]) => ({
    id,
    values: distinctValues([plainPartValue, ...some.flatMap(({ values }) => values)]),
  }));

/** Scope lists that no suite has: pairs, and lists with a refresh token. */
function scopesPart(target: Pick<Target, 'clients'>): RequestPart {
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
  readonly points: readonly RequestPoint[];
  readonly target: Pick<Target, 'clients'>;
  readonly listed: readonly RequestPart[];
}

/** Parts of a request with their conforming values, from the listed cases, the listed parts and the target. */
export function collectParts({ points, target, listed }: PartsGround): readonly RequestPart[] {
  const conforming = points
    .filter((point) => point.outcome === 'accepted' && hasPlainSetting(point))
    .flatMap((point) =>
      splitByClaim(point.difference).flatMap((difference): readonly RequestPart[] => {
        const id = partId(touchedParts(difference));
        if (id === undefined || id === 'client and key' || hasFixedJti(difference)) return [];
        const value: PartValue = {
          name: valueName(difference),
          difference,
          rule: point.rule,
          ofClient: readsRegistrationLists(difference),
          requires: ownNeeds(point),
        };
        return [{ id, values: [value] }];
      }),
    );
  const clients = { id: 'client and key', values: clientValues(target) };
  return mergePartsById([...conforming, ...listed, scopesPart(target), clients]).filter(
    ({ values }) => values.length > 1,
  );
}
