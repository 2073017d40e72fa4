import type { ProgressEvent } from '../../model/progress.ts';
import { renderEnded, renderFound } from './lines.ts';
import { type Progress, type ProgressOptions, verdictOf } from './state.ts';

const failed = new Set(['fail'] as const);

/** Progress of `--quiet`: a line for each finding that fails a rule, and nothing else; held back while the operator is asked. */
export function createQuiet({ stream }: Pick<ProgressOptions, 'stream'>): Progress {
  const told = new Set<string>();
  let isPaused = false;
  let held: string[] = [];
  const linesOf = (event: ProgressEvent): readonly string[] => {
    if (event.kind === 'case-finished') return renderEnded(event, { told }, failed);
    if (event.kind !== 'finding' || verdictOf(event) !== 'fail') return [];
    if (event.invariant === undefined) told.add(event.id);
    return renderFound(event);
  };
  return {
    event(event) {
      const lines = linesOf(event).map((line) => `${line}\n`);
      if (isPaused) held.push(...lines);
      else for (const line of lines) stream.write(line);
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
