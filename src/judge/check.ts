import type { Interface } from '../model/interface.ts';
import type { Json } from '../lib/json.ts';
import type { CallbackObservation, EventObservation, Judgeable, ResponseObservation } from './observation.ts';

/** What a named check found: `expected` is a sentence; an aspect gives the finding a level of its own. */
export interface CheckMismatch {
  readonly aspect?: string;
  readonly path?: string;
  readonly expected: string;
  readonly actual: Json;
  /** Ids of the cases whose messages it was compared with, where these are others than its own. */
  readonly comparedWith?: readonly string[];
}

/** A named check of one observation: what data cannot say. */
export interface MessageCheck {
  readonly name: string;
  readonly over: 'message';
  readonly check: (observation: Judgeable) => readonly CheckMismatch[];
}

/** A mismatch over the run names the message that showed it. */
export interface RunMismatch extends CheckMismatch {
  readonly message: string;
  readonly seenIn: string;
}

/** Any response of the carrier at a judged endpoint, any callback, any event. */
export type RunMessage = { readonly seenIn: string } & (
  | { readonly response: ResponseObservation }
  | { readonly callback: CallbackObservation }
  | { readonly event: EventObservation }
);

/** The state of a run check, which keeps only what it must. */
export interface RunCheckState {
  /** Gives what the message shows at once; some checks know only in the end. */
  readonly observe: (message: RunMessage) => readonly RunMismatch[];
  /** An endpoint of the carrier that has to be read for what came to be judged; absent of a check that needs none. */
  readonly lacks?: () => string | undefined;
  /** All that was found, on how many messages it was judged, and on how many it could not be. */
  readonly conclude: () => {
    readonly mismatches: readonly RunMismatch[];
    readonly judged: number;
    readonly unjudged?: number;
  };
}

export interface RunCheck {
  readonly name: string;
  readonly over: 'run';
  readonly begin: () => RunCheckState;
}

export type NamedCheck = MessageCheck | RunCheck;

export type NamedChecks = Readonly<Record<string, NamedCheck>>;

/** An interface with what judges its messages. */
export interface CertifiedInterface extends Interface {
  readonly checks: NamedChecks;
}

export const checksByName = (checks: readonly NamedCheck[]): NamedChecks =>
  Object.fromEntries(checks.map((check) => [check.name, check]));

export const defineCheck = (name: string, check: MessageCheck['check']): MessageCheck => ({
  name,
  over: 'message',
  check,
});

/** A state that finds nothing before the run is over. */
type StateToTheEnd = Omit<RunCheckState, 'observe'> & { readonly observe: (message: RunMessage) => void };

export const defineRunCheck = (name: string, begin: () => StateToTheEnd): RunCheck => ({
  name,
  over: 'run',
  begin: () => {
    const { observe, ...state } = begin();
    return {
      ...state,
      observe: (message) => {
        observe(message);
        return [];
      },
    };
  },
});

const observationIn = (message: RunMessage): ResponseObservation | CallbackObservation | EventObservation =>
  'response' in message ? message.response : 'callback' in message ? message.callback : message.event;

export const placeOf = (message: RunMessage): Pick<RunMismatch, 'message' | 'seenIn'> => ({
  message: observationIn(message).message,
  seenIn: message.seenIn,
});

/** Seconds since the epoch. */
export const momentOf = (message: RunMessage): number => observationIn(message).receivedAt;

type SequenceJudge = (message: RunMessage) => readonly CheckMismatch[] | undefined;

/** A check over the run that compares each message with those before it; it returns undefined for one it does not judge. */
export const defineSequenceCheck = (name: string, begin: () => SequenceJudge): RunCheck => ({
  name,
  over: 'run',
  begin: () => {
    const judge = begin();
    const mismatches: RunMismatch[] = [];
    let judged = 0;
    return {
      observe: (message) => {
        const found = judge(message);
        if (found === undefined) return [];
        judged += 1;
        const placed = found.map((mismatch) => ({ ...mismatch, ...placeOf(message) }));
        mismatches.push(...placed);
        return placed;
      },
      conclude: () => ({ mismatches, judged }),
    };
  },
});

/** Names the case of an earlier message, where it is another than that of the message that is judged. */
export const comparedWith = (
  earlier: Pick<RunMessage, 'seenIn'> | undefined,
  { seenIn }: Pick<RunMessage, 'seenIn'>,
): Pick<CheckMismatch, 'comparedWith'> =>
  earlier === undefined || earlier.seenIn === seenIn ? {} : { comparedWith: [earlier.seenIn] };
