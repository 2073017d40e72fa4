import type { ChalkInstance } from 'chalk';
import { countNoun } from '../../lib/lists.ts';
import type { ProgressEvent, WaitingCase } from '../../model/progress.ts';
import { renderRuleRef, type Verdict } from '../../model/rule.ts';
import { fitText } from '../shared/layout.ts';
import { shortHeadline } from '../shared/broken-rules.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderClockTime } from '../shared/time.ts';
import {
  millisecondsUntil,
  nextActAt,
  secondsLeft,
  secondsSince,
  type ProgressState,
  textLimit,
  findingVerdict,
  renderLength,
  renderLocalTime,
  applyEvent,
  initialState,
  type Progress,
  type ProgressOptions,
} from './state.ts';

/** Progress and counts of a run; failures are shown even if there are none. */
function renderDone({ cases, done, undone, counts, broken }: ProgressState): string {
  const of = (verdict: Verdict): number => counts[verdict] ?? 0;
  const unjudged = of('inconclusive') + of('error');
  const notRun = of('not-run') + undone;
  const warnings = of('warn') + broken.warn.size;
  return [
    `${done}/${cases} cases`,
    countNoun(of('fail') + broken.fail.size, 'failure'),
    ...(warnings === 0 ? [] : [countNoun(warnings, 'warning')]),
    ...(unjudged === 0 ? [] : [`${unjudged} inconclusive or in error`]),
    ...(notRun === 0 ? [] : [`${notRun} not run`]),
  ].join(', ');
}

/** Time until the end, and the time of day then; undefined if unknown. */
function renderLeft(state: ProgressState, now: number): string | undefined {
  const left = secondsLeft(state, now);
  if (left === undefined) return undefined;
  return `about ${renderLength(left * 1000)} left (until ${renderLocalTime(now + left * 1000, now)})`;
}

/** `5 of 596 manual tasks, the next at 12:39:10`; undefined without any. */
function renderActs(state: ProgressState, now: number): string | undefined {
  const { acts } = state;
  if (acts === undefined) return undefined;
  const next = nextActAt(state, now);
  const when = next === undefined ? '' : `, the next at ${renderLocalTime(next, now)}`;
  return `${acts.begun} of ${countNoun(acts.of, 'manual task')}${when}`;
}

/** `14:31:10, in 4 min 30 s: iat-far-too-old/24h-old waits for the moment of step replay`. */
function renderWait({ until, case: id, for: what }: WaitingCase, state: ProgressState, now: number): string {
  const left = Math.max(0, millisecondsUntil(until, state, now));
  // A virtual clock is unrelated to the time of day.
  const moment = state.planned === undefined ? renderClockTime(until) : renderLocalTime(now + left, now);
  return forTerminal(`${moment}, in ${renderLength(left)}: ${id} waits for ${what}`, textLimit);
}

/** Maximum number of waits displayed. */
const maxShownWaits = 4;

function renderWaits(state: ProgressState, now: number): readonly string[] {
  const { waiting, tasks } = state;
  const more = waiting.length - maxShownWaits;
  return [
    ...waiting.slice(0, maxShownWaits).map((one) => renderWait(one, state, now)),
    ...(more > 0 ? [`and ${more} more wait`] : []),
    ...[renderActs(state, now) ?? []].flat(),
    ...(tasks > 0 ? [`${countNoun(tasks, 'manual task')} ${tasks === 1 ? 'waits' : 'wait'} for the operator`] : []),
  ];
}

const maxBarCells = 30;
/** Minimum cells of a line that has room for a bar. */
const minLineForBar = 50;

function renderBar({ done, cases }: ProgressState, width: number): string {
  if (width < minLineForBar) return '';
  const cells = Math.min(maxBarCells, Math.floor(width / 3));
  const full = cases === 0 ? 0 : Math.min(cells, Math.floor((done * cells) / cases));
  return `${'█'.repeat(full)}${'░'.repeat(cells - full)} `;
}

/** Lines drawn in place: progress, times, and current waits. No line is longer than `width`. */
export function renderState(
  state: ProgressState,
  { now, width, paint }: { readonly now: number; readonly width: number; readonly paint: ChalkInstance },
): readonly string[] {
  const isRed = (state.counts.fail ?? 0) + state.broken.fail.size > 0;
  const first = fitText(`${renderBar(state, width)}${renderDone(state)}`, width);
  const left = renderLeft(state, now);
  const elapsed = secondsSince(state, now);
  const times = [`${renderLength(elapsed * 1000)} so far`, ...(left === undefined ? [] : [left])].join(', ');
  const rest = [...(elapsed < 1 ? [] : [times]), ...renderWaits(state, now)];
  return [isRed ? paint.red(first) : first, ...rest.map((line) => paint.dim(fitText(line, width)))];
}

