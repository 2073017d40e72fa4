import type { ProgressEvent, Waiting } from '../../model/progress.ts';
import type { Verdict } from '../../model/verdict.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderClockTime, renderCountdown } from '../shared/time.ts';
import { countOf } from '../../lib/lists.ts';

/** Where the lines of a running run go. */
export interface ProgressOptions {
  readonly stream: { write(text: string): unknown; readonly columns?: number };
  readonly tty: boolean;
  readonly colour: boolean;
  /** Milliseconds of wall time. */
  readonly now: () => number;
}

export interface Progress {
  event(event: ProgressEvent): void;
  /** The operator is asked something: nothing is written until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Longest text of one event on one line. */
export const textLimit = 300;

export interface State {
  readonly cases: number;
  readonly done: number;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** The wait that ends first, and how many others there are. */
  readonly waiting?: { readonly first: Waiting; readonly others: number };
  /** The run's clock when it last said something. */
  readonly runNow: number;
}

export const initialState: State = { cases: 0, done: 0, counts: {}, runNow: 0 };

function withoutWaiting(state: State): State {
  const { waiting: _, ...rest } = state;
  return rest;
}

function withWaiting(state: State, waiting: readonly Waiting[]): State {
  const [first, ...others] = waiting.toSorted((one, other) => one.until - other.until);
  return first === undefined ? withoutWaiting(state) : { ...state, waiting: { first, others: others.length } };
}

/** The state after an event. */
export function follow(state: State, event: ProgressEvent): State {
  switch (event.kind) {
    case 'started':
      return { ...state, cases: event.cases };
    case 'case-finished': {
      const { id, verdict } = event;
      const counts = { ...state.counts, [verdict]: (state.counts[verdict] ?? 0) + 1 };
      const next = { ...state, done: state.done + 1, counts };
      return state.waiting?.first.case === id ? withoutWaiting(next) : next;
    }
    case 'waiting':
      return withWaiting({ ...state, runNow: event.now }, event.waiting);
    case 'advanced':
      return { ...state, runNow: event.to };
    case 'case-started':
    case 'finding':
    case 'tasks':
    case 'note':
      return state;
  }
}

/** How far the run is and how it goes; failures are shown even at nought. */
export function renderDone({ cases, done, counts }: State): string {
  const of = (verdict: Verdict): number => counts[verdict] ?? 0;
  const unjudged = of('inconclusive') + of('error');
  return [
    `${done}/${cases} cases`,
    countOf(of('fail'), 'failure'),
    ...(of('warn') === 0 ? [] : [countOf(of('warn'), 'warning')]),
    ...(unjudged === 0 ? [] : [`${unjudged} inconclusive or in error`]),
  ].join(', ');
}

/** The wait that ends first, until when, and how many others there are; undefined where nothing waits. */
export function renderWaiting({ waiting, runNow }: State): string | undefined {
  if (waiting === undefined) return undefined;
  const { first, others } = waiting;
  const until = `until ${renderClockTime(first.until)}, ${renderCountdown(first.until - runNow)} left`;
  const more = others === 0 ? '' : ` (and ${others} more)`;
  return forTerminal(`waiting ${until}${more}: ${first.case} for ${first.for}`, textLimit);
}
