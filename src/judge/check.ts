import type { Json } from '../model/json.ts';
import type { Judgeable } from './mismatch.ts';
import type { ResponseObservation, CallbackObservation, EventObservation } from './observation.ts';

/** What a named check found: `expected` is a sentence; an aspect gives the finding a level of its own. */
export interface CheckMismatch {
  readonly aspect?: string;
  readonly path?: string;
  readonly expected: string;
  readonly actual: Json;
}

/** A named check of one observation: what data cannot say. */
export interface MessageCheck {
  readonly over: 'message';
  readonly check: (observation: Judgeable) => readonly CheckMismatch[];
}

/** A mismatch over the run names the message that showed it. */
export interface RunMismatch extends CheckMismatch {
  readonly message: string;
  readonly seenIn: string;
}

/** Any answer of the carrier to a judged endpoint, any callback, any event. */
export type RunMessage = { readonly seenIn: string } & (
  | { readonly response: ResponseObservation }
  | { readonly callback: CallbackObservation }
  | { readonly event: EventObservation }
);

/** A named check over the whole run; it keeps only what it must. */
export interface RunCheck {
  readonly over: 'run';
  readonly begin: () => {
    readonly observe: (message: RunMessage) => void;
    /** What was found, and on how many messages it was judged. */
    readonly conclude: () => { readonly mismatches: readonly RunMismatch[]; readonly judged: number };
  };
}

export type NamedCheck = MessageCheck | RunCheck;

export const defineCheck = (check: MessageCheck['check']): MessageCheck => ({ over: 'message', check });
export const defineRunCheck = (begin: RunCheck['begin']): RunCheck => ({ over: 'run', begin });
