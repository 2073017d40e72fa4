import { Writable } from 'node:stream';
import { Chalk } from 'chalk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProgressEvent } from '../../model/progress.ts';
import type { Finding } from '../../model/finding.ts';
import { buildFinding, startOfRun } from '../../testing/results/result.ts';
import { createQuiet, renderState } from './lines.ts';
import { createProgress } from './display.ts';
import { applyEvent, initialState, nextActAt, secondsLeft } from './state.ts';

const finished = (
  id: string,
  verdict: 'pass' | 'fail' | 'inconclusive' | 'informational' | 'not-run',
  reason?: string,
): Extract<ProgressEvent, { readonly kind: 'case-finished' }> => ({
  kind: 'case-finished',
  id,
  verdict,
  ...(reason === undefined ? {} : { reason }),
});

function createStream(columns = 60) {
  const written: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      written.push(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { columns, written });
}

/** Number before the letter of a sequence; 1 by default. */
const countIn = (sequence: string): number => Number(/\d+/.exec(sequence)?.[0] ?? 1);

/** Screen after this output: handles line feeds, returns, cursor up and down, and erase line; ignores colours. */
function screenOf(written: readonly string[]): readonly string[] {
  const lines = [''];
  let row = 0;
  let column = 0;
  // oxlint-disable-next-line no-control-regex
  for (const part of written.join('').match(/\u001b\[[?\d]*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g) ?? []) {
    if (part === '\n') {
      row += 1;
      column = 0;
      lines[row] ??= '';
    } else if (part.endsWith('A') && part.startsWith('\u001b')) row -= countIn(part);
    else if (part.endsWith('B') && part.startsWith('\u001b')) row += countIn(part);
    else if (part === '\u001b[G' || part === '\r') column = 0;
    else if (part === '\u001b[2K') lines[row] = '';
    else if (part === '\u001b[K') lines[row] = (lines[row] ?? '').slice(0, column);
    else if (!part.startsWith('\u001b')) {
      lines[row] =
        (lines[row] ?? '').slice(0, column).padEnd(column) + part + (lines[row] ?? '').slice(column + part.length);
      column += part.length;
    }
  }
  return lines.map((line) => line.trimEnd()).filter((line, at) => line !== '' || at === 0);
}

describe('while somebody is asked', () => {
  it('a terminal shows nothing, and afterwards what it would show by then', () => {
    vi.useFakeTimers({ now: new Date('2026-01-01T10:00:00') });
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
    expect(screenOf(stream.written)).toEqual([
      'a note',
      '█████████░░░░░░░░░░ 1/2 cases, 0 failures',
      '5 s so far, about 5 s left (until 10:00:10)',
    ]);
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
  it('tells what did not go well, and no progress within a minute', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: false, colour: true, now: () => 0 });
    progress.event({ kind: 'started', cases: 20 });
    progress.event({ kind: 'note', text: 'the carrier\u001b[2J advertises no cancel endpoint' });
    progress.event({ kind: 'waiting', waiting: [{ case: 'a', for: 'a callback', until: 1 }], now: 0 });
    progress.event(finished('a', 'pass'));
    progress.event(finished('b', 'fail'));
    progress.event(finished('c', 'inconclusive', 'the control was refused:\u001b[31m\nno'));
    progress.event(finished('c2', 'inconclusive', 'the control was refused:\u001b[31m\nno'));
    progress.event(finished('d', 'informational'));
    progress.event(finished('e', 'not-run', 'no second client'));
    progress.event(finished('f', 'inconclusive', 'no callback came within 30 s; the carrier is slow'));
    progress.event(finished('g', 'inconclusive', 'no callback came within 45 s'));
    progress.close();
    expect(stream.written.join('')).toBe(
      [
        'the carrier\\u{1b}[2J advertises no cancel endpoint',
        'fail b',
        'inconclusive c: the control was refused:\\u{1b}[31m\\u{a}no',
        'inconclusive f: no callback came within 30 s; the carrier is slow',
        '',
      ].join('\n'),
    );
  });
});

type Found = Extract<ProgressEvent, { readonly kind: 'finding' }>;
/** A finding of an invariant, or of a step. */
const found = (parts: Partial<Finding> = {}, where: Partial<Found> = {}): Found => ({
  kind: 'finding',
  id: 'approval-brings-tokens',
  invariant: 'callback-bearer',
  finding: buildFinding({ rule: 'CB-004', code: 'check', expected: 'a bearer', actual: null, ...parts }),
  ...where,
});

