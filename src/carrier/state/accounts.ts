import type { KeyObject } from 'node:crypto';
import { importPublicJwk } from '../jose/jws.ts';
import { isJsonObject, type JsonObject, stringMember } from '../json.ts';
import {
  type ClientRegistration,
  RegistrationError,
  type Registrations,
  type SubscriberRegistration,
} from './registrations.ts';

/** One public key an SP registered in the portal (§5.1). */
export interface RegisteredKey {
  readonly kid: string;
  readonly alg: string;
  readonly jwk: JsonObject;
  readonly key: KeyObject;
}

/** An SP registration as it stands now; flags and keys can change while requests are pending. */
export interface Client extends Omit<ClientRegistration, 'keys' | 'flags'> {
  readonly flags: Map<string, boolean>;
  readonly registeredFlags: Readonly<Record<string, boolean>>;
  readonly keys: Map<string, RegisteredKey>;
  readonly allKeys: ReadonlyMap<string, RegisteredKey>;
}

/** A subscriber as of now. */
export interface Subscriber extends Omit<SubscriberRegistration, 'consents' | 'subs' | 'phone'> {
  /** As registered in the portal and the shop; a restore goes back to it. */
  readonly registered: SubscriberRegistration;
  /** Scopes by name of the client. */
  readonly consents: Map<string, Set<string>>;
  readonly subs: ReadonlyMap<string, string>;
  phone: string;
  /** Attributes that were edited, with their values; their proof is gone (§2.11). */
  readonly edits: Map<string, JsonObject>;
  /** Edited attributes for which a document was scanned since (§2.11). */
  readonly rescanned: Set<string>;
  /** Clients to whose app or site the phone app is no longer linked (§1.6). */
  readonly unlinked: Set<string>;
  emailVerified: boolean;
  /** Milliseconds; absent where the SIM has been in use with the number since before the carrier started. */
  simChangedAt?: number;
  /** Milliseconds: when the number last changed, and the SIM was last moved or its device reset. */
  phoneChangedAt?: number;
  movedAt?: number;
  /** Milliseconds from which on the carrier knows of it (§2.11). */
  simSeenAt?: number;
  /** Milliseconds; absent until the first full authentication. */
  authenticatedAt?: number;
  /** Milliseconds: when the user last opened the phone app. */
  openedAt?: number;
}

export interface Accounts {
  readonly clients: ReadonlyMap<string, Client>;
  readonly subscribers: ReadonlyMap<string, Subscriber>;
  /** The subscriber of a pairwise sub, and the client it is for. */
  findSub(sub: string): { readonly subscriber: Subscriber; readonly clientName: string } | undefined;
  findPhone(phone: string): Subscriber | undefined;
  changeNumber(subscriber: Subscriber, phone: string): void;
  /** Another SIM, or another number: at `now`, milliseconds, the two begin to be together. */
  changeSim(subscriber: Subscriber, now: number): void;
}

interface AccountsOptions {
  /** Milliseconds: the day on which birthdates given in years fall. */
  readonly now: number;
  /** §2.11: seconds after which a SIM swap is seen. */
  readonly simSwapLag: number;
}

export function openAccounts(registrations: Registrations, { now, simSwapLag }: AccountsOptions): Accounts {
  const clients = new Map(registrations.clients.map((client) => [client.clientId, openClient(client)]));
  const subscribers = new Map(registrations.subscribers.map((entry) => [entry.name, openSubscriber(entry, now)]));
  const subs = new Map<string, { subscriber: Subscriber; clientName: string }>();
  const phones = new Map<string, Subscriber>();
  for (const subscriber of subscribers.values()) {
    phones.set(subscriber.phone, subscriber);
    for (const [clientName, sub] of subscriber.subs) {
      if (subs.has(sub)) throw new RegistrationError(`subscribers.${subscriber.name}.subs`, `name ${sub} twice`);
      subs.set(sub, { subscriber, clientName });
    }
  }
  return {
    clients,
    subscribers,
    findSub: (sub) => subs.get(sub),
    findPhone: (phone) => phones.get(phone),
    changeNumber(subscriber, phone) {
      phones.delete(subscriber.phone);
      subscriber.phone = phone;
      phones.set(phone, subscriber);
    },
    changeSim(subscriber, at) {
      subscriber.simChangedAt = at;
      subscriber.simSeenAt = at + simSwapLag * 1000;
    },
  };
}

function openClient(registration: ClientRegistration): Client {
  const keys = registration.keys.map((jwk, at) => openKey(jwk, `clients.${registration.name}.keys[${at}]`));
  const allKeys = new Map(keys.map((key) => [key.kid, key]));
  if (allKeys.size !== keys.length)
    throw new RegistrationError(`clients.${registration.name}.keys`, 'name a kid twice');
  // What the portal holds of events beside the flags of §2.12 is switched like one.
  const flags = {
    ...registration.flags,
    event_subscription: registration.eventSubscription,
    event_endpoint: registration.eventUri !== undefined,
  };
  return {
    ...registration,
    flags: new Map(Object.entries(flags)),
    registeredFlags: flags,
    keys: new Map(allKeys),
    allKeys,
  };
}

function openSubscriber(registration: SubscriberRegistration, now: number): Subscriber {
  return {
    ...registration,
    registered: registration,
    profile: withBirthdate(registration.profile, now),
    consents: openConsents(registration),
    subs: new Map(Object.entries(registration.subs)),
    edits: new Map(),
    rescanned: new Set(),
    unlinked: new Set(),
    emailVerified: registration.account.emailVerified,
  };
}

const openConsents = ({ consents }: SubscriberRegistration): Map<string, Set<string>> =>
  new Map(Object.entries(consents).map(([client, scopes]) => [client, new Set(scopes)]));

/** A birthdate of `{years_ago, days_later}` moves with the clock, so that an age is at its boundary on any day. */
function withBirthdate(profile: JsonObject, now: number): JsonObject {
  const { birthdate } = profile;
  if (!isJsonObject(birthdate) || typeof birthdate['years_ago'] !== 'number') return profile;
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() - birthdate['years_ago']);
  date.setUTCDate(date.getUTCDate() + Number(birthdate['days_later'] ?? 0));
  return { ...profile, birthdate: { value: date.toISOString().slice(0, 10) } };
}

function openKey(jwk: JsonObject, where: string): RegisteredKey {
  const kid = stringMember(jwk, 'kid');
  const alg = stringMember(jwk, 'alg');
  if (kid === undefined || alg === undefined) throw new RegistrationError(where, 'must have kid and alg');
  const usable = importPublicJwk(jwk);
  if (usable === undefined || usable.alg !== alg) {
    throw new RegistrationError(where, 'must be a public RSA key of 2048 bits or more (RS256), or EC P-256 (ES256)');
  }
  return { kid, alg, jwk: usable.jwk, key: usable.key };
}
