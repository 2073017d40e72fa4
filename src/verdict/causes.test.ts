import { expect, test } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { createCauseMarker } from './causes.ts';

const position = { file: 'a.yaml', line: 1, column: 1 };
const finding = (rule: string, more: Partial<Finding> = {}): Finding => ({
  rule,
  level: 'required',
  code: 'schema',
  path: 'body.state',
  expected: 'x',
  actual: null,
  message: 'a#x1',
  position,
  ...more,
});
const order = ['REQ-001', 'CB-001', 'SEC-01'];

/** For each finding its rule, and the rule that it follows from. */
const marked = (...all: Finding[]) => all.map(createCauseMarker(all, order)).map((one) => [one.rule, one.followsFrom]);

test('of several rules that one fact breaks the first is the cause', () => {
  expect(marked(finding('SEC-01'), finding('CB-001'), finding('REQ-001'))).toEqual([
    ['SEC-01', 'REQ-001'],
    ['CB-001', 'REQ-001'],
    ['REQ-001', undefined],
  ]);
});

test('a required finding is the cause of a recommended one, whatever their order', () => {
  expect(marked(finding('REQ-001', { level: 'recommended' }), finding('SEC-01'))).toEqual([
    ['REQ-001', 'SEC-01'],
    ['SEC-01', undefined],
  ]);
});

test.each<[string, Partial<Finding>]>([['another message', { message: 'a#x2' }]])('%s is another fact', (_, more) => {
  expect(marked(finding('REQ-001'), finding('CB-001', more))).toEqual([
    ['REQ-001', undefined],
    ['CB-001', undefined],
  ]);
});

test('what names neither message nor step is about nothing in particular', () => {
  const { message: _, ...bare } = finding('CB-001');
  expect(marked(bare, { ...bare, rule: 'REQ-001' }).map(([, cause]) => cause)).toEqual([undefined, undefined]);
});

test('what a body lacks that is not what it should be follows from that', () => {
  const whole = finding('CB-001', { path: 'body' });
  expect(marked(finding('REQ-001'), whole)).toEqual([
    ['REQ-001', 'CB-001'],
    ['CB-001', undefined],
  ]);
  expect(marked(finding('REQ-001'), { ...whole, level: 'recommended' }).map(([, cause]) => cause)).toEqual([
    undefined,
    undefined,
  ]);
});
