import { describe, expect, it } from 'vitest';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { buildRule } from '../../testing/results/result.ts';
import { clauseSection, ruleSections } from './rules.ts';

describe('sectionOf', () => {
  it.each([
    ['2.3 jti, 5.1, 8', '2.3'],
    ['2.12', '2.12'],
    ['1.2, 2.6 access_token', '1'],
    ['6 dc5 iat', '6'],
    ['5.5', '5'],
    ['7', '7'],
    ['RFC 8725 §3.1', 'baseline'],
    ['2.30', 'baseline'],
    ['10.1', 'baseline'],
    ['', 'baseline'],
  ])('%s is in %s', (clause, section) => {
    expect(clauseSection(clause, testedInterface.clauses)).toBe(section);
  });
});

describe('sectionsOf', () => {
  it('is in the order of the interface, 2.9 before 2.10; rules within a section keep theirs', () => {
    const rules = ['RFC 7517', '2.10', '2.9 issuer', '4.2', '2.9', '1.1'].map((clause, index) =>
      buildRule({ id: `R-${index}`, clause }),
    );
    expect(
      ruleSections(rules, testedInterface.clauses).map(({ id, rules: own }) => [id, ...own.map((rule) => rule.id)]),
    ).toEqual([
      ['1', 'R-5'],
      ['2.9', 'R-2', 'R-4'],
      ['2.10', 'R-1'],
      ['4.2', 'R-3'],
      ['baseline', 'R-0'],
    ]);
  });
});
