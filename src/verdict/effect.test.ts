import { expect, test } from 'vitest';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { Finding } from '../model/finding.ts';
import { buildRuleText } from '../testing/parts/suite.ts';
import { buildFinding } from '../testing/results/result.ts';
import { createEffectLookup, type FindingEffect } from './effect.ts';

const critical = { id: 'other-key', level: 'required', critical: true, description: 'Another key.' } as const;
const rules = [
  buildRuleText('REQ-001'),
  buildRuleText('SEC-01', 'required', { baseline: true }),
  buildRuleText('SEC-02', 'required', { baseline: true, aspects: [critical] }),
];
const entry = (what: 'rule' | 'case', name: string, expires = '2026-12-31'): ExpectedFailure => ({
  what,
  name,
  expires,
  reason: 'known',
  owner: 'platform team',
  position: { file: 'expected.yaml', line: 2, column: 5 },
});

test.each<[FindingEffect, Partial<Finding>, readonly ExpectedFailure[], readonly string[]]>([
  ['breaks', { rule: 'REQ-001' }, [], []],
  ['warns', { rule: 'REQ-001', unstable: true }, [], []],
  ['warns', { rule: 'REQ-001', level: 'recommended' }, [], []],
  ['none', { rule: 'REQ-001', level: 'informational' }, [], []],
  ['expected', { rule: 'REQ-001' }, [entry('rule', 'REQ-001')], []],
  ['expected', { rule: 'REQ-001' }, [entry('case', 'one')], []],
  ['breaks', { rule: 'REQ-001' }, [entry('case', 'two'), entry('rule', 'SEC-01')], []],
  ['breaks', { rule: 'REQ-001' }, [entry('rule', 'REQ-001', '2026-11-28')], []],
  ['uncounted', { rule: 'SEC-01' }, [], []],
  ['breaks', { rule: 'SEC-01' }, [], ['SEC-01']],
  ['uncounted', { rule: 'SEC-02' }, [], []],
  ['breaks', { rule: 'SEC-02', aspect: 'other-key' }, [], []],
])('a finding %s: %j', (effect, parts, expected, selection) => {
  const lookup = createEffectLookup({
    rules,
    counting: { profile: 'interface', selection },
    expected,
    today: '2026-11-29',
  });
  expect(lookup(buildFinding({ level: 'required', ...parts }), 'one')).toBe(effect);
});
