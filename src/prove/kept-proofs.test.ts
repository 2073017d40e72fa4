import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { differingFrom } from './against.ts';
import { matrixOf, type Proof } from './catalogue.ts';
import { keepProof, parseMatrix, readProofs } from './kept-proofs.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-'));
afterAll(() => rmSync(folder, { recursive: true }));

const proof: Proof = {
  name: 'jti-never-kept',
  kind: 'fault',
  status: 'killed',
  turned: { 'REQ-015': 'warn', 'REQ-014': 'inconclusive' },
  red: ['jti-again'],
  follows: ['jti-later'],
  critical: ['SEC-31'],
  wrong: [],
  ran: 1265,
  of: 1265,
};

describe('proofs that are kept from one start to the next', () => {
  test('are read back as they were, those of this very program alone', () => {
    const file = join(folder, 'whole.jsonl');
    expect(readProofs(file, 'now')).toEqual(new Map());
    const { critical: _, follows: __, ...other } = { ...proof, name: 'jti-trimmed' };
    keepProof(file, 'now', proof);
    keepProof(file, 'before', { ...proof, name: 'jti-of-before' });
    keepProof(file, 'now', other);
    expect([...readProofs(file, 'now').values()]).toEqual([proof, other]);
  });

  test('a line that was cut off is none', () => {
    const file = join(folder, 'cut.jsonl');
    keepProof(file, 'now', proof);
    appendFileSync(file, '{"key":"now","proof":{"name":"half","kind":"fau');
    expect([...readProofs(file, 'now').keys()]).toEqual(['jti-never-kept']);
  });
});

describe('the rows of another matrix', () => {
  const rows = parseMatrix(JSON.stringify(matrixOf([proof])));

  test('are those that a proof has written', () => expect(differingFrom(rows, [proof])).toEqual([]));

  test('differ by each rule that turns otherwise', () => {
    const turned = { 'REQ-015': 'fail', 'REQ-016': 'warn' } as const;
    expect(differingFrom(rows, [{ ...proof, status: 'misattributed', turned }])).toEqual([
      {
        name: 'jti-never-kept',
        words: [
          'misattributed here, killed in the matrix',
          'here, and not in the matrix: REQ-015 fail, REQ-016 warn',
          'in the matrix, and not here: REQ-014 inconclusive, REQ-015 warn',
        ],
      },
    ]);
  });

  test('lack a fault that is new', () =>
    expect(differingFrom(rows, [{ ...proof, name: 'new' }])).toEqual([
      { name: 'new', words: ['the matrix has no such row'] },
    ]));
});