describe('findings', () => {
  it.each(['uncounted', 'expected'] as const)(
    'that are %s fail no case in the counts, and get no line of --quiet',
    (effect) => {
      const stream = createStream();
      const paint = new Chalk({ level: 0 });
      const { invariant: _, ...ofStep } = found({}, { id: 'a', effect });
      const events = [{ kind: 'started', cases: 2 } as const, ofStep, finished('a', 'fail'), finished('b', 'fail')];
      const state = events.reduce((before, event) => applyEvent(before, event, 0), initialState);
      expect(renderState(state, { now: 0, width: 60, paint })[0]).toMatch(/ 2\/2 cases, 1 failure, 1 warning$/);
      const quiet = createQuiet({ stream });
      for (const event of events) quiet.event(event);
      expect(stream.written).toEqual(['fail b\n']);
    },
  );

  it('have a line as they come', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: false, colour: false, now: () => 0 });
    progress.event({ kind: 'started', cases: 10 });
    progress.event(found());
    progress.event(found({ expected: 'bearer\u001b[2J' }, { id: 'other' }));
    progress.event(found({ level: 'recommended' }, { invariant: 'order' }));
    progress.event(found({ level: 'informational' }, { invariant: 'noted' }));
    const { invariant: _, ...ofStep } = found({ rule: 'REQ-015' }, { id: 'a' });
    progress.event(ofStep);
    progress.event(finished('a', 'fail'));
    progress.close();
    expect(stream.written.join('')).toBe(
      [
        'fail CB-004 callback-bearer in approval-brings-tokens: nothing (absent or null), not a bearer',
        'fail CB-004 callback-bearer in other: nothing (absent or null), not bearer\\u{1b}[2J',
        'warn CB-004 order in approval-brings-tokens: nothing (absent or null), not a bearer',
        'fail REQ-015 in a: nothing (absent or null), not a bearer',
        '',
      ].join('\n'),
    );
  });
});

