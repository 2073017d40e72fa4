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

/** Current registration of an SP; flags and keys can change while requests are pending. */
export interface ClientState extends Omit<ClientRegistration, 'keys' | 'flags'> {
  readonly flags: Map<string, boolean>;
  readonly registeredFlags: Readonly<Record<string, boolean>>;
  readonly keys: Map<string, RegisteredKey>;
  readonly allKeys: ReadonlyMap<string, RegisteredKey>;
}

export interface SubscriberState extends Omit<SubscriberRegistration, 'consents' | 'subs' | 'phone'> {
  /** Original registration, which a restore goes back to. */
  readonly registered: SubscriberRegistration;
  /** Scopes by name of the client. */
  readonly consents: Map<string, Set<string>>;
  readonly subs: ReadonlyMap<string, string>;
  phone: string;
  /** Values of edited attributes, which are no longer proofed (§2.11). */
  readonly edits: Map<string, JsonObject>;
  /** Edited attributes for which a document was scanned since (§2.11). */
  readonly rescanned: Set<string>;
  /** Clients that the phone app is no longer linked to (§1.6). */
  readonly unlinked: Set<string>;
  emailVerified: boolean;
  /** Milliseconds; absent if the SIM and the number were together before the carrier started. */
  simChangedAt?: number;
  /** Milliseconds: when the number last changed, and when the SIM last moved or its device was reset. */
  phoneChangedAt?: number;
  movedAt?: number;
  /** Milliseconds: when the carrier learns of the SIM change (§2.11). */
  simSeenAt?: number;
  /** Milliseconds; absent until the first full authentication. */
  authenticatedAt?: number;
  /** Milliseconds: when the user last opened the phone app. */
  openedAt?: number;
}

export interface Accounts {
  readonly clients: ReadonlyMap<string, ClientState>;
  readonly subscribers: ReadonlyMap<string, SubscriberState>;
  /** The subscriber of a pairwise sub, and the client it is for. */
  findSub(sub: string): { readonly subscriber: SubscriberState; readonly clientName: string } | undefined;
  findPhone(phone: string): SubscriberState | undefined;
  changeNumber(subscriber: SubscriberState, phone: string): void;
  /** Records at `now`, in milliseconds, that the subscriber has another SIM or number. */
  changeSim(subscriber: SubscriberState, now: number): void;
}

interface AccountsOptions {
  /** Milliseconds: reference day for birthdates given in years. */
  readonly now: number;
  /** §2.11: seconds until a SIM swap is seen. */
  readonly simSwapLag: number;
}

export function openAccounts(registrations: Registrations, { now, simSwapLag }: AccountsOptions): Accounts {
  const clients = new Map(registrations.clients.map((client) => [client.clientId, openClient(client)]));
  const subscribers = new Map(registrations.subscribers.map((entry) => [entry.name, openSubscriber(entry, now)]));
  const subs = new Map<string, { subscriber: SubscriberState; clientName: string }>();
  const phones = new Map<string, SubscriberState>();
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

function openClient(registration: ClientRegistration): ClientState {
  const keys = registration.keys.map((jwk, at) => openKey(jwk, `clients.${registration.name}.keys[${at}]`));
  const allKeys = new Map(keys.map((key) => [key.kid, key]));
  if (allKeys.size !== keys.length)
    throw new RegistrationError(`clients.${registration.name}.keys`, 'name a kid twice');
  // The portal's entries for events are no flags of §2.12, but are switched like them.
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

function openSubscriber(registration: SubscriberRegistration, now: number): SubscriberState {
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

/** Resolves a birthdate of `{years_ago, days_later}` against the clock, so that an age is at its boundary on any day. */
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