/** `fail CB-004 callback-bearer in approval-brings-tokens: bearer is missing`; nothing if the finding is no defect. */
export function renderFound(event: Extract<ProgressEvent, { readonly kind: 'finding' }>): readonly string[] {
  const verdict = findingVerdict(event);
  if (verdict === undefined) return [];
  const { id, invariant, finding, effect } = event;
  const said = effect === undefined ? verdict : effect === 'expected' ? 'expected' : 'not counted';
  const where = invariant === undefined ? `in ${id}` : `${invariant} in ${id}`;
  return [`${said} ${forTerminal(`${renderRuleRef(finding)} ${where}: ${shortHeadline({ finding })}`, textLimit)}`];
}

/** Line of an ended case, unless its findings were shown before; `shown` are the verdicts that get a line. */
export function renderEnded(
  { id, verdict, reason }: Extract<ProgressEvent, { readonly kind: 'case-finished' }>,
  { told }: Pick<ProgressState, 'told'>,
  shown: ReadonlySet<Verdict>,
): readonly string[] {
  const isTold = told.has(id) && (verdict === 'fail' || verdict === 'warn');
  if (!shown.has(verdict) || isTold) return [];
  return [`${verdict} ${forTerminal(reason === undefined ? id : `${id}: ${reason}`, textLimit)}`];
}

/** Verdicts that get a line during the run; the report has the others. */
const loggedVerdicts: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** Milliseconds between progress lines of a long run. */
const logInterval = 60_000;

const renderMinute = (state: ProgressState, now: number): string => {
  const [next] = state.waiting;
  const more = [
    renderActs(state, now),
    renderLeft(state, now),
    next && `next at ${renderWait(next, state, now)}`,
  ].filter((text) => text !== undefined);
  return [`${renderLength(secondsSince(state, now) * 1000)}: ${renderDone(state)}`, ...more].join('; ');
};

/** Writes lines to a stream, and holds them back while the operator is asked something. */
function createLines(stream: ProgressOptions['stream']) {
  let held: string[] | undefined;
  const write = (lines: readonly string[]): void => {
    if (held !== undefined) held.push(...lines);
    else for (const line of lines) stream.write(`${line}\n`);
  };
  const pause = (): void => {
    held ??= [];
  };
  const resume = (): void => {
    const lines = held ?? [];
    held = undefined;
    write(lines);
  };
  return { write, pause, resume };
}

/** The cause in a reason, equal for cases that differ only in their figures. */
const causeWords = (reason: string): string => (reason.split('; ')[0] ?? reason).replaceAll(/\d+/g, '#');

/** Plain lines for a log: findings at once, and progress once a minute. */
export function createLog({ stream, now }: Pick<ProgressOptions, 'stream' | 'now'>): Progress {
  let state = initialState;
  const causes = new Set<string>();
  /** True for the second case without a verdict for the same cause, and those after it: the report counts them. */
  const isRepeated = ({ verdict, reason }: Extract<ProgressEvent, { readonly kind: 'case-finished' }>): boolean => {
    if (verdict !== 'inconclusive' || reason === undefined) return false;
    const cause = causeWords(reason);
    const isKnown = causes.has(cause);
    causes.add(cause);
    return isKnown;
  };
  let timer: NodeJS.Timeout | undefined;
  const { write, pause, resume } = createLines(stream);
  const event = (one: ProgressEvent): void => {
    state = applyEvent(state, one, now());
    if (one.kind === 'started') timer ??= setInterval(() => write([renderMinute(state, now())]), logInterval).unref();
    if (one.kind === 'note') write([forTerminal(one.text, textLimit)]);
    if (one.kind === 'finding') write(renderFound(one));
    if (one.kind === 'case-finished' && !isRepeated(one)) write(renderEnded(one, state, loggedVerdicts));
  };
  return { event, pause, resume, close: () => clearInterval(timer) };
}

const failVerdict = new Set(['fail'] as const);

/** Progress of `--quiet`: only a line for each finding that fails a rule. */
export function createQuiet({ stream }: Pick<ProgressOptions, 'stream'>): Progress {
  const told = new Set<string>();
  const { write, pause, resume } = createLines(stream);
  const event = (one: ProgressEvent): void => {
    if (one.kind === 'case-finished') write(renderEnded(one, { told }, failVerdict));
    if (one.kind !== 'finding') return;
    if (one.invariant === undefined) told.add(one.id);
    if (findingVerdict(one) === 'fail') write(renderFound(one));
  };
  return { event, pause, resume, close: () => {} };
}