describe('the time that is left', () => {
  const planned = {
    seconds: 3600,
    path: [
      { case: 'a', ends: 600 },
      { case: 'b', ends: 3600 },
    ],
  };
  const start: ProgressEvent = { kind: 'started', cases: 4, planned };
  const acts = (at: number): ProgressEvent => {
    const next = { case: 'one', step: 'approval', action: 'approve', at };
    return { kind: 'acts', begun: 5, of: 596, before: 0, next };
  };
  const after = (events: readonly (readonly [at: number, ProgressEvent])[]) =>
    events.reduce((state, [at, event]) => applyEvent(state, event, at * 1000), initialState);

  it('is that of the plan, moved by what its longest path is behind or ahead', () => {
    expect(secondsLeft(after([[0, start]]), 300_000)).toBe(3300);
    const early = after([
      [0, start],
      [400, finished('a', 'pass')],
    ]);
    expect(secondsLeft(early, 400_000)).toBe(3000);
    const late = after([
      [0, start],
      [900, finished('a', 'pass')],
    ]);
    expect(secondsLeft(late, 900_000)).toBe(3000);
    // Nothing has ended, although the first case of the path should have.
    expect(secondsLeft(after([[0, start]]), 700_000)).toBe(3000);
    // The last case of the path is late: the end cannot be in the past.
    expect(secondsLeft(late, 5_000_000)).toBe(0);
  });

  it('is never less than the time until the next moment that a case waits for', () => {
    const wait = (until: number): ProgressEvent => {
      const waiting = [9000, until].map((second) => ({ case: 'b', for: 'a callback', until: second * 1000 }));
      return { kind: 'waiting', waiting, now: 5000 * 1000 };
    };
    // The longest path has ended, and by the plan the run with it.
    const late = after([
      [0, start],
      [600, finished('a', 'pass')],
      [3600, finished('b', 'pass')],
      [3600, wait(5420)],
    ]);
    expect(secondsLeft(late, 3_600_000)).toBe(420);
    expect(secondsLeft(late, 3_620_000)).toBe(400);
    const early = after([
      [0, start],
      [5, wait(5420)],
    ]);
    expect(secondsLeft(early, 5000)).toBe(3595);
  });

  it('is never less than a wait that only its moment ends, or than the time until the next act of a person', () => {
    const waiting = [
      { case: 'a', for: 'a callback', until: 3_610_000 },
      { case: 'b', for: 'a callback', until: 9_000_000 },
      { case: 'c', for: 'the moment of step replay', until: 4_020_000, fixed: true as const },
      { case: 'd', for: 'a callback', until: Number.POSITIVE_INFINITY },
    ];
    const late = after([
      [0, start],
      [600, finished('a', 'pass')],
      [3600, finished('b', 'pass')],
      [3600, { kind: 'waiting', waiting, now: 3_600_000 }],
    ]);
    expect(secondsLeft(late, 3_600_000)).toBe(420);
    const endless = applyEvent(late, { kind: 'waiting', waiting: waiting.slice(3), now: 3_600_000 }, 3_600_000);
    expect(secondsLeft(endless, 3_600_000)).toBe(0);
    expect(secondsLeft(applyEvent(endless, acts(4000), 3_600_000), 3_600_000)).toBe(400);
  });

  it('of the next act of a person is that of the plan, moved by what the run is behind, and never in the past', () => {
    const behind = after([
      [0, start],
      [0, acts(1000)],
      [900, finished('a', 'pass')],
    ]);
    expect(nextActAt(behind, 900_000)).toBe(1_300_000);
    expect(nextActAt(behind, 1_299_000)).toBe(1_300_000);
    expect(nextActAt(behind, 1_300_000)).toBeUndefined();
    const wait = { case: 'one', for: 'the moment of step approval', until: 5_000_000, fixed: true as const };
    const held = applyEvent(behind, { kind: 'waiting', waiting: [wait], now: 4_400_000 }, 1_300_000);
    expect(nextActAt(held, 1_300_000)).toBe(1_900_000);
    const other = applyEvent(held, { kind: 'waiting', waiting: [{ ...wait, case: 'a' }], now: 4_400_000 }, 1_300_000);
    expect(nextActAt(other, 1_300_000)).toBeUndefined();
    expect(nextActAt(after([[0, start]]), 0)).toBeUndefined();
    const virtual = after([
      [0, { kind: 'started', cases: 4 }],
      [0, acts(1000)],
    ]);
    expect(nextActAt(virtual, 0)).toBeUndefined();
  });

  it('is unknown in a run that is ending, which counts no case without a verdict as done', () => {
    const ending = after([
      [0, start],
      [10, finished('a', 'pass')],
      [20, { ...finished('b', 'not-run'), undone: true }],
    ]);
    expect(ending).toMatchObject({ done: 1, undone: 1, counts: { pass: 1 } });
    expect(secondsLeft(ending, 20_000)).toBeUndefined();
  });

  it('is by cases on a virtual clock, and unknown at the beginning and at the end', () => {
    const many = after([[0, { kind: 'started', cases: 100 }]]);
    const first = ['a', 'b', 'c', 'd'].reduce((state, id) => applyEvent(state, finished(id, 'pass'), 1000), many);
    expect(secondsLeft(first, 1000)).toBeUndefined();
    expect(secondsLeft(applyEvent(first, finished('e', 'pass'), 1000), 1000)).toBe(19);
    const begun = after([[0, { kind: 'started', cases: 4 }]]);
    expect(secondsLeft(begun, 1000)).toBeUndefined();
    const one = applyEvent(begun, finished('a', 'pass'), 2000);
    expect(secondsLeft(one, 2000)).toBe(6);
    const all = ['b', 'c', 'd'].reduce((state, id) => applyEvent(state, finished(id, 'pass'), 2000), one);
    expect(secondsLeft(all, 2000)).toBeUndefined();
  });
});

