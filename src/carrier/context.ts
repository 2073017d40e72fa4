import type { HintOpener } from './jose/jwe.ts';
import type { CompactJws, CarrierSigningKey } from './jose/jws.ts';
import type { JsonObject } from './json.ts';
import type { Policy } from './policy.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Accounts, ClientState, RegisteredKey, SubscriberState } from './state/accounts.ts';
import type { Replays } from './state/records.ts';

/** Context of the first checks: the POST as received. Later contexts add to it. */
export interface MessageContext {
  readonly policy: Policy;
  /** Milliseconds since the epoch, on the carrier's clock. */
  readonly now: number;
  readonly issuer: string;
  readonly accounts: Accounts;
  readonly replays: Replays;
  readonly contentType: string;
  /** Number of Host headers. */
  readonly hosts: number;
  /** §4.1: ignored. */
  readonly accept: string;
  readonly bytes: Uint8Array;
  readonly query: JsonObject;
  /** Returns the claims of a login_hint_token (§2.7), or undefined if the carrier cannot read it. */
  readonly openHintToken: (token: string, open?: HintOpener) => JsonObject | undefined;
  readonly signingKey: CarrierSigningKey;
  readonly countPending: (client: ClientState, subscriber: SubscriberState) => number;
}

export interface BodyContext extends MessageContext {
  /** Members of the body, `request` among them (§2.1). */
  readonly outside: JsonObject;
}

export interface ObjectContext extends BodyContext {
  readonly jws: CompactJws;
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** The JSON text of each claim. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface ClientContext extends ObjectContext {
  readonly client: ClientState;
}

export interface KeyContext extends ClientContext {
  readonly key: RegisteredKey;
}

export interface SubscriberContext extends KeyContext {
  readonly subscriber: SubscriberState;
}

export interface HintTokenContext extends SubscriberContext {
  readonly hint: JsonObject;
}

export const hasClaim = ({ claims }: ObjectContext, name: string): boolean => Object.hasOwn(claims, name);

/** Returns the claim, if present; refuses one that is not a string. */
export function optionalString(context: ObjectContext, name: string): string | undefined {
  if (!hasClaim(context, name)) return undefined;
  const value = context.claims[name];
  if (typeof value !== 'string') refuse('invalid_request', `${name} must be a string`);
  return value;
}

/** Returns the claim; refuses one that is absent, empty or not a string. */
export function requireString(context: ObjectContext, name: string, error = 'invalid_request'): string {
  const value = hasClaim(context, name) ? context.claims[name] : undefined;
  if (typeof value !== 'string' || value === '') refuse(error, `${name} is required and must be a string`);
  return value;
}

/** Returns the claim; refuses one that is absent or not written as a plain JSON integer. */
export function requireInteger(context: ObjectContext, name: string): number {
  const text = context.texts.get(name);
  if (text === undefined) refuse('invalid_request', `${name} is required`);
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) refuse('invalid_request', `${name} must be an integer`);
  return Number(text);
}

/** Whole seconds since the epoch. */
export const nowInSeconds = (context: MessageContext): number => Math.floor(context.now / 1000);

/** A usertrait query as received (§4.7). Later contexts add to it. */
export interface TraitMessage extends MessageContext {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly origin: string;
  readonly mccmnc: string;
  readonly header: (name: string) => string | undefined;
}

export interface TraitBody extends TraitMessage {
  readonly body: JsonObject;
}

export interface TraitClient extends TraitBody {
  readonly client: ClientState;
}

/** Adds the proof of possession of x-authorization (§5.4). */
export interface ProofContext extends TraitClient {
  readonly proof: CompactJws;
  readonly proofHeader: JsonObject;
  readonly proofClaims: JsonObject;
  readonly key: RegisteredKey;
}

export interface TraitSubscriber extends ProofContext {
  readonly subscriber: SubscriberState;
}

/** Refuses an SP that did not prove its identity; discloses nothing else. */
export function refuseProof(description: string): never {
  throw new Refusal('invalid_client', description, { status: 401, headers: { 'www-authenticate': 'PoP' } });
}

/** One protocol check; throws a Refusal if the request violates it. */
export interface Check<C> {
  readonly name: string;
  readonly run: (context: C) => void;
}

export const check = <C>(name: string, run: (context: C) => void): Check<C> => ({ name, run });

/** Step between two groups of checks; adds what the next group needs to the context. */
export interface Reader<C, More> {
  readonly name: string;
  readonly read: (context: C) => More;
}

export const reader = <C, More>(name: string, read: (context: C) => More): Reader<C, More> => ({ name, read });

export function runChecks<C>(checks: readonly Check<C>[], context: C): void {
  for (const { run } of checks) run(context);
}
