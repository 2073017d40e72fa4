import type { Verdict } from '../../model/verdict.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { renderDone, renderEnded, renderFound, renderLeft, renderNext } from './lines.ts';
import {
  follow,
  initialState,
  type Progress,
  type ProgressOptions,
  secondsSince,
  type State,
  textLimit,
} from './state.ts';
import { renderLength } from './times.ts';

/** Verdicts that have a line of their own while the run lasts; the rest is in the report. */
const ownLine: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** Milliseconds between two lines that say how far a long run is. */
const every = 60_000;

const renderMinute = (state: State, now: number): string => {
  const more = [renderLeft(state, now), renderNext(state, now)].flatMap((text) => (text === undefined ? [] : [text]));
  return [`${renderLength(secondsSince(state, now) * 1000)}: ${renderDone(state)}`, ...more].join('; ');
};

/**
 * Plain lines for a log: what did not go well as it comes, one line every tenth of the way in the first minute, and from then on
 * one line a minute. Never a control character but the line feed.
 */
export function createLog({ stream, now }: Pick<ProgressOptions, 'stream' | 'now'>): Progress {
  let state = initialState;
  let lastTenth = 0;
  let paused = false;
  const held: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const write = (lines: readonly string[]): void => {
    if (paused) held.push(...lines);
    else for (const line of lines) stream.write(`${line}\n`);
  };
  const tenth = (): readonly string[] => {
    const tenths = state.cases === 0 ? 0 : Math.floor((state.done * 10) / state.cases);
    if (tenths <= lastTenth || secondsSince(state, now()) * 1000 >= every) return [];
    lastTenth = tenths;
    return [`${tenths * 10}%: ${renderDone(state)}`];
  };
  return {
    event(event) {
      state = follow(state, event, now());
      if (event.kind === 'started') timer ??= setInterval(() => write([renderMinute(state, now())]), every).unref();
      if (event.kind === 'note') write([forTerminal(event.text, textLimit)]);
      if (event.kind === 'finding') write(renderFound(event));
      if (event.kind === 'case-finished') write([...renderEnded(event, state, ownLine), ...tenth()]);
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      write(held.splice(0));
    },
    close() {
      clearInterval(timer);
    },
  };
}
