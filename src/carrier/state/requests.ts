import { randomInt } from 'node:crypto';
import { definedMembers, isJsonObject, type Json, type JsonObject, stringMember, words } from '../json.ts';
import type { ClientState, SubscriberState } from './accounts.ts';

/** How the user authenticates for an approval. */
export type Authentication = 'full' | 'none' | 'reused';

/** §3: pending, then exactly one of the others. `failed`: an error callback of §7 that is not the user's choice. */
export type RequestState = 'pending' | 'completed' | 'denied' | 'timed-out' | 'cancelled' | 'failed';

/** Accepted claims of a request (§2.3). */
export interface AcceptedClaims {
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
  readonly client: ClientState;
  readonly subscriber: SubscriberState;
  readonly kid: string;
  readonly wanted: AcceptedClaims;
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

/** Seconds, for a request without a usable expires_in that a fault let through. */
const defaultLife = 300;

/** Reads the accepted claims; tolerant, because a fault may have let anything through. */
export function readAcceptedClaims(claims: JsonObject): AcceptedClaims {
  const text = (name: string): string => stringMember(claims, name) ?? '';
  const binding = claims['referred_binding'];
  return {
    redirectUri: text('redirect_uri'),
    notificationUri: text('notification_uri'),
    scopes: [...new Set(words(text('scope')))],
    prompt: words(text('prompt')),
    options: words(text('options')),
    expiresIn: readLife(claims['expires_in']),
    ...definedMembers({
      notificationToken: stringMember(claims, 'client_notification_token'),
      state: stringMember(claims, 'state'),
      nonce: stringMember(claims, 'nonce'),
      context: stringMember(claims, 'context'),
      correlationId: stringMember(claims, 'correlation_id'),
      acr: stringMember(claims, 'acr_values'),
      referredBinding: isJsonObject(binding) ? binding : undefined,
    }),
  };
}

function readLife(value: Json | undefined): number {
  const life = Math.trunc(Number(value));
  return life >= 1 && Number.isSafeInteger(life) ? life : defaultLife;
}

const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** §2.4 auth_req_id; 32 characters carry 190 bits. */
export const makeAuthReqId = (): string =>
  `ccid-${Array.from({ length: 32 }, () => idAlphabet[randomInt(idAlphabet.length)]).join('')}`;
