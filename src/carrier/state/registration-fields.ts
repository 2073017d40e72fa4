import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The registrations given to createCarrier cannot be used; the message says where. */
export class RegistrationError extends Error {
  constructor(where: string, what: string) {
    super(`registrations: ${where} ${what}`);
    this.name = 'RegistrationError';
  }
}

export function requireUnique<T>(list: T[], where: string, name: (entry: T) => string): T[] {
  const names = new Set<string>();
  for (const entry of list) {
    if (names.has(name(entry))) throw new RegistrationError(where, `name ${name(entry)} twice`);
    names.add(name(entry));
  }
  return list;
}

export function requireObject(value: unknown, where: string): JsonObject {
  if (!isJsonObject(value)) throw new RegistrationError(where, 'must be an object');
  return value;
}

export function requireString(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new RegistrationError(where, 'must be a non-empty string');
  return value;
}

export function requireBoolean(value: unknown, where: string): boolean {
  if (typeof value !== 'boolean') throw new RegistrationError(where, 'must be true or false');
  return value;
}

function path(where: string, name: string): string {
  return where === '' ? name : `${where}.${name}`;
}

export function requireText(object: JsonObject, name: string, where: string): string {
  return requireString(object[name], path(where, name));
}

/** False where it is left out. */
export function isMarked(object: JsonObject, name: string, where: string): boolean {
  return object[name] === undefined ? false : requireBoolean(object[name], path(where, name));
}

export function optionalText(object: JsonObject, name: string, where: string): string | undefined {
  return object[name] === undefined ? undefined : requireText(object, name, where);
}

export function requireList(object: JsonObject, name: string, where: string): readonly Json[] {
  const value = object[name] ?? null;
  if (!isJsonList(value)) throw new RegistrationError(path(where, name), 'must be a list');
  return value;
}

export function texts(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value)) throw new RegistrationError(where, 'must be a list');
  return value.map((entry: unknown, at) => requireString(entry, `${where}[${at}]`));
}

export function requireTexts(object: JsonObject, name: string, where: string): readonly string[] {
  return texts(object[name], path(where, name));
}

export function mapMembers<T>(
  object: JsonObject,
  name: string,
  where: string,
  parse: (value: unknown, where: string) => T,
): Readonly<Record<string, T>> {
  const members = requireObject(object[name] ?? {}, path(where, name));
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, parse(value, `${path(where, name)}.${key}`)]),
  );
}
