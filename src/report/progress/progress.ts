import { createLive } from './live.ts';
import { createLog } from './log.ts';
import type { Progress, ProgressOptions } from './state.ts';

/** Shows a run while it lasts, on stderr: in place on a terminal, as plain lines in a log. */
export function createProgress(options: ProgressOptions): Progress {
  return options.tty ? createLive(options) : createLog(options);
}
