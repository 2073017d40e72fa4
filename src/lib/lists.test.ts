import { describe, expect, it } from 'vitest';
import { groupBy, listFolded, listIds } from './lists.ts';

describe('listIds', () => {
  it('says how many it left out', () => {
    expect(listIds(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
    expect(listIds(['a', 'b'], 2)).toBe('a, b');
  });
});

describe('listFolded', () => {
  it('folds runs of consecutive numbers', () => {
    expect(listFolded(['REQ-001', 'REQ-002', 'REQ-003', 'REQ-007', 'CB-008', 'CB-009'], 9)).toBe(
      'REQ-001..003, REQ-007, CB-008..009',
    );
  });

  it('keeps ids without a number, repeated ones, and numbers of another length apart', () => {
    expect(listFolded(['a', 'a', 'x/9', 'x/10', '7', '8'], 9)).toBe('a, a, x/9, x/10, 7..8');
  });

  it('counts what it left out by ids, not by runs', () => {
    expect(listFolded(['A-1', 'A-2', 'B-1', 'C-3', 'C-4', 'C-5'], 2)).toBe('A-1..2, B-1 and 3 more');
    expect(listFolded(['A-1', 'A-2', 'A-3'], 1)).toBe('A-1..3');
  });
});

describe('groupBy', () => {
  it('keeps the order in which keys were first met', () => {
    expect([...groupBy(['bb', 'a', 'cc'], (text) => String(text.length))]).toEqual([
      ['2', ['bb', 'cc']],
      ['1', ['a']],
    ]);
  });
});
