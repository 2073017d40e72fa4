import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import { ownNeeds, type RequestPoint, touchedParts } from './request-points.ts';

/** Value of a part of a request that leaves the request valid. */
export interface PartValue {
  readonly name: string;
  readonly difference: JsonObject;
  /** Reads values that not every registration has. */
  readonly ofClient?: boolean;
  /** Its outcome depends on the carrier, so it only stands beside values that are refused anyway. */
  readonly besideOnly?: boolean;
  /** Features that a case with this value requires. */
  readonly requires?: readonly string[];
  readonly rule: string;
}

/** Whether a value is the one of the valid request. */
export const isPlainValue = ({ difference }: PartValue): boolean => Object.keys(difference).length === 0;

/** Part of a request with values that leave it valid; the first is the valid request's own. */
export interface RequestPart {
  /** `claims.acr_values`, `headers.accept`. */
  readonly id: string;
  readonly values: readonly PartValue[];
}

/** Rule by which a valid request is accepted. */
export const acceptedRule = 'TRN-014';

const plainPartValue: PartValue = { name: 'as it is', difference: {}, rule: acceptedRule };

const maxValueName = 60;
const shortenValueName = (text: string): string =>
  text.length > maxValueName ? `${text.slice(0, maxValueName - 1)}…` : text;

const valueName = (difference: JsonObject): string =>
  shortenValueName(JSON.stringify(difference).slice(1, -1).replaceAll('"', ''));

/** Id of the only part that a difference changes; undefined if it changes several, or the key. */
function partId(touched: ReadonlySet<string>): string | undefined {
  const [only, ...others] = touched;
  return others.length === 0 && only !== 'key' ? only : undefined;
}

/** Whether a difference depends on the registered URIs, or on how many keys there are. */
const readsRegistrationLists = (difference: JsonObject): boolean =>
  touchedParts(difference).has('header.kid') ||
  /first_with|client\.(?:redirect|notification)_uris|client\.keys/.test(JSON.stringify(difference));

const hasPlainSetting = ({ case: { client, subscriber, receiver, exclusive } }: RequestPoint): boolean =>
  client === 'main' && subscriber === 'consented' && receiver.length === 0 && !exclusive;

function distinctValues(values: readonly PartValue[]): readonly PartValue[] {
  const seen = new Map(values.map((value) => [JSON.stringify(value.difference), value] as const).toReversed());
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

/** Parts of a request with their conforming values, from the listed cases and the parts beside them. */
export function collectParts(
  points: readonly RequestPoint[],
  listed: readonly RequestPart[] = [],
): readonly RequestPart[] {
  const conforming = points
    .filter((point) => point.outcome === 'accepted' && hasPlainSetting(point))
    .flatMap((point) =>
      splitByClaim(point.difference).flatMap((difference): readonly RequestPart[] => {
        const id = partId(touchedParts(difference));
        if (id === undefined || hasFixedJti(difference)) return [];
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
  return mergePartsById([...conforming, ...listed]).filter(({ values }) => values.length > 1);
}
