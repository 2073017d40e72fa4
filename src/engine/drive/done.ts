import type { RunState } from '../context/case-context.ts';

interface Done {
  readonly action: string;
  readonly subscriber: string;
}

const keyOf = ({ action, subscriber }: Done): string => `${action} ${subscriber}`;

/** Remembers when an action was done to a subscriber, in milliseconds. */
export function rememberAction({ done }: RunState, action: Done, at: number): void {
  done.set(keyOf(action), Math.max(at, done.get(keyOf(action)) ?? 0));
}

/** When an action was last done to a subscriber, in milliseconds; undefined where it never was. */
export const lastDone = ({ done }: RunState, action: Done): number | undefined => done.get(keyOf(action));
