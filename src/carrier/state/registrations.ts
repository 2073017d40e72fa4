import { definedMembers, isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The registrations given to createCarrier cannot be used; the message names the place. */
export class RegistrationError extends Error {
  constructor(where: string, what: string) {
    super(`registrations: ${where} ${what}`);
    this.name = 'RegistrationError';
  }
}

/** Reads the members of one object of the registrations by name; throws a RegistrationError that names the place. */
interface Fields {
  readonly value: JsonObject;
  readonly where: string;
  text(name: string): string;
  optionalText(name: string): string | undefined;
  boolean(name: string): boolean;
  /** False if absent. */
  flag(name: string): boolean;
  texts(name: string): readonly string[];
  entries(name: string): readonly Fields[];
  object(name: string): Fields;
  optionalObject(name: string): JsonObject | undefined;
  /** Parses every member of an object; an absent object has none. */
  mapMembers<T>(name: string, parse: (value: Json, where: string) => T): Readonly<Record<string, T>>;
}

function readFields(given: unknown, where: string): Fields {
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
      requireList(value[name], at(name)).map((entry, index) => readFields(entry, `${at(name)}[${index}]`)),
    object: (name) => readFields(value[name] ?? {}, at(name)),
    optionalObject: (name) => (value[name] === undefined ? undefined : requireObject(value[name], at(name))),
    mapMembers: (name, parse) => {
      const members = Object.entries(requireObject(value[name] ?? {}, at(name)));
      return Object.fromEntries(members.map(([key, member]) => [key, parse(member, `${at(name)}.${key}`)]));
    },
  };
  return fields;
}

function requireUnique<T>(list: readonly T[], where: string, name: (entry: T) => string): readonly T[] {
  const names = new Set<string>();
  for (const entry of list) {
    if (names.has(name(entry))) throw new RegistrationError(where, `name ${name(entry)} twice`);
    names.add(name(entry));
  }
  return list;
}

function requireString(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new RegistrationError(where, 'must be a non-empty string');
  return value;
}

function requireBoolean(value: unknown, where: string): boolean {
  if (typeof value !== 'boolean') throw new RegistrationError(where, 'must be true or false');
  return value;
}

const requireTexts = (value: Json | undefined, where: string): readonly string[] =>
  requireList(value, where).map((entry, index) => requireString(entry, `${where}[${index}]`));

function requireObject(value: unknown, where: string): JsonObject {
  if (!isJsonObject(value)) throw new RegistrationError(where, 'must be an object');
  return value;
}

function requireList(value: Json | undefined, where: string): readonly Json[] {
  if (!isJsonList(value)) throw new RegistrationError(where, 'must be a list');
  return value;
}

/** Data of the SP portal and the carrier's own systems, as the caller gives it. */
export interface Registrations {
  readonly issuer?: string;
  readonly mccmnc: string;
  readonly ownCodes: readonly string[];
  /** Address of discovery_ui (§4.6), named in the response for an unknown carrier. */
  readonly discoveryUi?: string;
  /** Carriers of the same platform (§1.8), known to discovery by name only. */
  readonly otherCarriers: readonly OtherCarrier[];
  readonly clients: readonly ClientRegistration[];
  readonly subscribers: readonly SubscriberRegistration[];
}

export interface OtherCarrier {
  readonly mccmnc: string;
  readonly issuer: string;
}

