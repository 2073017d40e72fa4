import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { buildFinding } from '../../testing/results/result.ts';
import { createQuiet } from './lines.ts';

test('says what failed and nothing else, and nothing while the operator is asked', () => {
  const written: string[] = [];
  const stream = new Writable({
    write: (text, _, done) => {
      written.push(String(text));
      done();
    },
  });
  const progress = createQuiet({ stream });
  const finding = buildFinding({ code: 'check', expected: 'a bearer', actual: null });
  progress.event({ kind: 'started', cases: 4 });
  progress.event({ kind: 'note', text: 'a note' });
  progress.event({ kind: 'case-finished', id: 'good', verdict: 'pass' });
  progress.event({ kind: 'case-finished', id: 'open', verdict: 'inconclusive', reason: 'no callback came' });
  progress.event({ kind: 'finding', id: 'soft', finding: { ...finding, level: 'recommended' } });
  progress.event({ kind: 'finding', id: 'bad', finding });
  progress.event({ kind: 'case-finished', id: 'bad', verdict: 'fail' });
  progress.event({ kind: 'case-finished', id: 'odd\u001b[2J', verdict: 'fail' });
  const first = [`fail ${finding.rule} in bad: nothing (absent or null), not a bearer\n`, 'fail odd\\u{1b}[2J\n'];
  expect(written).toEqual(first);
  progress.pause();
  progress.event({ kind: 'finding', id: 'worse', invariant: 'bearer', finding });
  expect(written).toHaveLength(2);
  progress.resume();
  expect(written).toEqual([...first, `fail ${finding.rule} bearer in worse: nothing (absent or null), not a bearer\n`]);
  progress.close();
});
