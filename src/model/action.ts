import type { Json, JsonObject } from '../lib/json.ts';
import type { Latency } from './target.ts';

/** Word, button and tone by which a person tells the card of an action from others. */
export interface ActionMark {
  readonly word: string;
  /** Button of a person who has done it. */
  readonly done: string;
  readonly tone: 'good' | 'bad' | 'open';
}

/** An action at the carrier or on the subscriber's phone, by the name a suite uses. */
export interface Action {
  readonly name: string;
  readonly description: string;
  /** Question to the operator if the target file has no prompt. */
  readonly prompt: string;
  /** Changes the subscriber, the registration or the carrier's key set, not just one request: the lock is exclusive. */
  readonly mutates: 'subscriber' | 'client' | 'keys' | undefined;
  /** The carrier may push events about it. During the cool-down it drops events like those it already sent. */
  readonly raisesEvents?: boolean;
  /** Name of the target's latency after which the effect shows. */
  readonly shows?: keyof Latency;
  /** It concerns one request and has no effect once that has expired. */
  readonly ofRequest?: boolean;
  /** Outcome of a plain request after the action: `completed`, `denied`. */
  readonly establishes?: string;
  /** Words that name it in a sentence; a task card of another action shows no sentence with them. */
  readonly named?: RegExp;
  /** Marks its card. */
  readonly mark?: ActionMark;
  /** Values that its driver reads as `with.NAME`, each in a sentence. */
  readonly gets?: Readonly<Record<string, string>>;
  /** Member of the driver's response that the case reads; the operator types it after `done`. A credential. */
  readonly gives?: string;
  /** Action that undoes it when the case ends. */
  readonly undo?: string;
  /** Tags that a subscriber loses by it, each with the action that brings the tag back when the case ends (P21). */
  readonly spends?: Readonly<Record<string, string>>;
  /** Subscriber members passed to the undo; if absent, it gets the values of the action. */
  readonly undoWith?: readonly 'phone'[];
}

export interface UndoCall {
  readonly action: string;
  readonly given: Readonly<Record<string, Json>>;
  /** Subscriber member that the undo needs and the target file lacks. */
  readonly missing?: string;
  /** Tag that it brings back. */
  readonly lost?: string;
}

/** Returns the undo of a change; undefined if there is none, or the change was an undo itself. */
export function findUndo(
  { name, undo: action, undoWith, spends = {} }: Action,
  given: Readonly<Record<string, Json>>,
  subscriber: { readonly phone?: string; readonly tags: readonly string[] },
): UndoCall | undefined {
  const lost = Object.keys(spends).find((tag) => subscriber.tags.includes(tag));
  if (lost !== undefined) return { action: spends[lost] ?? '', given: {}, lost };
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
  /** Name of the action: `approve`, `move-sim`. */
  readonly action: string;
  /** Values of the action, such as the granted scopes. */
  readonly with: JsonObject;
  /** Request that the action concerns: its claims, and its response if any. Absent if it concerns none. */
  readonly request?: { readonly claims: JsonObject; readonly status?: number; readonly body?: JsonObject };
  /** Subscriber and client of the case, with the members that target file templates read. */
  readonly subscriber: JsonObject;
  readonly client: JsonObject;
  /** `input` of the target file, with its templates evaluated. */
  readonly input: JsonObject;
  /** Aborted when the run stops or the driver's time is over. */
  readonly signal: AbortSignal;
}

export interface DriverOutput {
  /** False if it was impossible because the push is gone. Default: true. */
  readonly done?: boolean;
  /** Used as a response body. For `look`: the card on the phone. */
  readonly body?: JsonObject;
  /** One line for people. */
  readonly note?: string;
}

/** Default export of a driver module. If it throws, the case is inconclusive. */
export type DriverModule = (input: DriverInput) => Promise<DriverOutput | undefined> | DriverOutput | undefined;
