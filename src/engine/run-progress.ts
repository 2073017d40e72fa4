import type { RunOptions, Stop } from './run-options.ts';
import type { Timeline } from './clock/timeline.ts';

/** An abort ends the run with what is finished; gives back what stops listening. */
export function stopOnAbort(signal: AbortSignal, stop: Stop, timeline: Timeline): () => void {
  const onAbort = (): void => {
    stop.reason ??= 'interrupted';
    stop.interrupted = true;
    timeline.interrupt();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** Milliseconds between two reports of what the run waits for, and between two signs in the journal that it is alive. */
const reportEvery = 250;
const beatEvery = 1000;

/** Reports what the run waits for, and keeps its journal alive, until what it gives back is called. */
export function reportWaiting(timeline: Timeline, progress: RunOptions['progress'], beat: () => void): () => void {
  const reports = setInterval(() => {
    const waiting = timeline
      .parked()
      .flatMap(({ due, label }) => (due === undefined ? [] : [{ ...label, until: due }]))
      .toSorted((a, b) => a.until - b.until);
    progress({ kind: 'waiting', waiting, now: timeline.now() });
  }, reportEvery);
  const beats = setInterval(beat, beatEvery);
  return () => {
    clearInterval(reports);
    clearInterval(beats);
    beat();
  };
}
