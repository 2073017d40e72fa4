import type { Json, JsonObject } from '../lib/json.ts';
import type { Latency } from './target.ts';

/** An action at the carrier or on the subscriber's phone, by the name a suite uses. */
export interface Action {
  readonly name: string;
  readonly description: string;
  /** Question to the operator if the target file has no prompt. */
  readonly prompt: string;
  /** Changes the subscriber, the registration or the carrier's key set, not just one request: the lock is exclusive. */
  readonly mutates: 'subscriber' | 'client' | 'keys' | undefined;
  /** The carrier may push events about it, and drops the like of what it sent during the cool-down. */
  readonly raisesEvents?: boolean;
  /** How long it may take to show, by the name of a latency of the target. */
  readonly shows?: keyof Latency;
  /** It is about one request, and means nothing when that has expired. */
  readonly ofRequest?: boolean;
  /** Outcome of a plain request after the action: `completed`, `denied`. */
  readonly establishes?: string;
  /** The member of its result that the operator types after `done`; a credential. */
  readonly gives?: string;
  /** The action that undoes it when the case ends. */
  readonly undo?: string;
  /** Members of the subscriber that the undo gets; without them it gets what the action got. */
  readonly undoWith?: readonly 'phone'[];
}

export interface Undoing {
  readonly action: string;
  readonly given: Readonly<Record<string, Json>>;
  /** Subscriber member that the undo needs and the target file lacks. */
  readonly missing?: string;
}

/** Returns the undo of a change; undefined if there is none, or the change was an undo itself. */
export function undoFor(
  { name, undo: action, undoWith }: Action,
  given: Readonly<Record<string, Json>>,
  subscriber: { readonly phone?: string },
): Undoing | undefined {
  if (action === undefined) return undefined;
  if (undoWith === undefined) return { action, given };
  const missing = undoWith.find((member) => subscriber[member] === undefined);
  if (missing !== undefined) return { action, given: {}, missing };
  const isBack = action === name && undoWith.every((member) => given[member] === subscriber[member]);
  return isBack
    ? undefined
    : { action, given: Object.fromEntries(undoWith.map((member) => [member, subscriber[member] ?? null])) };
}

export const findAction = (name: string, actions: readonly Action[]): Action | undefined =>
  actions.find((action) => action.name === name);

/** Input of a driver module's function. It is a copy, so the function cannot change the run. */
export interface DriverInput {
  /** The action, as `approve` or `move-sim`. */
  readonly action: string;
  /** The values of the action, such as the scopes that are granted. */
  readonly with: JsonObject;
  /** The request it is about: what was sent, and the response to it; absent where the action is about none. */
  readonly request?: { readonly claims: JsonObject; readonly status?: number; readonly body?: JsonObject };
  /** The subscriber and the client of the case, as templates of a target file read them. */
  readonly subscriber: JsonObject;
  readonly client: JsonObject;
  /** `input` of the target file, with its templates evaluated. */
  readonly input: JsonObject;
  /** Aborted when the run stops, or when the time of the driver is over. */
  readonly signal: AbortSignal;
}

export interface DriverOutput {
  /** False: it was not possible, because the push is gone. Default: it was done. */
  readonly done?: boolean;
  /** Stands for the body of a response; of `look`, the card that the phone shows. */
  readonly body?: JsonObject;
  /** One line for people. */
  readonly note?: string;
}

/** The default export of a module that a target file names as a driver. An error that it throws makes the case inconclusive. */
export type DriverModule = (input: DriverInput) => Promise<DriverOutput | undefined> | DriverOutput | undefined;
