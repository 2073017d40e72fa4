import type { Json } from '../lib/json.ts';
import type { Latency } from './target.ts';

/** What can be made to happen at the carrier or on the subscriber's phone, by the name a suite uses. */
export interface Action {
  readonly name: string;
  readonly description: string;
  /** What the operator is asked to do, where the target file has no prompt of its own. */
  readonly prompt: string;
  /** Changes the subscriber, the registration or the carrier's key set, not just one request: the lock is exclusive. */
  readonly mutates: 'subscriber' | 'client' | 'keys' | undefined;
  /** The carrier may push events about it, and drops the like of what it sent during the cool-down. */
  readonly raisesEvents?: boolean;
  /** How long it may take to show, by the name of a latency of the target. */
  readonly shows?: keyof Latency;
  /** It is about one request, and means nothing when that has expired. */
  readonly ofRequest?: boolean;
  /** What a plain case shows of a request with which this is done: `completed`, `denied`. */
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
  /** What the undo needs of the subscriber and the target file does not have. */
  readonly missing?: string;
}

/** What undoes a change; undefined where nothing does, or the change was itself an undo. */
export function undoOf(
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