export interface ClientRegistration {
  readonly clientId: string;
  readonly name: string;
  readonly secret?: string;
  readonly keys: readonly JsonObject[];
  readonly redirectUris: readonly string[];
  readonly notificationUris: readonly string[];
  /** §4.8: event endpoint. */
  readonly eventUri?: string;
  /** §6: subscribed to the alert service. */
  readonly eventSubscription: boolean;
  /** §2.12. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly scopes: readonly string[];
  readonly sector: string;
  readonly disabled: boolean;
}

/** Facts about the account that decide the levels of attributes (§2.11). */
interface Account {
  readonly plan: 'postpaid' | 'prepaid';
  /** Primary account holder, not another line of the plan. */
  readonly holder: boolean;
  /** Credit was checked; default: as `holder`. */
  readonly creditChecked: boolean;
  readonly emailVerified: boolean;
  /** Scanned document, as in the verification object of §2.11. */
  readonly document?: JsonObject;
}

export interface SubscriberRegistration {
  readonly name: string;
  readonly phone: string;
  readonly enrolled: boolean;
  /** Userinfo attributes by scope. */
  readonly profile: JsonObject;
  readonly account: Account;
  /** The carrier cannot tell how long the SIM has been in use (§7). */
  readonly simUnknown: boolean;
  /** Scopes by name of the client. */
  readonly consents: Readonly<Record<string, readonly string[]>>;
  /** Pairwise subscriber id by name of the client. */
  readonly subs: Readonly<Record<string, string>>;
}

/** Parses registrations; throws RegistrationError. */
export function parseRegistrations(value: unknown): Registrations {
  const root = readFields(value, '');
  const addresses = definedMembers({
    issuer: root.optionalText('issuer'),
    discoveryUi: root.optionalText('discovery_ui'),
  });
  const mccmnc = root.text('mccmnc');
  if (!/^\d{5,6}$/.test(mccmnc)) throw new RegistrationError('mccmnc', 'must be 5 or 6 digits');
  const others = root.value['other_carriers'] === undefined ? [] : root.entries('other_carriers');
  return {
    ...addresses,
    mccmnc,
    ownCodes: root.value['own_codes'] === undefined ? [] : root.texts('own_codes'),
    otherCarriers: others.map((entry) => ({ mccmnc: entry.text('mccmnc'), issuer: entry.text('issuer') })),
    clients: requireUnique(root.entries('clients').map(parseClient), 'clients', ({ clientId }) => clientId),
    subscribers: requireUnique(
      root.entries('subscribers').map((entry) => parseSubscriber(entry, mccmnc)),
      'subscribers',
      ({ name }) => name,
    ),
  };
}

function parseClient(entry: Fields): ClientRegistration {
  const { where } = entry;
  const eventUri = entry.optionalText('event_uri');
  return {
    ...definedMembers({ secret: entry.optionalText('secret') }),
    clientId: entry.text('client_id'),
    name: entry.text('name'),
    keys: entry.entries('keys').map(({ value }) => value),
    redirectUris: entry.texts('redirect_uris').map((uri) => requireRedirect(uri, where)),
    notificationUris: entry.texts('notification_uris').map((uri) => requireNotification(uri, where)),
    ...definedMembers({ eventUri: eventUri === undefined ? undefined : requireNotification(eventUri, where) }),
    eventSubscription: entry.flag('event_subscription'),
    flags: entry.mapMembers('flags', requireBoolean),
    scopes: entry.texts('scopes'),
    sector: entry.text('sector'),
    disabled: entry.flag('disabled'),
  };
}

function parseSubscriber(entry: Fields, mccmnc: string): SubscriberRegistration {
  return {
    name: entry.text('name'),
    phone: entry.text('phone'),
    enrolled: entry.boolean('enrolled'),
    profile: entry.optionalObject('profile') ?? {},
    account: parseAccount(entry.object('account')),
    simUnknown: entry.flag('sim_unknown'),
    consents: entry.mapMembers('consents', requireTexts),
    subs: entry.mapMembers('subs', (sub, where) => requireSub(sub, mccmnc, where)),
  };
}

function requireSub(value: Json, mccmnc: string, where: string): string {
  const sub = requireString(value, where);
  if (!sub.startsWith(`${mccmnc}-`)) throw new RegistrationError(where, `must begin with ${mccmnc}-`);
  return sub;
}

function parseAccount(entry: Fields): Account {
  const plan = entry.value['plan'] ?? 'postpaid';
  if (plan !== 'postpaid' && plan !== 'prepaid') {
    throw new RegistrationError(`${entry.where}.plan`, 'must be postpaid or prepaid');
  }
  return {
    plan,
    holder: entry.flag('holder'),
    creditChecked: entry.flag(entry.value['credit_checked'] === undefined ? 'holder' : 'credit_checked'),
    emailVerified: entry.flag('email_verified'),
    ...definedMembers({ document: entry.optionalObject('document') }),
  };
}

/** §2.3 redirect_uri: https or a custom scheme, no wildcards. */
function requireRedirect(uri: string, where: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  const bad = scheme === undefined || ['http', 'javascript', 'data', 'file'].includes(scheme) || uri.includes('*');
  if (bad) throw new RegistrationError(`${where}.redirect_uris`, `cannot hold ${uri}`);
  return uri;
}

/** https, or http for a receiver on this machine; neither credentials nor a fragment. */
function requireNotification(uri: string, where: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const local = url !== undefined && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname);
  const good = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (!good || !(url.protocol === 'https:' || (url.protocol === 'http:' && local))) {
    throw new RegistrationError(`${where}.notification_uris`, `cannot hold ${uri}`);
  }
  return uri;
}
