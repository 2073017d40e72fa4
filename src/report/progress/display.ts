import { Chalk } from 'chalk';
import { createLogUpdate } from 'log-update';
import type { Verdict } from '../../model/rule.ts';
import { countCells } from '../../lib/cells.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { createLog, renderEnded, renderFound, renderState } from './lines.ts';
import { applyEvent, initialState, type Progress, type ProgressOptions, textLimit } from './state.ts';

/** Minimum milliseconds between drawings, and the interval at which clocks are redrawn while nothing happens. */
const minDrawInterval = 100;
const maxDrawInterval = 1000;

/** Calls `draw` at most ten times a second and at least once a second. */
function createTicker(draw: () => void, now: () => number) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    clearTimeout(timer);
    drawnAt = now();
    draw();
    timer = setTimeout(run, maxDrawInterval).unref();
  };
  return {
    request(): void {
      const rest = drawnAt + minDrawInterval - now();
      clearTimeout(timer);
      if (rest <= 0) run();
      else timer = setTimeout(run, rest).unref();
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

const defaultWidth = 80;

/** Width of lines: one cell less than the terminal, because some terminals wrap a line that fills it. */
const lineWidth = ({ columns }: ProgressOptions['stream']): number => Math.max(1, (columns ?? defaultWidth) - 1);

/** Erases rows above the cursor. With these sequences no terminal keeps erased text. */
const eraseRows = (rows: number): string => `\u001b[2K${'\u001b[1A\u001b[2K'.repeat(rows)}\u001b[G`;

/** Cells of each line of a drawing, and the width it was drawn for. */
interface DrawnLines {
  readonly cells: readonly number[];
  readonly width: number;
}

/** Rows of a drawing that a narrower terminal has wrapped; undefined if it has not. */
function wrappedRows({ cells, width: before }: DrawnLines, width: number): number | undefined {
  if (width >= before || cells.length === 0) return undefined;
  return cells.reduce((sum, count) => sum + Math.max(1, Math.ceil(count / (width + 1))), 0);
}

/** Draws the lines of `render` in place, below notes that stay. */
function createScreen({ stream, now }: ProgressOptions, render: (width: number) => readonly string[]) {
  const log = createLogUpdate(stream, { showCursor: true });
  let drawn: DrawnLines = { cells: [], width: lineWidth(stream) };
  const eraseWrapped = (width: number): void => {
    const rows = wrappedRows(drawn, width);
    if (rows === undefined) return;
    stream.write(eraseRows(rows));
    log.done();
  };
  const draw = (): void => {
    const width = lineWidth(stream);
    eraseWrapped(width);
    const lines = render(width);
    // The library does not move what is below an added or removed line.
    if (lines.length !== drawn.cells.length) log.clear();
    log(lines.join('\n'));
    drawn = { cells: lines.map(countLineCells), width };
  };
  const ticker = createTicker(draw, now);
  const clear = (): void => {
    if (drawn.cells.length === 0) return;
    eraseWrapped(lineWidth(stream));
    log.clear();
    log.done();
    drawn = { ...drawn, cells: [] };
  };
  return {
    show(notes: readonly string[]): void {
      if (notes.length > 0) {
        clear();
        for (const note of notes) stream.write(`${note}\n`);
      }
      ticker.request();
    },
    hide(): void {
      ticker.stop();
      clear();
    },
  };
}

// oxlint-disable-next-line no-control-regex -- the colours of our own lines take no cells
const colourSequences = /\u001b\[\d+m/g;
const countLineCells = (line: string): number => countCells(line.replaceAll(colourSequences, ''));

/** Verdicts that get a line above the display, which counts the others. */
const ownLine: ReadonlySet<Verdict> = new Set(['fail', 'error']);

/** A few lines redrawn in place, at most ten times a second; findings and notes stay above them. */
function createRedrawnDisplay(options: ProgressOptions): Progress {
  const { now, colour } = options;
  const paint = new Chalk({ level: colour ? 1 : 0 });
  let state = initialState;
  let isOpen = true;
  let isPaused = false;
  const notes: string[] = [];
  const screen = createScreen(options, (width) => renderState(state, { now: now(), width, paint }));
  return {
    event(event) {
      if (!isOpen) return;
      state = applyEvent(state, event, now());
      if (event.kind === 'note') notes.push(forTerminal(event.text, textLimit));
      if (event.kind === 'finding') notes.push(...renderFound(event).map((line) => paint.red(line)));
      if (event.kind === 'case-finished')
        notes.push(...renderEnded(event, state, ownLine).map((line) => paint.red(line)));
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
      if (isOpen && notes.length > 0) screen.show(notes.splice(0));
      isOpen = false;
      screen.hide();
    },
  };
}

/** Shows a run in progress on stderr: in place on a terminal, as plain lines in a log. */
export function createProgress(options: ProgressOptions): Progress {
  return options.tty ? createRedrawnDisplay(options) : createLog(options);
}