describe('a long run in a log', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-01T10:00:00') }));
  afterEach(() => void vi.useRealTimers());

  it('has a line a minute', () => {
    const stream = createStream();
    const progress = createProgress({ stream, tty: false, colour: false, now: Date.now });
    progress.event({ kind: 'started', cases: 10, planned: { seconds: 7200, path: [] } });
    const next = { case: 'one', step: 'approval', action: 'approve', at: 110 };
    progress.event({ kind: 'acts', begun: 5, of: 596, before: 0, next });
    vi.advanceTimersByTime(90_000);
    progress.event(finished('a', 'pass'));
    const waiting = [{ case: 'b', for: 'a callback', until: startOfRun + 60_000 }];
    progress.event({ kind: 'waiting', waiting, now: startOfRun });
    vi.advanceTimersByTime(30_000);
    progress.close();
    vi.advanceTimersByTime(300_000);
    expect(stream.written).toEqual([
      '1 min 0 s: 0/10 cases, 0 failures; 5 of 596 manual tasks, the next at 10:01:50; about 1 h 59 min left (until 12:00:00)\n',
      '2 min 0 s: 1/10 cases, 0 failures; 5 of 596 manual tasks; about 1 h 58 min left (until 12:00:00); next at 10:02:30, in 30 s: b waits for a callback\n',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('on a terminal', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-01T10:00:00') }));
  afterEach(() => void vi.useRealTimers());

  function open(columns?: number) {
    const stream = createStream(columns);
    return { stream, progress: createProgress({ stream, tty: true, colour: false, now: Date.now }) };
  }
  const planned = { seconds: 7200, path: [] };

  it('shows a bar, how far the run is, how long still, and what is waited for and until when', () => {
    const { stream, progress } = open(72);
    progress.event({ kind: 'started', cases: 4, planned });
    progress.event(finished('a', 'inconclusive'));
    const waiting = ['b', 'c', 'd', 'e', 'f', 'g'].map((id, at) => ({
      case: id,
      for: 'the moment of step replay',
      until: startOfRun + (6 - at) * 100_000,
    }));
    progress.event({ kind: 'waiting', waiting, now: startOfRun });
    progress.event({ kind: 'tasks', waiting: 2 });
    vi.advanceTimersByTime(10_000);
    expect(screenOf(stream.written)).toEqual([
      '█████░░░░░░░░░░░░░░░░░░ 1/4 cases, 0 failures, 1 inconclusive or in er…',
      '9 s so far, about 1 h 59 min left (until 12:00:00)',
      '10:01:40, in 1 min 31 s: g waits for the moment of step replay',
      '10:03:20, in 3 min 11 s: f waits for the moment of step replay',
      '10:05:00, in 4 min 51 s: e waits for the moment of step replay',
      '10:06:40, in 6 min 31 s: d waits for the moment of step replay',
      'and 2 more wait',
      '2 manual tasks wait for the operator',
    ]);
    progress.event(finished('g', 'pass'));
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)[2]).toBe('10:03:20, in 3 min 10 s: f waits for the moment of step replay');
    progress.close();
    expect(screenOf(stream.written)).toEqual(['']);
  });

  it('erases by lines: nothing that it draws goes to the scrollback of a terminal', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 400 });
    for (let at = 0; at < 300; at += 1) {
      progress.event(finished(`case-${at}`, at % 50 === 0 ? 'fail' : 'pass'));
      vi.advanceTimersByTime(100);
    }
    progress.close();
    // oxlint-disable-next-line no-control-regex
    const sequences = new Set(stream.written.join('').match(/\u001b\[[?\d]*[A-Za-z]/g));
    // oxlint-disable-next-line no-control-regex
    for (const sequence of sequences) expect(sequence).toMatch(/^\u001b\[(?:\d*[ABGK])$/);
    expect(screenOf(stream.written)).toEqual([0, 50, 100, 150, 200, 250].map((at) => `fail case-${at}`));
  });

  it('fits a terminal of any width, and erases what one that became narrower has wrapped', () => {
    for (const width of [1, 10, 30, 200]) {
      const lines = renderState(
        { ...initialState, cases: 886, done: 443, startedAt: 0, planned, waiting: [{ case: 'a', for: 'b', until: 9 }] },
        { now: 90_000, width, paint: new Chalk({ level: 0 }) },
      );
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    }
    const { stream, progress } = open(60);
    progress.event({ kind: 'started', cases: 2 });
    expect(screenOf(stream.written)[0]).toHaveLength('░'.repeat(19).length + ' 0/2 cases, 0 failures'.length);
    stream.columns = 21;
    const before = stream.written.length;
    vi.advanceTimersByTime(1000);
    // 41 cells take two rows of 21; both are erased.
    expect(stream.written[before]).toBe('\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K\u001b[G');
    progress.close();
  });

  it('draws at most ten times a second, and the last event too', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 5000 });
    for (let index = 0; index < 1000; index += 1) {
      vi.advanceTimersByTime(1);
      progress.event(finished(`case-${index}`, 'pass'));
    }
    expect(stream.written.length).toBeGreaterThanOrEqual(9);
    // One of the writes erases the status line.
    expect(stream.written.length).toBeLessThanOrEqual(12);
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)[0]).toBe('███░░░░░░░░░░░░░░░░ 1000/5000 cases, 0 failures');
  });

  it('leaves notes and findings above the lines', () => {
    const { stream, progress } = open();
    progress.event({ kind: 'started', cases: 1 });
    progress.event({ kind: 'note', text: 'a note\u001b[2J' });
    progress.event(found());
    vi.advanceTimersByTime(100);
    progress.event({ kind: 'advanced', to: startOfRun });
    vi.advanceTimersByTime(100);
    expect(screenOf(stream.written)).toEqual([
      'a note\\u{1b}[2J',
      'fail CB-004 callback-bearer in approval-brings-tokens: nothing (absent or null), not a bearer',
      '░░░░░░░░░░░░░░░░░░░ 0/1 cases, 1 failure',
    ]);
    progress.close();
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
