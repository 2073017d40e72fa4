import type { AnswerSeen, CallbackSeen } from '../../judge/observation.ts';
import type { Ties } from '../../wire/correlate.ts';
import type { CaseRoom } from './case-room.ts';

/** The deliveries that answer one request object, and who waits for them. */
export interface Inbox {
  readonly room: CaseRoom;
  readonly step: string;
  readonly deliveries: CallbackSeen[];
  /** Deliveries that an `await` has taken already. */
  taken: number;
  /** Known once the answer is in. */
  answer: AnswerSeen | undefined;
  /** Resolves when the answer is in: callbacks that overtake it wait for it; undefined: there will be none. */
  readonly answered: Promise<AnswerSeen | undefined>;
  readonly abandon: () => void;
  readonly settle: (answer: AnswerSeen) => void;
  readonly listeners: Set<() => void>;
  ties: Ties;
}

export function createInbox(room: CaseRoom, step: string, ties: Ties): Inbox {
  let resolve: (answer: AnswerSeen | undefined) => void = () => undefined;
  const answered = new Promise<AnswerSeen | undefined>((done) => {
    resolve = done;
  });
  const inbox: Inbox = {
    room,
    step,
    deliveries: [],
    taken: 0,
    answer: undefined,
    answered,
    abandon: () => resolve(undefined),
    settle: (answer) => {
      inbox.answer = answer;
      resolve(answer);
    },
    listeners: new Set(),
    ties,
  };
  return inbox;
}

export function deliver(inbox: Inbox, callback: CallbackSeen): void {
  inbox.deliveries.push(callback);
  for (const wake of Array.from(inbox.listeners)) wake();
}
