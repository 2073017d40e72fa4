import type { RunOptions, Stop } from './run-options.ts';
import type { Timeline } from './clock/timeline.ts';

/** An abort ends the run with what is finished; gives back what stops listening. */
export function watchSignal(signal: AbortSignal, stop: Stop, timeline: Timeline): () => void {
  const onAbort = (): void => {
    stop.reason ??= 'interrupted';
    stop.interrupted = true;
    timeline.interrupt();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** How often a progress display hears what is waited for, and how often the run says that it is alive. */
const tellWaiting = 250;
const beatEvery = 1000;

/** Tells what is waited for, and beats, until what it gives back is called. */
export function tellProgress(timeline: Timeline, progress: RunOptions['progress'], beat: () => void): () => void {
  const timer = setInterval(() => {
    const waiting = timeline
      .waiting()
      .flatMap(({ due, label }) => (due === undefined ? [] : [{ ...label, until: due }]))
      .toSorted((a, b) => a.until - b.until);
    progress({ kind: 'waiting', waiting, now: timeline.now() });
  }, tellWaiting);
  const heart = setInterval(beat, beatEvery);
  return () => {
    clearInterval(timer);
    clearInterval(heart);
  };
}
