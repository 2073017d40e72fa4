import { expect, test } from 'vitest';
import { buildFooter, buildHeader, buildResult, buildRule } from '../../testing/result.ts';
import { meaningOf } from './meaning.ts';

const scored = (conforming: number, judged: number, applicable: number) => {
  const score = { conforming, judged, applicable };
  return { required: score, recommended: score, informational: score, all: score };
};

const real = buildHeader({ clock: { kind: 'real', note: '' } });
const driven = buildHeader({ clock: { kind: 'virtual', note: '' } });
const failed = buildRule({ id: 'CB-001', area: 'callback', verdict: 'fail' });

test('a conformant run says what was judged, and that nothing is left', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(5, 5, 5) });
  const [first, second] = meaningOf(buildResult({ header: real, footer }));
  expect(first).toMatch(/^Where it was judged, the carrier does what the interface requires/);
  expect(second).toBe('Every required rule that applies was judged.');
});

test.each([
  [1, '1 required rule without a verdict is no part of that: it is named under “Not judged”.'],
  [4, '4 required rules without a verdict are no part of that: they are named under “Not judged”.'],
])('a conformant run with %i open rules says that they are no part of it', (open, words) => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(5, 5, 5 + open) });
  expect(meaningOf(buildResult({ header: real, footer }))[1]).toBe(words);
});

test('a run on a driven clock speaks for a test carrier only, and names what is open nevertheless', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(5, 5, 7) });
  expect(meaningOf(buildResult({ header: driven, footer }))[1]).toBe(
    'The clocks were driven, so this speaks for a test carrier only, and 2 required rules without a verdict are no part of that.',
  );
});

test('a selection and a shard say first that they are a part', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(1, 1, 1) });
  const selected = buildHeader({ clock: { kind: 'real', note: '' }, selection: ['CB-001'] });
  expect(meaningOf(buildResult({ header: selected, footer }))[1]).toMatch(/^Only a part of the rules was selected/);
  const shard = buildHeader({ clock: { kind: 'real', note: '' }, shard: { index: 1, of: 2 } });
  expect(meaningOf(buildResult({ header: shard, footer }))[1]).toMatch(/^It is one part of a run on several machines/);
});

test('a run that is not conformant says where, and that it is no certificate', () => {
  const footer = buildFooter({ outcome: 'not conformant' });
  const [first, second] = meaningOf(buildResult({ rules: [failed], footer }));
  expect(first).toMatch(/^In 1 rule \(callback\) the carrier does something other than the interface requires/);
  expect(second).toMatch(/^It cannot be certified like this/);
});

test('failures that are expected certify nothing', () => {
  const entry = {
    what: 'rule',
    name: 'CB-001',
    reason: 'known',
    owner: 'us',
    expires: '2026-12-31',
    position: { file: 'expected.yaml', line: 1, column: 1 },
    became: 'failed',
    explains: ['CB-001'],
  } as const;
  const footer = buildFooter({ outcome: 'not conformant', expected: [entry] });
  expect(meaningOf(buildResult({ rules: [failed], footer }))[1]).toMatch(
    /tolerates it in a build, and certifies nothing/,
  );
});

test('a run that is incomplete, and one that was cut off, are no verdict', () => {
  const footer = buildFooter({ outcome: 'incomplete', score: scored(1, 1, 3) });
  expect(meaningOf(buildResult({ footer }))[0]).toBe(
    'This is no verdict on the carrier, neither good nor bad: of 3 required rules that apply, 1 was judged.',
  );
  const { footer: _, ...cutOff } = buildResult();
  expect(meaningOf(cutOff)[0]).toMatch(/^This is no verdict on the carrier: the run was cut off/);
});
