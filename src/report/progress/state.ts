import type { PlannedLength, ProgressEvent, WaitingCase } from '../../model/progress.ts';
import type { Verdict } from '../../model/rule.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A duration in milliseconds as a person says it: `12 s`, `4 min 3 s`, `3 h 2 min`, `1 d 3 h`. */
export function renderLength(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < minute) return `${seconds} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ${seconds % minute} s`;
  if (seconds < day) return `${Math.floor(seconds / hour)} h ${Math.floor((seconds % hour) / minute)} min`;
  return `${Math.floor(seconds / day)} d ${Math.floor((seconds % day) / hour)} h`;
}

const padTwo = (value: number): string => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Local time of day, `14:31:10`, or of another day, `24 Nov 02:10`; from milliseconds since the epoch. */
export function renderLocalTime(moment: number, now: number): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const time = `${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`;
  if (date.toDateString() === new Date(now).toDateString()) return `${time}:${padTwo(date.getSeconds())}`;
  return `${date.getDate()} ${months[date.getMonth()] ?? ''} ${time}`;
}

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  readonly tty: boolean;
  readonly colour: boolean;
  /** Milliseconds of wall time. */
  readonly now: () => number;
}

export interface Progress {
  event(event: ProgressEvent): void;
  /** Writes nothing until `resume`, because the operator is asked something. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Maximum UTF-16 units of an event's text. */
export const textLimit = 300;

/** Times are milliseconds of wall time, unless they are on the run's clock. */
export interface ProgressState {
  readonly cases: number;
  readonly done: number;
  /** Cases that a stopped run leaves without a verdict; the run is ending if there are any. */
  readonly undone: number;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Broken invariants by verdict. */
  readonly broken: Readonly<Record<'fail' | 'warn', ReadonlySet<string>>>;
  /** Cases with findings that have been shown already. */
  readonly told: ReadonlySet<string>;
  /** Cases with a finding that counts: a case also fails by one that is expected or not counted. */
  readonly failing: ReadonlySet<string>;
  /** Current waits, the first to end first; on the run's clock. */
  readonly waiting: readonly WaitingCase[];
  /** Last known time on the run's clock, and the wall time at which it was heard. */
  readonly runNow: number;
  readonly heardAt: number;
  readonly startedAt: number | undefined;
  readonly tasks: number;
  /** Acts of people; undefined without any. */
  readonly acts: EventOfKind<'acts'> | undefined;
  readonly planned: PlannedLength | undefined;
  /** Seconds by which the ended cases of the longest path are behind the plan; negative if ahead. */
  readonly delay: number;
  /** Number of cases on the longest path that have ended. */
  readonly passed: number;
}

export const initialState: ProgressState = {
  cases: 0,
  done: 0,
  undone: 0,
  counts: {},
  broken: { fail: new Set(), warn: new Set() },
  told: new Set(),
  failing: new Set(),
  waiting: [],
  runNow: 0,
  heardAt: 0,
  startedAt: undefined,
  tasks: 0,
  acts: undefined,
  planned: undefined,
  delay: 0,
  passed: 0,
};

type EventOfKind<Kind extends ProgressEvent['kind']> = Extract<ProgressEvent, { readonly kind: Kind }>;

/** Verdict of a finding by the level of its rule; undefined if it is no defect. */
export function findingVerdict({
  finding: { level, unstable },
  effect,
}: Pick<EventOfKind<'finding'>, 'finding' | 'effect'>): 'fail' | 'warn' | undefined {
  if (level === 'informational') return undefined;
  return level === 'required' && unstable !== true && effect === undefined ? 'fail' : 'warn';
}

function withFinding(state: ProgressState, event: EventOfKind<'finding'>): ProgressState {
  const verdict = findingVerdict(event);
  if (verdict === undefined) return state;
  const { id, invariant } = event;
  if (invariant === undefined) {
    const failing = verdict === 'fail' ? new Set(state.failing).add(id) : state.failing;
    return { ...state, told: new Set(state.told).add(id), failing };
  }
  return { ...state, broken: { ...state.broken, [verdict]: new Set(state.broken[verdict]).add(invariant) } };
}

export const secondsSince = ({ startedAt }: ProgressState, now: number): number =>
  startedAt === undefined ? 0 : (now - startedAt) / 1000;

function withEnded(
  state: ProgressState,
  { id, verdict, undone }: EventOfKind<'case-finished'>,
  now: number,
): ProgressState {
  const waiting = state.waiting.filter((one) => one.case !== id);
  if (undone === true) return { ...state, undone: state.undone + 1, waiting };
  const isQuiet = verdict === 'fail' && state.told.has(id) && !state.failing.has(id);
  const counted = isQuiet ? 'warn' : verdict;
  const counts = { ...state.counts, [counted]: (state.counts[counted] ?? 0) + 1 };
  const next = { ...state, done: state.done + 1, counts, waiting };
  const { path = [] } = state.planned ?? {};
  const at = path.findIndex((one) => one.case === id);
  const ended = path[at];
  if (ended === undefined || at < state.passed) return next;
  return { ...next, passed: at + 1, delay: secondsSince(state, now) - ended.ends };
}

export function applyEvent(state: ProgressState, event: ProgressEvent, now: number): ProgressState {
  switch (event.kind) {
    case 'started':
      return { ...state, cases: event.cases, planned: event.planned, startedAt: state.startedAt ?? now };
    case 'case-finished':
      return withEnded(state, event, now);
    case 'finding':
      return withFinding(state, event);
    case 'waiting': {
      const waiting = event.waiting.toSorted((one, other) => one.until - other.until);
      return { ...state, waiting, runNow: event.now, heardAt: now };
    }
    case 'tasks':
      return { ...state, tasks: event.waiting };
    case 'acts':
      return { ...state, acts: event };
    case 'advanced':
      return { ...state, runNow: event.to, heardAt: now };
    case 'case-started':
    case 'message':
    case 'note':
      return state;
  }
}

/** Share of the cases that must have ended before the remaining time can be estimated. */
const minEndedShare = 0.05;

/** Milliseconds until a moment on the run's clock, in a run in real time. */
export const millisecondsUntil = (moment: number, { runNow, heardAt }: ProgressState, now: number): number =>
  moment - runNow - (now - heardAt);

/** Seconds by which a run in real time is behind its plan. */
function secondsBehind({ delay, passed, planned }: ProgressState, elapsed: number): number {
  const next = planned?.path[passed];
  return next === undefined ? delay : Math.max(delay, elapsed - next.ends);
}

/** Waits of known end, each with the milliseconds left. */
const endingWaits = (state: ProgressState, now: number) =>
  state.waiting.flatMap((wait) =>
    Number.isFinite(wait.until) ? [{ ...wait, left: millisecondsUntil(wait.until, state, now) }] : [],
  );

/**
 * Moment of the next act of a person, in milliseconds of wall time: not before its case has waited. Undefined without one, on a virtual
 * clock, or if it is late and nothing says when it comes.
 */
export function nextActAt(state: ProgressState, now: number): number | undefined {
  const { acts, planned, undone } = state;
  if (acts?.next === undefined || planned === undefined || undone > 0) return undefined;
  const { case: id, at } = acts.next;
  const elapsed = secondsSince(state, now);
  const held = endingWaits(state, now).flatMap((one) => (one.case === id && one.fixed === true ? [one.left] : []));
  const left = Math.max(...held, (at + secondsBehind(state, elapsed) - elapsed) * 1000);
  return left > 0 ? now + left : undefined;
}

/**
 * Seconds until the end, from the plan and its longest path, or from the cases so far; undefined if unknown, or if the run is ending.
 * In real time the end is not before the next moment that a case waits for, any that nothing but time ends, or the next act of a person.
 */
export function secondsLeft(state: ProgressState, now: number): number | undefined {
  const { planned, done, undone, cases } = state;
  const elapsed = secondsSince(state, now);
  if (done >= cases || undone > 0) return undefined;
  if (planned === undefined) return done < cases * minEndedShare ? undefined : (elapsed / done) * (cases - done);
  const waits = endingWaits(state, now);
  const sure = waits.filter(({ fixed }, at) => at === 0 || fixed === true).map(({ left }) => left / 1000);
  const act = ((nextActAt(state, now) ?? now) - now) / 1000;
  return Math.max(0, act, ...sure, planned.seconds + secondsBehind(state, elapsed) - elapsed);
}
