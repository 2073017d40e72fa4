import { describe, expect, test } from 'vitest';
import type { ProgressEvent } from '../model/progress.ts';
import { createFeed } from './feed.ts';

const ended = (id: string, verdict: 'pass' | 'not-run', reason?: string): ProgressEvent => ({
  kind: 'case-finished',
  id,
  verdict,
  ...(reason === undefined ? {} : { reason }),
});
const undone = (id: string, reason: string): ProgressEvent => ({
  kind: 'case-finished',
  id,
  verdict: 'not-run',
  reason,
  undone: true,
});

describe('a run that stops', () => {
  test('has done what had ended before, whatever is said of the rest', () => {
    const feed = createFeed(() => 1000);
    feed.event({ kind: 'started', cases: 5 });
    feed.event(ended('needs', 'not-run', 'needs a driver for move-sim'));
    feed.event(ended('passed', 'pass'));
    feed.stop('The run was interrupted: it ends with what is finished.');
    feed.event(undone('under-way', 'the run was interrupted'));
    feed.event(undone('not-begun', 'interrupted'));
    feed.event(undone('bailed', 'stopped after the first failure, passed (--bail)'));
    expect(feed.state()).toMatchObject({
      cases: 5,
      done: 2,
      undone: 3,
      counts: { pass: 1, 'not-run': 1 },
      stopping: 'The run was interrupted: it ends with what is finished.',
    });
  });

  test('has one end: what is said first', () => {
    const feed = createFeed(() => 1000);
    feed.end('The run was interrupted: incomplete.');
    feed.end('It is over: the program has ended.');
    expect(feed.state().ended).toBe('The run was interrupted: incomplete.');
  });
});
