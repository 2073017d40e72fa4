import type { ActionMark } from '../model/action.ts';
import type { Verdict } from '../model/rule.ts';
import type { MessageView } from '../report/html/message-view.ts';

/** State of a run as sent to pages. Times are milliseconds of wall time, unless they are on the run's clock. */
export interface LiveState {
  readonly now: number;
  readonly begun: boolean;
  /** The run's clock is virtual: its times are not times of day. */
  readonly isVirtual: boolean;
  /** Seconds. */
  readonly elapsed: number;
  /** Estimated seconds until the end, once known. */
  readonly left?: number;
  readonly cases: number;
  readonly done: number;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly broken: { readonly fail: number; readonly warn: number };
  /** Time on the run's clock, and the wall time at which it was heard. */
  readonly clock: { readonly now: number; readonly heardAt: number };
  /** Current waits, the first to end first; `until` is on the run's clock, null if unknown. */
  readonly waiting: readonly { readonly case: string; readonly for: string; readonly until: number | null }[];
  readonly more: number;
  /** Acts of people: begun and in all, answered before the run was cut off, and the wall time of the next. */
  readonly acts?: { readonly begun: number; readonly of: number; readonly before: number; readonly next?: number };
  /** Questions queued behind others about the same phone. */
  readonly tasks: number;
  /** Cases that a stop left out; `done` does not count them. */
  readonly undone: number;
  /** Message while the run is stopping. */
  readonly stopping?: string;
  /** Message once the run is over. */
  readonly ended?: string;
}

/** A finding, exchange or note. Every text is visible and bounded; the page adds none of it as markup. */
export type LiveItem =
  | {
      readonly kind: 'finding';
      readonly verdict: Verdict;
      readonly rule: string;
      readonly where: string;
      readonly text: string;
    }
  | { readonly kind: 'message'; readonly case: string; readonly message: MessageView }
  | { readonly kind: 'note'; readonly text: string };

/** `seq` counts from 1 over the whole run. */
export type NumberedItem = LiveItem & { readonly seq: number; readonly at: number };

export interface QuestionView {
  readonly id: string;
  readonly kind: 'do' | 'holds' | 'tell';
  readonly description: string;
  /** Labels and texts: the phone, the SP, the request, the case. */
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** Latest moment for the act: then the request expires, or the page accepts no more answers. */
  readonly due: number;
  /** `5 of 596`. */
  readonly place?: string;
  readonly mark?: ActionMark;
  readonly holder?: { readonly id: string; readonly name: string };
}

/** Open and closed questions. */
export interface DeskView {
  readonly now: number;
  /** Number of people with an open page. */
  readonly people: number;
  readonly questions: readonly QuestionView[];
  readonly ended: readonly {
    readonly id: string;
    readonly description: string;
    readonly phone: string;
    readonly word: string;
    readonly by?: string;
    /** The run stopped before there was an answer. */
    readonly stopped?: true;
    readonly at: number;
  }[];
}
