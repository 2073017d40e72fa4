import { forTerminal } from '../shared/sanitize.ts';
import { type Progress, type ProgressOptions, textLimit } from './state.ts';

/** Progress of `--quiet`: a line for each case that failed, and nothing else; held back while the operator is asked. */
export function createQuiet({ stream }: Pick<ProgressOptions, 'stream'>): Progress {
  let isPaused = false;
  let held: string[] = [];
  return {
    event(event) {
      if (event.kind !== 'case-finished' || event.verdict !== 'fail') return;
      const line = `fail ${forTerminal(event.id, textLimit)}\n`;
      if (isPaused) held.push(line);
      else stream.write(line);
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      for (const line of held) stream.write(line);
      held = [];
    },
    close() {},
  };
}
