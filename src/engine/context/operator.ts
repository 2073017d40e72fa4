export interface Question {
  /** To `do` something, to say whether something `holds`, or to `tell` what is there. */
  readonly kind: 'do' | 'holds' | 'tell';
  /** One sentence. May hold what a carrier sent: what shows it makes it harmless. */
  readonly description: string;
  /** The same without credentials, for whoever looks back at it. */
  readonly recorded: string;
  /** Number of the phone, or the subscriber's name. */
  readonly phone: string;
  /** The SP that it is about, by its client_id. */
  readonly sp: string;
  /** The request on the phone, as it can be distinguished from others; absent where none is meant. */
  readonly request?: string;
  /** Id of the case, and what a carrier that conforms does in it. */
  readonly case: string;
  readonly rationale: string;
  /** Milliseconds from when it is asked. */
  readonly timeout: number;
  /** When the request meant expires, milliseconds since the epoch; absent on a virtual clock, where nothing expires by itself. */
  readonly expires?: number;
}

/** A file that the operator keeps; of it, only this is recorded. */
export interface Evidence {
  readonly name: string;
  /** `sha256:...` */
  readonly sha256: string;
}

/** `cannot`: it is not possible, or cannot be said; `nothing`: the time is up, or the operator is gone. */
export interface Answer {
  readonly word: 'done' | 'yes' | 'no' | 'cannot' | 'nothing';
  readonly note?: string;
  readonly evidence?: Evidence;
}

/** Why a question is withdrawn: it was answered elsewhere, and the message says by whom. */
export class AnsweredElsewhere extends Error {}

/** A person who answers. Never rejects: a signal that aborts ends the question with `nothing`. */
export interface Operator {
  /** Several people answer: only questions about the same phone wait for each other. */
  readonly several?: true;
  /** `until`: when the request meant expires, milliseconds since the epoch. */
  readonly ask: (question: Question, signal: AbortSignal, until?: number) => Promise<Answer>;
}

/** Lets one at a time through each lane; `onChange` is told when one more waits, or one less. */
function createLanes(onChange: (by: 1 | -1) => void) {
  /** What waits, by what is busy. */
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

/** Asks one question at a time, or one per phone; the one whose request expires first comes first. */
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
