import { describe, expect, test } from 'vitest';
import { worstVerdict } from '../model/rule.ts';
import { buildRuleText, suitePosition } from '../testing/parts/suite.ts';
import { asFindings, createRuleBook } from './rule-book.ts';
import { verdictByLevel } from '../verdict/standing.ts';

const rules = createRuleBook([
  buildRuleText('REQ-007', 'required', {
    aspects: [{ id: 'near-miss', level: 'recommended', description: 'Nearly.' }],
  }),
  buildRuleText('REQ-016', 'informational', {
    aspects: [{ id: 'crash', level: 'required', description: 'Never 5xx.' }],
  }),
  buildRuleText('REQ-015', 'recommended'),
]);

describe('levels', () => {
  test.each([
    [{ rule: 'REQ-007' }, 'required'],
    [{ rule: 'REQ-007', aspect: 'near-miss' }, 'recommended'],
    [{ rule: 'REQ-016' }, 'informational'],
    [{ rule: 'REQ-016', aspect: 'crash' }, 'required'],
    [{ rule: 'REQ-015', aspect: 'near-miss' }, 'recommended'],
  ])('%j is %s', (ref, level) => {
    expect(rules.levelOf(ref)).toBe(level);
  });

  test('a rule that does not exist has none', () => {
    expect(() => rules.levelOf({ rule: 'REQ-999' })).toThrow(new TypeError('unknown rule REQ-999'));
    expect(rules.find('REQ-999')).toBeUndefined();
    expect(rules.find('REQ-015')?.level).toBe('recommended');
  });

  test('each gives one verdict, and that of a required rule is the worst', () => {
    expect(verdictByLevel).toEqual({ required: 'fail', recommended: 'warn', informational: 'informational' });
    expect(worstVerdict(Object.values(verdictByLevel))).toBe('fail');
  });
});

describe('a mismatch as findings', () => {
  const mismatch = { code: 'outcome', expected: 'denied', actual: 'accepted 200' } as const;
  const place = { position: suitePosition };

  test('one for each rule, each with its own level', () => {
    const refs = [{ rule: 'REQ-007', aspect: 'near-miss' }, { rule: 'REQ-007' }, { rule: 'REQ-016' }];
    expect(asFindings(mismatch, refs, { ...place, rules })).toEqual([
      { rule: 'REQ-007', aspect: 'near-miss', level: 'recommended', ...mismatch, ...place },
      { rule: 'REQ-007', level: 'required', ...mismatch, ...place },
      { rule: 'REQ-016', level: 'informational', ...mismatch, ...place },
    ]);
  });

  test('where it was seen; the message of the mismatch stands before that of the place', () => {
    const observation = { step: 'replay', message: 'a-case#x1', seenIn: 'a-case', ...place };
    const refs = [{ rule: 'REQ-015' }];
    expect(asFindings({ ...mismatch, path: 'status' }, refs, { ...observation, rules })).toEqual([
      { rule: 'REQ-015', level: 'recommended', ...mismatch, path: 'status', ...observation },
    ]);
    expect(asFindings({ ...mismatch, message: 'a-case#d2' }, refs, { ...observation, rules })[0]?.message).toBe(
      'a-case#d2',
    );
  });
});
