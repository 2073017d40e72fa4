import { requestMembers } from '../../interfaces/server-initiated/claims.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Suites } from '../../suite/suites.ts';
import { collectParts, isPlainValue, type PartValue, type RequestPart } from '../requests/request-parts.ts';
import { joinDifferences, ownNeeds, type RequestPoint } from '../requests/request-points.ts';

/** Features of a target that a single value may need. Other requirements belong to the whole case. */
const needOfValue =
  /^(?:scope:|redirect-uri:|second-notification-uri$|referred-binding$|long-values$|values-beyond-ascii$)/;

/** Whether the base request has this value already. */
function isOfBase({ claims, drop, ...others }: JsonObject, plain: ReadonlyMap<string, string>): boolean {
  if (Object.keys(others).length > 0) return false;
  const set = isJsonObject(claims) ? Object.entries(claims) : [];
  const dropped: readonly Json[] = Array.isArray(drop) ? drop : [];
  return (
    set.every(([name, value]) => plain.get(name) === JSON.stringify(value)) &&
    dropped.every((name) => typeof name === 'string' && !plain.has(name))
  );
}

/** Whether a value is mostly long, so that hundreds of requests with it would fill the result. */
const isLong = (difference: JsonObject): boolean => /repeat\('[^']*', \d{4}/.test(JSON.stringify(difference));

const knownMembers: ReadonlySet<string> = new Set(
  requestMembers.map(({ in: part, name }) => `${part === 'header' ? 'header' : 'claims'}.${name}`),
);

/** Parts that are no member of the interface: one unknown name, and what the call may vary. */
const furtherParts: ReadonlySet<string> = new Set([
  'claims.x_conf',
  'beside.x_conf',
  'beside.sdk_version',
  'headers.content-type',
  'headers.accept',
]);

/** Whether a part is a member that the interface has, or one of the listed parts. */
const isUsual = (id: string, listed: readonly RequestPart[]): boolean =>
  knownMembers.has(id) || furtherParts.has(id) || listed.some((part) => part.id === id);

/** Members of a request with the conforming values of the listed cases, without the values of the base request. */
export function conformingParts(
  points: readonly RequestPoint[],
  { suites, listed }: { readonly suites: Suites; readonly listed: readonly RequestPart[] },
): readonly RequestPart[] {
  const base = suites.bases['request-object']?.claims ?? [];
  const plain = new Map(base.map(([name, { source }]) => [name, JSON.stringify(source)]));
  const usable = points
    .filter((point) => ownNeeds(point).every((need) => needOfValue.test(need)))
    // A value that occurs in several cases needs what the first of them needs.
    .toSorted((one, other) => ownNeeds(one).length - ownNeeds(other).length);
  return collectParts(usable, listed)
    .filter(({ id }) => isUsual(id, listed))
    .map(({ id, values }) => ({
      id,
      values: values.filter(({ difference: one }) => !isOfBase(one, plain) && !isLong(one)),
    }))
    .filter(({ values }) => values.length > 0);
}

/** Values that every target takes beside others: no feature, nothing that not every registration has. */
export const withoutNeeds = ({ requires = [], ofClient }: PartValue): boolean =>
  requires.length === 0 && ofClient !== true;

/** Adds the values that fit, in their order. */
export const addValues = (difference: JsonObject, values: readonly PartValue[]): JsonObject =>
  values.reduce((all, value) => joinDifferences(all, value.difference) ?? all, difference);

export const withPlainValue = ({ id, values }: RequestPart): RequestPart => ({
  id,
  values: [{ name: 'as it is', difference: {}, rule: 'TRN-014' }, ...values.filter((one) => !isPlainValue(one))],
});
