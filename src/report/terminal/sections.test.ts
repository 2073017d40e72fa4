import { expect, test } from 'vitest';
import type { LimitResult } from '../../model/limit.ts';
import { dangersIn } from '../../testing/carriers/hostile.ts';
import { createPage } from '../shared/layout.ts';
import { limitLines } from './sections.ts';

const page = createPage({ colour: false, width: 100 });

const limit: LimitResult = {
  name: 'iat-age',
  title: 'How old',
  rules: [{ rule: 'REQ-009' }],
  state: 'limit',
  value: 300,
  uncertainty: 2,
  unit: 's',
  words: 'refuses iat older than 300 s ± 2 s',
  probes: [],
};

test('limits and profile are two sections, a line each', () => {
  const profile = [
    { name: 'a2', description: 'acr_values a2', rules: [{ rule: 'REQ-059' }], case: 'acr-a2', value: 'denied 400' },
    { name: 'nothing', description: 'What came', rules: [{ rule: 'CB-005', aspect: 'x' }], case: 'c', value: null },
    { name: 'unseen', description: 'What did not', rules: [], case: 'd', reason: 'needs a driver' },
  ];
  expect(limitLines(page, { limits: [limit], profile })).toEqual([
    '',
    'Limits  1 limit',
    '  iat-age                     refuses iat older than 300 s ± 2 s  (REQ-009)',
    '',
    'Profile  3 behaviours',
    '  a2                          acr_values a2: denied 400  (REQ-059)',
    '  nothing                     What came: nothing  (CB-005#x)',
    '  unseen                      What did not: not seen, needs a driver',
  ]);
});

test('a run that did not measure has neither', () => {
  expect(limitLines(page, {})).toEqual([]);
});

test('what a carrier wrote is made visible', () => {
  const words = 'no limit to be found: denied 400 \u001b[31mred\u202e';
  const lines = limitLines(page, { limits: [{ ...limit, words }] });
  const named = limitLines(page, {
    limits: [{ ...limit, name: '\u001b]0;title\u0007' }],
    profile: [{ name: '\u001b[2J', description: '', rules: [], case: 'c', value: '' }],
  });
  expect(dangersIn(named.join('\n'))).toEqual([]);
  expect(lines.join('\n')).toContain('denied 400 \\u{1b}[31mred\\u{202e}');
});
