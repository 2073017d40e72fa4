import type { NamedDifference } from '../model/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { BaseRequest, Difference, TemplateMap } from '../model/suite.ts';
import type { Scope } from '../model/template.ts';

/** A request object before it is signed: what §2.2 and §2.3 call its header and claims. */
export interface RequestObject {
  readonly header: JsonObject;
  /** The claims as a receiver parses them: of a duplicate name the last, of raw text what it stands for. */
  readonly claims: JsonObject;
  /** The JSON text that is signed. */
  readonly payload: string;
  readonly differences: readonly NamedDifference[];
}

const evaluated = (map: TemplateMap, scope: Scope): Map<string, Json> => {
  const values = new Map<string, Json>();
  for (const [name, template] of map) values.set(name, template.evaluate(scope));
  return values;
};

interface Change {
  readonly prefix: string;
  readonly set: TemplateMap | undefined;
  readonly drop: readonly string[] | undefined;
}

function applyChange(members: Map<string, Json>, change: Change, scope: Scope): NamedDifference[] {
  const found: NamedDifference[] = [];
  for (const name of change.drop ?? []) {
    members.delete(name);
    found.push({ what: `${change.prefix}.${name}`, change: 'removed' });
  }
  for (const [name, template] of change.set ?? []) {
    const value = template.evaluate(scope);
    members.set(name, value);
    found.push({ what: `${change.prefix}.${name}`, change: 'set', value });
  }
  return found;
}

const parsedClaims = (payload: string, fallback: JsonObject): JsonObject => {
  try {
    const parsed: unknown = JSON.parse(payload);
    return isJsonObject(parsed) ? parsed : fallback;
  } catch {
    return fallback;
  }
};

/** JSON text with raw members, which an object model cannot express (duplicate names, 1e3, escapes). */
function renderPayload(members: ReadonlyMap<string, Json>, raw: ReadonlyMap<string, Json>, append: Json): string {
  const parts = [...members]
    .filter(([name]) => !raw.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  for (const [name, text] of raw) parts.push(`${JSON.stringify(name)}:${String(text)}`);
  if (append !== null) parts.push(String(append));
  return `{${parts.join(',')}}`;
}

/** Applies a declared difference to the base request object (docs/suite-language.md, `authorize`). */
export function buildRequestObject(base: BaseRequest, difference: Difference, scope: Scope): RequestObject {
  const header = evaluated(base.header, scope);
  const claims = evaluated(base.claims, scope);
  const differences = [
    ...applyChange(header, { prefix: 'header', set: difference.header, drop: difference.dropHeader }, scope),
    ...applyChange(claims, { prefix: 'claims', set: difference.claims, drop: difference.drop }, scope),
  ];
  const plain: JsonObject = Object.fromEntries(claims);
  if (difference.raw === undefined && difference.append === undefined) {
    return { header: Object.fromEntries(header), claims: plain, payload: JSON.stringify(plain), differences };
  }
  const raw = evaluated(difference.raw ?? [], scope);
  const append = difference.append?.evaluate(scope) ?? null;
  for (const [name, text] of raw) differences.push({ what: `claims.${name}`, change: 'raw', value: text });
  if (append !== null) differences.push({ what: 'claims', change: 'raw', value: append });
  const payload = renderPayload(claims, raw, append);
  return { header: Object.fromEntries(header), claims: parsedClaims(payload, plain), payload, differences };
}
