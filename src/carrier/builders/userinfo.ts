import type { ClientState, SubscriberState } from '../state/accounts.ts';
import { isJsonObject, type Json, type JsonObject, words } from '../json.ts';
import type { Policy } from '../policy.ts';
import { strictTraits } from './usertrait.ts';

export interface ProfileCall {
  readonly subscriber: SubscriberState;
  readonly client: ClientState;
  readonly policy: Policy;
  /** Milliseconds. */
  readonly now: number;
}

type Level = 1 | 2 | 3;

/** Builders of the userinfo response (§2.11), by name; a fault replaces one. */
export interface UserinfoBuilders {
  /** Member of the response by scope. */
  readonly members: Readonly<Record<string, string>>;
  /** The value of an attribute, without its level; undefined: not known. */
  readonly attribute: (scope: string, call: ProfileCall) => JsonObject | undefined;
  readonly level: (scope: string, call: ProfileCall) => Json;
  readonly hasLevels: (client: ClientState) => boolean;
  readonly unlevelled: (attribute: JsonObject) => Json;
  readonly verification: (members: readonly string[], call: ProfileCall) => JsonObject | undefined;
  readonly scopes: (approved: readonly string[], client: ClientState, subscriber: SubscriberState) => readonly string[];
  readonly sub: (call: ProfileCall, sub: string) => string;
  /** Whether the client still has the consent of the subscriber. */
  readonly mayRead: (client: ClientState, subscriber: SubscriberState) => boolean;
}

export const strictUserinfo: UserinfoBuilders = {
  members: {
    name: 'name',
    email: 'email',
    phone: 'phone',
    address: 'address',
    postal_code: 'postal_code',
    birthdate: 'birthdate',
    picture: 'picture',
    location: 'location',
    last_4_social: 'last_4_social',
    is_adult_18: 'is_adult18',
    is_adult_21: 'is_adult21',
    is_over_13: 'is_over13',
    sim_tenure_24: 'sim_tenure_24',
  },
  attribute: readAttribute,
  level: (scope, call) => attributeLevels[scope]?.(call) ?? 1,
  hasLevels: ({ flags }) => flags.get('ial_enabled') === true,
  unlevelled: (attribute) => attribute,
  verification: buildVerification,
  scopes: (approved) => approved,
  sub: (_call, sub) => sub,
  mayRead: ({ name }, { consents }) => (consents.get(name)?.size ?? 0) > 0,
};

/** The table of §2.11, row by row. */
const attributeLevels: Readonly<Record<string, (call: ProfileCall) => Level>> = {
  name: (call) => (isProofed(call, 'name', isOwner(call) && isCreditChecked(call)) ? 2 : 1),
  email: ({ subscriber }) => (subscriber.emailVerified ? 2 : 1),
  phone: () => 3,
  address: (call) => addressLevel(call),
  postal_code: (call) => addressLevel(call),
  picture: () => 1,
  location: () => 3,
  last_4_social: (call) => (isOwner(call) && isCreditChecked(call) ? 2 : 1),
  birthdate: (call) => birthdateLevel(call),
  is_adult_18: (call) => birthdateLevel(call),
  is_adult_21: (call) => birthdateLevel(call),
  is_over_13: (call) => birthdateLevel(call),
  sim_tenure_24: ({ policy }) => (policy.simSwapLag > 3600 ? 1 : 3),
};

/** Level 2 for the billing address of the primary holder, or after a scan. */
function addressLevel(call: ProfileCall): Level {
  return isProofed(call, 'address', isOwner(call)) ? 2 : 1;
}

/** Level 2 for the birthdate of the primary holder, or after a scan. */
function birthdateLevel(call: ProfileCall): Level {
  return isProofed(call, 'birthdate', isOwner(call)) ? 2 : 1;
}

/** Proofed by the account or by a scan; an edit undoes both, unless a document was scanned since. */
function isProofed(call: ProfileCall, name: string, isKnown: boolean): boolean {
  const { edits, rescanned } = call.subscriber;
  return edits.has(name) ? rescanned.has(name) : isKnown || isScanned(call);
}

/** The primary account holder of a postpaid plan. */
function isOwner({ subscriber: { account } }: ProfileCall): boolean {
  return account.plan === 'postpaid' && account.holder;
}

function isCreditChecked({ subscriber: { account } }: ProfileCall): boolean {
  return account.creditChecked;
}

const isScanned = ({ subscriber: { account } }: ProfileCall): boolean => account.document !== undefined;

const ages: Readonly<Record<string, number>> = { is_adult_18: 18, is_adult_21: 21, is_over_13: 13 };

function readAttribute(scope: string, call: ProfileCall): JsonObject | undefined {
  const { subscriber, policy, now } = call;
  if (words(policy.withoutAttributes).includes(scope)) return undefined;
  if (scope === 'phone') return { value: subscriber.phone };
  if (scope === 'sim_tenure_24') return { value: strictTraits.tenure(subscriber, { policy, now }) };
  const years = ages[scope];
  if (years === undefined) return storedAttribute(scope, call);
  const birthdate = storedAttribute('birthdate', call)?.['value'];
  return typeof birthdate === 'string' ? { value: hasReachedAge(birthdate, years, now) } : undefined;
}

function storedAttribute(name: string, { subscriber: { edits, profile } }: ProfileCall): JsonObject | undefined {
  const known = profile[name];
  const edited = edits.get(name);
  if (edited !== undefined) return edited;
  return isJsonObject(known) ? known : undefined;
}

/** Whether the user has reached this age; 29 February counts as 1 March in other years. */
function hasReachedAge(birthdate: string, years: number, now: number): boolean {
  const day = new Date(`${birthdate}T00:00:00Z`);
  day.setUTCFullYear(day.getUTCFullYear() + years);
  return day.getTime() <= now;
}

const proofedAttributes = ['name', 'birthdate', 'address'];

function buildVerification(members: readonly string[], { subscriber }: ProfileCall): JsonObject | undefined {
  const { document } = subscriber.account;
  if (document === undefined) return undefined;
  const shown = members.filter((name) => proofedAttributes.includes(name) && !subscriber.edits.has(name));
  if (shown.length === 0) return undefined;
  return { regulation: 'NIST SP 800-63A', identity_documents: [{ ...document, verified_claims: shown.join(',') }] };
}
