import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';

/** What the SP portal and the carrier's own systems know, as the caller gives it. */
export interface Registrations {
  readonly issuer?: string;
  readonly mccmnc: string;
  /** Address of discovery_ui (§4.6), named in the answer for an unknown carrier. */
  readonly discoveryUi?: string;
  readonly clients: readonly ClientRegistration[];
  readonly subscribers: readonly SubscriberRegistration[];
}

export interface ClientRegistration {
  readonly clientId: string;
  readonly name: string;
  readonly secret?: string;
  readonly keys: readonly JsonObject[];
  readonly redirectUris: readonly string[];
  readonly notificationUris: readonly string[];
  /** §2.12. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly scopes: readonly string[];
  readonly sector: string;
  readonly disabled: boolean;
}

export interface SubscriberRegistration {
  readonly name: string;
  readonly phone: string;
  readonly enrolled: boolean;
  /** Userinfo claims by scope. */
  readonly profile: JsonObject;
  /** Scopes by name of the client. */
  readonly consents: Readonly<Record<string, readonly string[]>>;
  /** Pairwise subscriber id by name of the client. */
  readonly subs: Readonly<Record<string, string>>;
}

/** The registrations given to createCarrier cannot be used; the message says where. */
export class RegistrationError extends Error {
  constructor(where: string, what: string) {
    super(`registrations: ${where} ${what}`);
    this.name = 'RegistrationError';
  }
}

/** JSON to registrations; throws RegistrationError. */
export function parseRegistrations(value: unknown): Registrations {
  const root = requireObject(value, 'the document');
  const issuer = optionalText(root, 'issuer', '');
  const discoveryUi = optionalText(root, 'discovery_ui', '');
  const mccmnc = requireText(root, 'mccmnc', '');
  if (!/^\d{5,6}$/.test(mccmnc)) throw new RegistrationError('mccmnc', 'must be 5 or 6 digits');
  return {
    ...(issuer === undefined ? {} : { issuer }),
    ...(discoveryUi === undefined ? {} : { discoveryUi }),
    mccmnc,
    clients: requireUnique(requireList(root, 'clients', '').map(parseClient), 'clients', (client) => client.clientId),
    subscribers: requireUnique(
      requireList(root, 'subscribers', '').map((entry, index) => parseSubscriber(entry, index, mccmnc)),
      'subscribers',
      (subscriber) => subscriber.name,
    ),
  };
}

function parseClient(value: Json, index: number): ClientRegistration {
  const where = `clients[${index}]`;
  const entry = requireObject(value, where);
  const secret = optionalText(entry, 'secret', where);
  return {
    clientId: requireText(entry, 'client_id', where),
    name: requireText(entry, 'name', where),
    ...(secret === undefined ? {} : { secret }),
    keys: requireList(entry, 'keys', where).map((key, at) => requireObject(key, `${where}.keys[${at}]`)),
    redirectUris: requireTexts(entry, 'redirect_uris', where).map((uri) => requireRedirect(uri, where)),
    notificationUris: requireTexts(entry, 'notification_uris', where).map((uri) => requireNotification(uri, where)),
    flags: mapMembers(entry, 'flags', where, requireBoolean),
    scopes: requireTexts(entry, 'scopes', where),
    sector: requireText(entry, 'sector', where),
    disabled: entry['disabled'] === undefined ? false : requireBoolean(entry['disabled'], `${where}.disabled`),
  };
}

function parseSubscriber(value: Json, index: number, mccmnc: string): SubscriberRegistration {
  const where = `subscribers[${index}]`;
  const entry = requireObject(value, where);
  return {
    name: requireText(entry, 'name', where),
    phone: requireText(entry, 'phone', where),
    enrolled: requireBoolean(entry['enrolled'], `${where}.enrolled`),
    profile: entry['profile'] === undefined ? {} : requireObject(entry['profile'], `${where}.profile`),
    consents: mapMembers(entry, 'consents', where, texts),
    subs: mapMembers(entry, 'subs', where, (sub, at) => {
      const text = requireString(sub, at);
      if (!text.startsWith(`${mccmnc}-`)) throw new RegistrationError(at, `must begin with ${mccmnc}-`);
      return text;
    }),
  };
}

/** §2.3 redirect_uri: https or a custom scheme, no wildcards. */
function requireRedirect(uri: string, where: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  const bad = scheme === undefined || ['http', 'javascript', 'data', 'file'].includes(scheme) || uri.includes('*');
  if (bad) throw new RegistrationError(`${where}.redirect_uris`, `cannot hold ${uri}`);
  return uri;
}

/** Plain http is for a receiver on this machine only, and credentials in the URI for nobody. */
function requireNotification(uri: string, where: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const local = url !== undefined && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname);
  const good = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (!good || !(url.protocol === 'https:' || (url.protocol === 'http:' && local))) {
    throw new RegistrationError(`${where}.notification_uris`, `cannot hold ${uri}`);
  }
  return uri;
}

function requireUnique<T>(list: T[], where: string, name: (entry: T) => string): T[] {
  const names = new Set<string>();
  for (const entry of list) {
    if (names.has(name(entry))) throw new RegistrationError(where, `name ${name(entry)} twice`);
    names.add(name(entry));
  }
  return list;
}

function requireObject(value: unknown, where: string): JsonObject {
  if (!isJsonObject(value)) throw new RegistrationError(where, 'must be an object');
  return value;
}

function requireString(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new RegistrationError(where, 'must be a non-empty string');
  return value;
}

function requireBoolean(value: unknown, where: string): boolean {
  if (typeof value !== 'boolean') throw new RegistrationError(where, 'must be true or false');
  return value;
}

function path(where: string, name: string): string {
  return where === '' ? name : `${where}.${name}`;
}

function requireText(object: JsonObject, name: string, where: string): string {
  return requireString(object[name], path(where, name));
}

function optionalText(object: JsonObject, name: string, where: string): string | undefined {
  return object[name] === undefined ? undefined : requireText(object, name, where);
}

function requireList(object: JsonObject, name: string, where: string): readonly Json[] {
  const value = object[name] ?? null;
  if (!isJsonList(value)) throw new RegistrationError(path(where, name), 'must be a list');
  return value;
}

function texts(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value)) throw new RegistrationError(where, 'must be a list');
  return value.map((entry: unknown, at) => requireString(entry, `${where}[${at}]`));
}

function requireTexts(object: JsonObject, name: string, where: string): readonly string[] {
  return texts(object[name], path(where, name));
}

function mapMembers<T>(
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
