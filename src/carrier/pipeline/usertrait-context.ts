import type { Client, RegisteredKey, Subscriber } from '../state/accounts.ts';
import type { MessageContext } from './context.ts';
import type { JsonObject } from '../json.ts';
import type { CompactJws } from '../jose/jws.ts';
import { Refusal } from '../refusal.ts';

/** A usertrait query as it came (§4.7). Later contexts know more. */
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
  readonly client: Client;
}

/** With the proof of possession of x-authorization (§5.4). */
export interface ProofContext extends TraitClient {
  readonly proof: CompactJws;
  readonly proofHeader: JsonObject;
  readonly proofClaims: JsonObject;
  readonly key: RegisteredKey;
}

export interface TraitSubscriber extends ProofContext {
  readonly subscriber: Subscriber;
}

/** The SP did not show that it is the one it says it is; nothing is disclosed. */
export function refuseProof(description: string): never {
  throw new Refusal('invalid_client', description, 401, { 'www-authenticate': 'PoP' });
}
