import type { ActionMark } from '../../model/action.ts';

export interface OperatorQuestion {
  /** Asks to `do` something, whether something `holds`, or to `tell` what is there. */
  readonly kind: 'do' | 'holds' | 'tell';
  /** One sentence. May contain text of the carrier: a view must sanitize it. */
  readonly description: string;
  /** The same without credentials, for the record. */
  readonly recorded: string;
  /** Phone number, or the subscriber's name. */
  readonly phone: string;
  /** client_id of the SP. */
  readonly sp: string;
  /** Text that distinguishes the request on the phone from others; absent if no request is meant. */
  readonly request?: string;
  /** Why it is asked a second time; absent the first time. */
  readonly again?: string;
  readonly case: string;
  readonly step: string;
  readonly action: string;
  /** Marks the card of an action that is easily taken for another. */
  readonly mark?: ActionMark;
  /** Number of the act in the run, and the count of all. */
  readonly place?: { readonly number: number; readonly of: number };
  /** The case and what a conforming carrier does in it; absent if that names another action than the one to do. */
  readonly about?: string;
  /** Milliseconds after the question is asked. */
  readonly timeout: number;
  /** Expiry of the request, in milliseconds since the epoch; absent on a virtual clock, where nothing expires by itself. */
  readonly expires?: number;
}

/** File that the operator keeps; only its name and hash are recorded. */
export interface AnswerEvidence {
  readonly name: string;
  /** `sha256:...` */
  readonly sha256: string;
}

/** `cannot`: impossible, or unknown; `nothing`: the time is up, or the operator is gone. */
export interface OperatorAnswer {
  readonly word: 'done' | 'yes' | 'no' | 'cannot' | 'nothing';
  readonly note?: string;
  readonly evidence?: AnswerEvidence;
  /** Name of the person; absent if unknown. */
  readonly by?: string;
}

/** Reason to withdraw a question: it was answered elsewhere. The message says by which operator. */
export class AnsweredElsewhereError extends Error {}

/** Person who answers. Never rejects: an aborted signal ends the question with `nothing`. */
export interface Operator {
  /** Several people answer, so only questions about the same phone wait for each other. */
  readonly several?: true;
  /** `until`: expiry of the request, in milliseconds since the epoch. */
  readonly ask: (question: OperatorQuestion, signal: AbortSignal, until?: number) => Promise<OperatorAnswer>;
}

/** Admits one at a time to each lane; `onChange` gets the change of the waiting count. */
function createLanes(onChange: (by: 1 | -1) => void) {
  /** Waiters by busy lane. */
  const lanes = new Map<string, { readonly until: number; readonly begin: () => void }[]>();
  return {
    async enter(lane: string, until: number): Promise<void> {
      const waiting = lanes.get(lane);
      if (waiting === undefined) {
        lanes.set(lane, []);
        return;
      }
      await new Promise<void>((begin) => {
        waiting.push({ until, begin });
        onChange(1);
      });
    },
    leave(lane: string): void {
      const waiting = lanes.get(lane) ?? [];
      const [first] = waiting.toSorted((one, other) => one.until - other.until);
      if (first === undefined) {
        lanes.delete(lane);
        return;
      }
      waiting.splice(waiting.indexOf(first), 1);
      onChange(-1);
      first.begin();
    },
  };
}

/** Asks one question at a time, or one per phone; the one that expires first goes first. */
export function queueQuestions(operator: Operator, onWaiting: (count: number) => void = () => undefined): Operator {
  let count = 0;
  const lanes = createLanes((by) => {
    count += by;
    onWaiting(count);
  });
  return {
    ask: async (question, signal, until = Number.POSITIVE_INFINITY) => {
      const lane = operator.several === true ? question.phone : '';
      await lanes.enter(lane, until);
      try {
        if (signal.aborted) return { word: 'nothing' };
        return await operator.ask(question, signal, until);
      } finally {
        lanes.leave(lane);
      }
    },
  };
}
