import type { Verdict } from '../../model/verdict.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { createLive } from './live.ts';
import { follow, initialState, type Progress, type ProgressOptions, renderDone, textLimit } from './state.ts';

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
