import { expect, test } from 'vitest';
import { createQuiet } from './quiet.ts';

test('says what failed and nothing else, and nothing while the operator is asked', () => {
  const written: string[] = [];
  const progress = createQuiet({ stream: { write: (text) => written.push(text) } });
  progress.event({ kind: 'started', cases: 4 });
  progress.event({ kind: 'note', text: 'a note' });
  progress.event({ kind: 'case-finished', id: 'good', verdict: 'pass' });
  progress.event({ kind: 'case-finished', id: 'open', verdict: 'inconclusive', reason: 'no callback came' });
  progress.event({ kind: 'case-finished', id: 'bad\u001b[2J', verdict: 'fail' });
  expect(written).toEqual(['fail bad\\u{1b}[2J\n']);
  progress.pause();
  progress.event({ kind: 'case-finished', id: 'worse', verdict: 'fail' });
  expect(written).toHaveLength(1);
  progress.resume();
  expect(written).toEqual(['fail bad\\u{1b}[2J\n', 'fail worse\n']);
  progress.close();
});
