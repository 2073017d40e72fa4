import { isJsonObject, type Json } from '../model/json.ts';

/** A fresh JSON copy of a value a scope gave; undefined where it is not JSON. */
export function copyJson(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item) ?? null);
  if (typeof value !== 'object') return undefined;
  const copy: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    const json = copyJson(member);
    if (json !== undefined) setOwn(copy, name, json);
  }
  return copy;
}

/** Follows own properties and list indexes only, never a prototype. */
export function follow(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found)) {
      const list: readonly unknown[] = found;
      found = /^\d+$/.test(step) ? list[Number(step)] : undefined;
    } else {
      found = isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    }
    if (found === undefined) return undefined;
  }
  return found;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value);
}

/** Sets an own property whatever its name is: `__proto__` is a name like any other. */
export function setOwn(target: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}
