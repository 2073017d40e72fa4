import type { NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import type { BaseRequest, Difference, TemplateMap, Scope } from '../../model/suite.ts';

export interface RequestObject {
  readonly header: JsonObject;
  /** Claims as a receiver parses them: the last of a duplicate name, and the value that raw text stands for. */
  readonly claims: JsonObject;
  readonly payload: string;
  readonly differences: readonly NamedDifference[];
}

const evaluateMap = (map: TemplateMap, scope: Scope): Map<string, Json> => {
  const values = new Map<string, Json>();
  for (const [name, template] of map) values.set(name, template.evaluate(scope));
  return values;
};

interface MemberChange {
  readonly prefix: string;
  readonly base: TemplateMap;
  readonly set: TemplateMap | undefined;
  readonly drop: readonly string[] | undefined;
  /** Names set as raw text: their base value is not evaluated. */
  readonly replaced: ReadonlySet<string>;
}

/** Base members with the change applied; dropped and replaced ones are not evaluated. */
function applyChange(
  change: MemberChange,
  scope: Scope,
): { members: Map<string, Json>; differences: NamedDifference[] } {
  const { prefix, base, set = [], drop = [], replaced } = change;
  const given = new Map(set);
  const members = new Map<string, Json>();
  for (const [name, template] of base) {
    if (drop.includes(name) || replaced.has(name)) continue;
    members.set(name, (given.get(name) ?? template).evaluate(scope));
    given.delete(name);
  }
  for (const [name, template] of given) members.set(name, template.evaluate(scope));
  const dropped = drop.map((name): NamedDifference => ({ what: `${prefix}.${name}`, change: 'removed' }));
  const changed = set.map(
    ([name]): NamedDifference => ({ what: `${prefix}.${name}`, change: 'set', value: members.get(name) ?? null }),
  );
  return { members, differences: [...dropped, ...changed] };
}

const parseClaims = (payload: string, fallback: JsonObject): JsonObject => {
  const parsed = parseJson(payload);
  return isJsonObject(parsed) ? parsed : fallback;
};

/** JSON text with raw members, which an object cannot express (duplicate names, 1e3, escapes). */
function renderPayload(members: ReadonlyMap<string, Json>, raw: ReadonlyMap<string, Json>, append: Json): string {
  const parts = [...members].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  for (const [name, text] of raw) parts.push(`${JSON.stringify(name)}:${renderPlain(text)}`);
  if (append !== null) parts.push(renderPlain(append));
  return `{${parts.join(',')}}`;
}

/** Applies a declared difference to the base request object (docs/suite-language.md, `authorize`). */
export function buildRequestObject(base: BaseRequest, difference: Difference, scope: Scope): RequestObject {
  const none: ReadonlySet<string> = new Set();
  const header = applyChange(
    { prefix: 'header', base: base.header, set: difference.header, drop: difference.dropHeader, replaced: none },
    scope,
  );
  const replaced = difference.raw === undefined ? none : new Set(difference.raw.map(([name]) => name));
  const claims = applyChange(
    { prefix: 'claims', base: base.claims, set: difference.claims, drop: difference.drop, replaced },
    scope,
  );
  const differences = [...header.differences, ...claims.differences];
  const plain: JsonObject = Object.fromEntries(claims.members);
  if (difference.raw === undefined && difference.append === undefined) {
    return { header: Object.fromEntries(header.members), claims: plain, payload: JSON.stringify(plain), differences };
  }
  const raw = evaluateMap(difference.raw ?? [], scope);
  const append = difference.append?.evaluate(scope) ?? null;
  for (const [name, text] of raw) differences.push({ what: `claims.${name}`, change: 'raw', value: text });
  if (append !== null) differences.push({ what: 'claims', change: 'raw', value: append });
  const payload = renderPayload(claims.members, raw, append);
  return { header: Object.fromEntries(header.members), claims: parseClaims(payload, plain), payload, differences };
}
