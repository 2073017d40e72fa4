import { Chalk, type ChalkInstance } from 'chalk';
import { fitText } from '../shared/layout.ts';
import { forTerminal } from '../shared/sanitize.ts';
import {
  follow,
  initialState,
  type Progress,
  type ProgressOptions,
  renderDone,
  renderWaiting,
  type State,
  textLimit,
} from './state.ts';
import type { Verdict } from '../../model/verdict.ts';

/** Milliseconds between two drawings, and between two looks at a clock that runs while nothing happens. */
const pause = 100;
const tick = 1000;

/** Draws lines in place of those drawn before. */
function createCanvas(stream: ProgressOptions['stream']) {
  let drawn = 0;
  const erase = (): string => (drawn === 0 ? '' : `\r${'\u001b[1A'.repeat(drawn - 1)}\u001b[J`);
  return {
    draw(lines: readonly string[]): void {
      stream.write(erase() + lines.join('\n'));
      drawn = lines.length;
    },
    /** Writes a line that stays, above the place of the others; they have to be drawn again. */
    leave(line: string): void {
      stream.write(`${erase()}${line}\n`);
      drawn = 0;
    },
    clear(): void {
      if (drawn > 0) stream.write(erase());
      drawn = 0;
    },
  };
}

/**
 * Calls `draw` at most ten times a second; the last of several quick requests is met when the pause is over. While `draw`
 * gives true it is called again every second.
 */
function createTicker(draw: () => boolean, now: () => number) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    clearTimeout(timer);
    drawnAt = now();
    timer = draw() ? setTimeout(run, tick).unref() : undefined;
  };
  return {
    request(): void {
      const rest = drawnAt + pause - now();
      clearTimeout(timer);
      if (rest <= 0) run();
      else timer = setTimeout(run, rest).unref();
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

/** The lines that `render` gives, drawn in place, with notes that stay above them. */
function createScreen({ stream, now }: Pick<ProgressOptions, 'stream' | 'now'>, render: () => readonly string[]) {
  const canvas = createCanvas(stream);
  const ticker = createTicker(() => {
    const lines = render();
    canvas.draw(lines);
    return lines.length > 1;
  }, now);
  return {
    show(notes: readonly string[]): void {
      for (const note of notes) canvas.leave(note);
      ticker.request();
    },
    hide(): void {
      ticker.stop();
      canvas.clear();
    },
  };
}

/** How far the run is, and below what it waits for, where it waits. */
function renderState(state: State, paint: ChalkInstance, columns = 80): readonly string[] {
  const width = Math.max(20, columns - 1);
  const waiting = renderWaiting(state);
  const done = fitText(renderDone(state), width);
  const first = (state.counts.fail ?? 0) > 0 ? paint.red(done) : done;
  return waiting === undefined ? [first] : [first, paint.dim(fitText(waiting, width))];
}

/** One or two lines that are drawn again in place, at most ten times a second. */
function createLive({ stream, colour, now }: ProgressOptions): Progress {
  const paint = new Chalk({ level: colour ? 1 : 0 });
  let state = initialState;
  let heardAt = now();
  let isOpen = true;
  let isPaused = false;
  const notes: string[] = [];
  const screen = createScreen({ stream, now }, () =>
    renderState({ ...state, runNow: state.runNow + now() - heardAt }, paint, stream.columns),
  );
  return {
    event(event) {
      if (!isOpen) return;
      state = follow(state, event);
      if (event.kind === 'waiting' || event.kind === 'advanced') heardAt = now();
      if (event.kind === 'note') notes.push(forTerminal(event.text, textLimit));
      if (!isPaused) screen.show(notes.splice(0));
    },
    pause() {
      isPaused = true;
      screen.hide();
    },
    resume() {
      isPaused = false;
      if (isOpen) screen.show(notes.splice(0));
    },
    close() {
      isOpen = false;
      screen.hide();
    },
  };
}

/** Verdicts that have a line of their own while the run lasts; the rest is in the report. */
const ownLine: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** Plain lines for a log: what did not go well, and one line every tenth of the way. Never a control character but the line feed. */
function createLog({ stream }: Pick<ProgressOptions, 'stream'>): Progress {
  let state = initialState;
  let lastTenth = 0;
  let paused = false;
  let held: string[] = [];
  const write = (line: string): void => {
    if (paused) held.push(line);
    else stream.write(`${line}\n`);
  };
  return {
    event(event) {
      state = follow(state, event);
      if (event.kind === 'note') write(forTerminal(event.text, textLimit));
      if (event.kind !== 'case-finished') return;
      const { id, verdict, reason } = event;
      const why = reason === undefined ? '' : `: ${reason}`;
      if (ownLine.has(verdict)) write(`${verdict} ${forTerminal(`${id}${why}`, textLimit)}`);
      const tenths = state.cases === 0 ? 0 : Math.floor((state.done * 10) / state.cases);
      if (tenths <= lastTenth) return;
      lastTenth = tenths;
      write(`${tenths * 10}%: ${renderDone(state)}`);
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      for (const line of held) stream.write(`${line}\n`);
      held = [];
    },
    close() {},
  };
}

/** Shows a run while it lasts, on stderr: in place on a terminal, as plain lines in a log. */
export function createProgress(options: ProgressOptions): Progress {
  return options.tty ? createLive(options) : createLog(options);
}
