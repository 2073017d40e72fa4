import { randomInt } from 'node:crypto';
import type { Client, Subscriber } from './accounts.ts';
import { words } from '../pipeline/context.ts';
import { isJsonObject, type Json, type JsonObject, stringMember } from '../json.ts';
import type { Policy } from '../policy.ts';

/** §3: a request is pending, then exactly one of the others. `failed` is the error callback of §7 that nobody chose. */
export type RequestState = 'pending' | 'completed' | 'denied' | 'timed-out' | 'cancelled' | 'failed';

/** What the SP asked for, out of the claims of §2.3 that passed the checks. */
export interface Wanted {
  readonly redirectUri: string;
  readonly notificationUri: string;
  readonly notificationToken?: string;
  readonly scopes: readonly string[];
  readonly state?: string;
  readonly nonce?: string;
  readonly context?: string;
  readonly correlationId?: string;
  readonly prompt: readonly string[];
  readonly options: readonly string[];
  readonly acr?: string;
  readonly expiresIn: number;
  readonly referredBinding?: JsonObject;
}

/** One server-initiated request, from its 200 on. */
export interface AuthorizationRequest {
  readonly id: string;
  readonly client: Client;
  readonly subscriber: Subscriber;
  readonly kid: string;
  readonly wanted: Wanted;
  /** Milliseconds. */
  readonly receivedAt: number;
  /** Seconds. */
  readonly granted: number;
  /** §2.3 referred_binding, or the SP key that verified the request object. */
  readonly boundKey: JsonObject;
  readonly consentScreen: readonly string[];
  state: RequestState;
  authentication?: Authentication;
  openedUri?: string;
  cancelTimeOut: () => void;
}

/** How the user proves himself when he approves. */
export type Authentication = 'full' | 'none' | 'reused';

/** Seconds, where a fault let a request through without a usable expires_in. */
const defaultLife = 300;

/** Claims to what was wanted; tolerant, because a fault may have let anything through. */
export function readWanted(claims: JsonObject): Wanted {
  const text = (name: string): string => stringMember(claims, name) ?? '';
  const binding = claims['referred_binding'];
  return {
    redirectUri: text('redirect_uri'),
    notificationUri: text('notification_uri'),
    scopes: [...new Set(words(text('scope')))],
    prompt: words(text('prompt')),
    options: words(text('options')),
    expiresIn: readLife(claims['expires_in']),
    ...optional('notificationToken', stringMember(claims, 'client_notification_token')),
    ...optional('state', stringMember(claims, 'state')),
    ...optional('nonce', stringMember(claims, 'nonce')),
    ...optional('context', stringMember(claims, 'context')),
    ...optional('correlationId', stringMember(claims, 'correlation_id')),
    ...optional('acr', stringMember(claims, 'acr_values')),
    ...optional('referredBinding', isJsonObject(binding) ? binding : undefined),
  };
}

function readLife(value: Json | undefined): number {
  const life = Math.trunc(Number(value));
  return life >= 1 && Number.isSafeInteger(life) ? life : defaultLife;
}

/** A member that is left out where there is no value. */
export function optional<N extends string, T>(name: N, value: T | undefined): { [K in N]?: T } {
  const members: { [K in N]?: T } = {};
  if (value !== undefined) members[name] = value;
  return members;
}

/** §2.3: with prompt=consent all scopes, otherwise those not yet consented. */
export function scopesToConsent(wanted: Wanted, subscriber: Subscriber, client: Client): readonly string[] {
  const consented = subscriber.consents.get(client.name);
  return wanted.prompt.includes('consent')
    ? wanted.scopes
    : wanted.scopes.filter((scope) => consented?.has(scope) !== true);
}

/** §2.3 prompt and acr_values: what an approval at `now` (milliseconds) takes. */
export function authenticationNeeded(request: AuthorizationRequest, policy: Policy, now: number): Authentication {
  const age = (now - (request.subscriber.authenticatedAt ?? -Infinity)) / 1000;
  if (request.wanted.prompt.includes('login')) return age < policy.loginReuse ? 'reused' : 'full';
  if ((request.wanted.acr ?? policy.defaultAcr) === 'a1') return 'none';
  return age <= policy.authenticationReuse ? 'reused' : 'full';
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** §2.4 auth_req_id; 32 characters carry 190 bits. */
export function makeAuthReqId(): string {
  return `ccid-${Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}
