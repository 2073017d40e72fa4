import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProgressEvent } from '../../model/progress.ts';
import { startOfRun } from '../../testing/result.ts';
import { createProgress } from './progress.ts';

const finished = (
  id: string,
  verdict: 'pass' | 'fail' | 'inconclusive' | 'informational' | 'not-run',
  reason?: string,
): ProgressEvent => ({
  kind: 'case-finished',
  id,
  verdict,
  ...(reason === undefined ? {} : { reason }),
});

function createStream(columns = 60) {
  const written: string[] = [];
  return { columns, written, write: (text: string): number => written.push(text) };
}

/** What a terminal shows after what was written: line feeds, returns, cursor up, erase below; colours left out. */
function screenOf(written: readonly string[]): readonly string[] {
  const lines = [''];
  let row = 0;
  // oxlint-disable-next-line no-control-regex
  for (const part of written.join('').match(/\u001b\[\d*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g) ?? []) {
    if (part === '\n') {
      row += 1;
      lines[row] ??= '';
    } else if (part === '\u001b[1A') row -= 1;
    else if (part === '\u001b[J') lines.splice(row, lines.length - row, '');
    else if (!part.startsWith('\u001b') && part !== '\r') lines[row] += part;
  }
  return lines;
}

describe('while somebody is asked', () => {
  it('a terminal shows nothing, and afterwards what it would show by then', () => {
    vi.useFakeTimers();
    const stream = createStream();
    const progress = createProgress({ stream, tty: true, colour: false, now: () => Date.now() });
    progress.event({ kind: 'started', cases: 2 });
    progress.pause();
    expect(screenOf(stream.written)).toEqual(['']);
    const before = stream.written.length;
    progress.event(finished('a', 'pass'));
    progress.event({ kind: 'note', text: 'a note' });
    vi.advanceTimersByTime(5000);
    expect(stream.written.length).toBe(before);
    progress.resume();
    expect(screenOf(stream.written)).toEqual(['a note', '1/2 cases, 0 failures']);
    progress.close();
    vi.useRealTimers();
  });

  it('nothing of it comes back after the end', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: true, colour: false, now: () => 0 });
    progress.pause();
    progress.close();
    progress.resume();
    expect(stream.written).toEqual([]);
  });

  it('a log keeps its lines', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: false, colour: false, now: () => 0 });
    progress.event({ kind: 'started', cases: 20 });
    progress.pause();
    progress.event(finished('b', 'fail'));
    expect(stream.written).toEqual([]);
    progress.resume();
    expect(stream.written).toEqual(['fail b\n']);
  });
});

describe('in a log', () => {
  it('tells what did not go well, and every tenth of the way', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: false, colour: true, now: () => 0 });
    progress.event({ kind: 'started', cases: 20 });
    progress.event({ kind: 'note', text: 'the carrier\u001b[2J advertises no cancel endpoint' });
    progress.event({ kind: 'waiting', waiting: [{ case: 'a', for: 'a callback', until: 1 }], now: 0 });
    progress.event(finished('a', 'pass'));
    progress.event(finished('b', 'fail'));
    progress.event(finished('c', 'inconclusive', 'the control was refused:\u001b[31m\nno'));
    progress.event(finished('d', 'informational'));
    progress.event(finished('e', 'not-run', 'no second client'));
    progress.close();
    expect(stream.written.join('')).toBe(
      [
        'the carrier\\u{1b}[2J advertises no cancel endpoint',
        'fail b',
        '10%: 2/20 cases, 1 failure',
        'inconclusive c: the control was refused:\\u{1b}[31m\\u{a}no',
        '20%: 4/20 cases, 1 failure, 1 inconclusive or in error',
        '',
      ].join('\n'),
    );
  });

  it('says each tenth once, whatever the number of cases', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: false, colour: false, now: () => 0 });
    progress.event({ kind: 'started', cases: 3 });
    for (const id of ['a', 'b', 'c']) progress.event(finished(id, 'pass'));
    expect(stream.written).toEqual([
      '30%: 1/3 cases, 0 failures\n',
      '60%: 2/3 cases, 0 failures\n',
      '100%: 3/3 cases, 0 failures\n',
    ]);
  });
});

describe('on a terminal', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
  afterEach(() => void vi.useRealTimers());

  function open(columns?: number) {
    const stream = createStream(columns);
    return { stream, progress: createProgress({ stream, tty: true, colour: false, now: Date.now }) };
  }

  it('shows how far the run is, and what is waited for and until when', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 2 });
    progress.event(finished('a', 'fail'));
    const waiting = [
      { case: 'c', for: 'a callback', until: startOfRun + 600_000 },
      { case: 'b', for: 'step replay', until: startOfRun + 270_000 },
    ];
    progress.event({ kind: 'waiting', waiting, now: startOfRun });
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)).toEqual([
      '1/2 cases, 1 failure',
      'waiting until 00:04:30Z, 4m30s left (and 1 more): b for st…',
    ]);
    vi.advanceTimersByTime(10_000);
    expect(screenOf(stream.written)[1]).toBe('waiting until 00:04:30Z, 4m20s left (and 1 more): b for st…');
    progress.event(finished('b', 'pass'));
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)).toEqual(['2/2 cases, 1 failure']);
    progress.close();
    expect(screenOf(stream.written)).toEqual(['']);
  });

  it('draws at most ten times a second, and the last event too', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 5000 });
    for (let index = 0; index < 1000; index += 1) {
      vi.advanceTimersByTime(1);
      progress.event(finished(`case-${index}`, 'pass'));
    }
    expect(stream.written.length).toBeGreaterThanOrEqual(9);
    expect(stream.written.length).toBeLessThanOrEqual(11);
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)).toEqual(['1000/5000 cases, 0 failures']);
  });

  it('leaves a note above the lines', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 1 });
    progress.event({ kind: 'note', text: 'a note\u001b[2J' });
    vi.advanceTimersByTime(100);
    progress.event({ kind: 'advanced', to: startOfRun });
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)).toEqual(['a note\\u{1b}[2J', '0/1 cases, 0 failures']);
  });

  it('is silent after it was closed, and leaves no timer', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 1 });
    progress.event({ kind: 'waiting', waiting: [{ case: 'a', for: 'x', until: Number.POSITIVE_INFINITY }], now: 0 });
    progress.close();
    const count = stream.written.length;
    progress.event(finished('a', 'pass'));
    progress.close();
    vi.advanceTimersByTime(5000);
    expect(stream.written).toHaveLength(count);
    expect(vi.getTimerCount()).toBe(0);
  });
});
