import type { Interface } from '../model/interface.ts';
import type { Json } from '../lib/json.ts';
import type { CallbackObservation, EventObservation, Judgeable, ResponseObservation } from './observation.ts';

/** Mismatch of a named check: `expected` is a sentence; an aspect gives the finding its own level. */
export interface CheckMismatch {
  readonly aspect?: string;
  readonly path?: string;
  readonly expected: string;
  readonly actual: Json;
  /** Ids of the other cases whose messages it was compared with. */
  readonly comparedWith?: readonly string[];
  /** The message has tokens that must not have come. */
  readonly carries?: 'tokens' | 'data';
}

/** A named check of one observation, for what data cannot express. */
export interface MessageCheck {
  readonly name: string;
  readonly over: 'message';
  readonly check: (observation: Judgeable) => readonly CheckMismatch[];
}

/** A mismatch over the run, with the message that showed it. */
export interface RunMismatch extends CheckMismatch {
  readonly message: string;
  readonly seenIn: string;
}

/** A response at a judged endpoint, a callback or an event. */
export type RunMessage = { readonly seenIn: string } & (
  | { readonly response: ResponseObservation }
  | { readonly callback: CallbackObservation }
  | { readonly event: EventObservation }
);

/** State of a run check; it keeps as little as possible. */
export interface RunCheckState {
  /** Returns mismatches that this message shows; some checks find theirs only at the end. */
  readonly observe: (message: RunMessage) => readonly RunMismatch[];
  /** Endpoint of the carrier that must be read before the messages so far can be judged. */
  readonly lacks?: () => string | undefined;
  /** Awaited before `conclude`, by a check that needs more than the messages themselves. */
  readonly prepare?: () => Promise<void>;
  /** All mismatches, with the number of messages judged and not judgeable. */
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

/** An interface with the checks of its messages. */
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

/** State of a check that finds nothing before the run ends. */
type FinalCheckState = Omit<RunCheckState, 'observe'> & { readonly observe: (message: RunMessage) => void };

export const defineRunCheck = (name: string, begin: () => FinalCheckState): RunCheck => ({
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

const messageObservation = (message: RunMessage): ResponseObservation | CallbackObservation | EventObservation =>
  'response' in message ? message.response : 'callback' in message ? message.callback : message.event;

export const mismatchPlace = (message: RunMessage): Pick<RunMismatch, 'message' | 'seenIn'> => ({
  message: messageObservation(message).message,
  seenIn: message.seenIn,
});

/** Seconds since the epoch. */
export const receivedTime = (message: RunMessage): number => messageObservation(message).receivedAt;

type SequenceJudge = (message: RunMessage) => readonly CheckMismatch[] | undefined;

/** Defines a run check that compares each message with earlier ones; the judge returns undefined for a message that it skips. */
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
        const placed = found.map((mismatch) => ({ ...mismatch, ...mismatchPlace(message) }));
        mismatches.push(...placed);
        return placed;
      },
      conclude: () => ({ mismatches, judged }),
    };
  },
});

/** Names the case of the earlier message, if it is another than the judged message's. */
export const comparisonCase = (
  earlier: Pick<RunMessage, 'seenIn'> | undefined,
  { seenIn }: Pick<RunMessage, 'seenIn'>,
): Pick<CheckMismatch, 'comparedWith'> =>
  earlier === undefined || earlier.seenIn === seenIn ? {} : { comparedWith: [earlier.seenIn] };
