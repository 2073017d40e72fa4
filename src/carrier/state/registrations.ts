import type { Json, JsonObject } from '../json.ts';
import {
  isMarked,
  mapMembers,
  optionalText,
  RegistrationError,
  requireBoolean,
  requireList,
  requireObject,
  requireString,
  requireText,
  requireTexts,
  requireUnique,
  texts,
} from './registration-fields.ts';

export { RegistrationError } from './registration-fields.ts';

/** What the SP portal and the carrier's own systems know, as the caller gives it. */
export interface Registrations {
  readonly issuer?: string;
  readonly mccmnc: string;
  /** Address of discovery_ui (§4.6), named in the answer for an unknown carrier. */
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
  /** §4.8: where events go. */
  readonly eventUri?: string;
  /** §6: subscribed to the alert service. */
  readonly eventSubscription: boolean;
  /** §2.12. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly scopes: readonly string[];
  readonly sector: string;
  readonly disabled: boolean;
}

/** What the carrier knows of how the attributes were proofed (§2.11). */
export interface Account {
  readonly plan: 'postpaid' | 'prepaid';
  /** Primary account holder after a credit check. */
  readonly holder: boolean;
  readonly emailVerified: boolean;
  /** A document that was scanned, as in the verification object of §2.11. */
  readonly document?: JsonObject;
}

export interface SubscriberRegistration {
  readonly name: string;
  readonly phone: string;
  readonly enrolled: boolean;
  /** Userinfo attributes by scope. */
  readonly profile: JsonObject;
  readonly account: Account;
  /** The carrier cannot tell since when the SIM is in use (§7). */
  readonly simUnknown: boolean;
  /** Scopes by name of the client. */
  readonly consents: Readonly<Record<string, readonly string[]>>;
  /** Pairwise subscriber id by name of the client. */
  readonly subs: Readonly<Record<string, string>>;
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
    otherCarriers: (root['other_carriers'] === undefined ? [] : requireList(root, 'other_carriers', '')).map(
      parseOther,
    ),
    clients: requireUnique(requireList(root, 'clients', '').map(parseClient), 'clients', (client) => client.clientId),
    subscribers: requireUnique(
      requireList(root, 'subscribers', '').map((entry, index) => parseSubscriber(entry, index, mccmnc)),
      'subscribers',
      (subscriber) => subscriber.name,
    ),
  };
}

function parseOther(value: Json, index: number): OtherCarrier {
  const where = `other_carriers[${index}]`;
  const entry = requireObject(value, where);
  return { mccmnc: requireText(entry, 'mccmnc', where), issuer: requireText(entry, 'issuer', where) };
}

function parseClient(value: Json, index: number): ClientRegistration {
  const where = `clients[${index}]`;
  const entry = requireObject(value, where);
  const secret = optionalText(entry, 'secret', where);
  const eventUri = optionalText(entry, 'event_uri', where);
  return {
    clientId: requireText(entry, 'client_id', where),
    name: requireText(entry, 'name', where),
    ...(secret === undefined ? {} : { secret }),
    keys: requireList(entry, 'keys', where).map((key, at) => requireObject(key, `${where}.keys[${at}]`)),
    redirectUris: requireTexts(entry, 'redirect_uris', where).map((uri) => requireRedirect(uri, where)),
    notificationUris: requireTexts(entry, 'notification_uris', where).map((uri) => requireNotification(uri, where)),
    ...(eventUri === undefined ? {} : { eventUri: requireNotification(eventUri, where) }),
    eventSubscription: isMarked(entry, 'event_subscription', where),
    flags: mapMembers(entry, 'flags', where, requireBoolean),
    scopes: requireTexts(entry, 'scopes', where),
    sector: requireText(entry, 'sector', where),
    disabled: isMarked(entry, 'disabled', where),
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
    account: parseAccount(requireObject(entry['account'] ?? {}, `${where}.account`), `${where}.account`),
    simUnknown: isMarked(entry, 'sim_unknown', where),
    consents: mapMembers(entry, 'consents', where, texts),
    subs: mapMembers(entry, 'subs', where, (sub, at) => {
      const text = requireString(sub, at);
      if (!text.startsWith(`${mccmnc}-`)) throw new RegistrationError(at, `must begin with ${mccmnc}-`);
      return text;
    }),
  };
}

function parseAccount(entry: JsonObject, where: string): Account {
  const plan = entry['plan'] ?? 'postpaid';
  if (plan !== 'postpaid' && plan !== 'prepaid')
    throw new RegistrationError(`${where}.plan`, 'must be postpaid or prepaid');
  return {
    plan,
    holder: isMarked(entry, 'holder', where),
    emailVerified: isMarked(entry, 'email_verified', where),
    ...(entry['document'] === undefined ? {} : { document: requireObject(entry['document'], `${where}.document`) }),
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
