/** What the operator is asked, with a phone in the hand. */
export interface Question {
  /** To `do` something, to say whether something `holds`, or to `tell` what is there. */
  readonly kind: 'do' | 'holds' | 'tell';
  /** One sentence. May hold what a carrier sent: what shows it makes it harmless. */
  readonly description: string;
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

/** A person who answers. Never rejects: a signal that aborts ends the question with `nothing`. */
export interface Operator {
  /** `until`: when the request meant expires, milliseconds since the epoch. */
  readonly ask: (question: Question, signal: AbortSignal, until?: number) => Promise<Answer>;
}

interface Waiting {
  readonly until: number;
  readonly begin: () => void;
}

/**
 * One question at a time: the one whose request expires first, else in the order they came. `onWaiting` is told how many others
 * wait whenever that changes.
 */
export function queueQuestions(operator: Operator, onWaiting: (count: number) => void = () => undefined): Operator {
  const waiting: Waiting[] = [];
  let busy = false;
  const next = (): void => {
    const [first] = waiting.toSorted((one, other) => one.until - other.until);
    if (first === undefined) {
      busy = false;
      return;
    }
    waiting.splice(waiting.indexOf(first), 1);
    onWaiting(waiting.length);
    first.begin();
  };
  return {
    ask: async (question, signal, until = Number.POSITIVE_INFINITY) => {
      if (busy) {
        await new Promise<void>((begin) => {
          waiting.push({ until, begin });
          onWaiting(waiting.length);
        });
      }
      busy = true;
      try {
        if (signal.aborted) return { word: 'nothing' };
        return await operator.ask(question, signal);
      } finally {
        next();
      }
    },
  };
}
