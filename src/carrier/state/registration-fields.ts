import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The registrations given to createCarrier cannot be used; the message names the place. */
export class RegistrationError extends Error {
  constructor(where: string, what: string) {
    super(`registrations: ${where} ${what}`);
    this.name = 'RegistrationError';
  }
}

/** The members of one object of the registrations, read by name; each throws a RegistrationError that names its place. */
export interface Fields {
  readonly value: JsonObject;
  readonly where: string;
  text(name: string): string;
  optionalText(name: string): string | undefined;
  boolean(name: string): boolean;
  /** False where it is left out. */
  flag(name: string): boolean;
  texts(name: string): readonly string[];
  /** The objects of a list. */
  entries(name: string): readonly Fields[];
  object(name: string): Fields;
  optionalObject(name: string): JsonObject | undefined;
  /** Every member of an object; an absent object has none. */
  mapMembers<T>(name: string, parse: (value: Json, where: string) => T): Readonly<Record<string, T>>;
}

export function fieldsOf(given: unknown, where: string): Fields {
  const value = requireObject(given, where === '' ? 'the document' : where);
  const at = (name: string): string => (where === '' ? name : `${where}.${name}`);
  const fields: Fields = {
    value,
    where,
    text: (name) => requireString(value[name], at(name)),
    optionalText: (name) => (value[name] === undefined ? undefined : fields.text(name)),
    boolean: (name) => requireBoolean(value[name], at(name)),
    flag: (name) => value[name] !== undefined && fields.boolean(name),
    texts: (name) => requireTexts(value[name], at(name)),
    entries: (name) =>
      requireList(value[name], at(name)).map((entry, index) => fieldsOf(entry, `${at(name)}[${index}]`)),
    object: (name) => fieldsOf(value[name] ?? {}, at(name)),
    optionalObject: (name) => (value[name] === undefined ? undefined : requireObject(value[name], at(name))),
    mapMembers: (name, parse) => {
      const members = Object.entries(requireObject(value[name] ?? {}, at(name)));
      return Object.fromEntries(members.map(([key, member]) => [key, parse(member, `${at(name)}.${key}`)]));
    },
  };
  return fields;
}

export function requireUnique<T>(list: readonly T[], where: string, name: (entry: T) => string): readonly T[] {
  const names = new Set<string>();
  for (const entry of list) {
    if (names.has(name(entry))) throw new RegistrationError(where, `name ${name(entry)} twice`);
    names.add(name(entry));
  }
  return list;
}

export function requireString(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new RegistrationError(where, 'must be a non-empty string');
  return value;
}

export function requireBoolean(value: unknown, where: string): boolean {
  if (typeof value !== 'boolean') throw new RegistrationError(where, 'must be true or false');
  return value;
}

export function requireTexts(value: Json | undefined, where: string): readonly string[] {
  return requireList(value, where).map((entry, index) => requireString(entry, `${where}[${index}]`));
}

function requireObject(value: unknown, where: string): JsonObject {
  if (!isJsonObject(value)) throw new RegistrationError(where, 'must be an object');
  return value;
}

function requireList(value: Json | undefined, where: string): readonly Json[] {
  if (!isJsonList(value)) throw new RegistrationError(where, 'must be a list');
  return value;
}
