import type { Verdict } from '../model/rule.ts';
import type { MessageView } from '../report/html/message-view.ts';

/** What the page is told of a run. Times are milliseconds of wall time, but for those on the run's clock. */
export interface LiveState {
  readonly now: number;
  readonly begun: boolean;
  /** The run advances its clock over every wait: no moment of it is one of the day. */
  readonly isVirtual: boolean;
  /** Seconds. */
  readonly elapsed: number;
  /** Seconds until the end, once that can be said. */
  readonly left?: number;
  readonly cases: number;
  readonly done: number;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly broken: { readonly fail: number; readonly warn: number };
  /** The run's clock, and when it said so. */
  readonly clock: { readonly now: number; readonly heardAt: number };
  /** What waits, the wait that ends first before the others; `until` on the run's clock, null where no end is known. */
  readonly waiting: readonly { readonly case: string; readonly for: string; readonly until: number | null }[];
  readonly more: number;
  /** Questions that are not asked yet: others about the same phone come first. */
  readonly tasks: number;
  /** Cases that a stop of the run left: they are none of those that are done. */
  readonly undone: number;
  /** In words, while a run ends that was told to stop. */
  readonly stopping?: string;
  /** In words, once the run is over. */
  readonly ended?: string;
}

/** What came: a finding, an exchange, a note. Every text is visible and bounded; the page adds none of it as markup. */
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

/** Items count from 1 over the whole run. */
export type NumberedItem = LiveItem & { readonly seq: number; readonly at: number };

export interface QuestionView {
  readonly id: string;
  readonly kind: 'do' | 'holds' | 'tell';
  readonly description: string;
  /** What to do it with, and what it is about: label and text. */
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** Until then an answer is taken. */
  readonly due: number;
  /** Then the request that is meant expires: what is done on the phone later is too late for it. */
  readonly expires?: number;
  readonly holder?: { readonly id: string; readonly name: string };
}

/** Questions that are open, and those that are over. */
export interface DeskView {
  readonly now: number;
  readonly questions: readonly QuestionView[];
  readonly ended: readonly {
    readonly id: string;
    readonly description: string;
    readonly phone: string;
    readonly word: string;
    readonly by?: string;
    /** The run stopped before anybody answered. */
    readonly stopped?: true;
    readonly at: number;
  }[];
}
