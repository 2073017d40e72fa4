import { describe, expect, test } from 'vitest';
import type { Proof } from './catalogue.ts';
import { compareRows, faultsByJudge, matrixRows, parseProofMatrix, renderProofMatrix, updateRows } from './matrix.ts';

const proof: Proof = {
  name: 'jti-never-kept',
  kind: 'fault',
  status: 'killed',
  turned: { 'REQ-015': 'warn', 'REQ-014': 'inconclusive' },
  shown: { 'REQ-015': ['jti-kept/2m', 'jti-again'] },
  wrong: [],
  ran: 1265,
};

describe('the rows of a golden matrix', () => {
  const golden = parseProofMatrix(renderProofMatrix(matrixRows([proof])));
  const words = (parts: Partial<Proof>, whole = true) =>
    compareRows(matrixRows([{ ...proof, ...parts }]), golden, whole).flatMap((one) => one.words);

  test('are those that a proof has written', () => expect(words({})).toEqual([]));

  test('differ by each rule that turns otherwise', () =>
    expect(words({ turned: { 'REQ-015': 'fail', 'REQ-016': 'warn' } })).toEqual([
      'here, and not in the matrix: REQ-015 fail, REQ-016 warn',
      'in the matrix, and not here: REQ-014 inconclusive, REQ-015 warn',
    ]));

  test('differ by each row that shows a rule', () =>
    expect(words({ shown: { 'REQ-015': ['jti-again'], 'REQ-016': ['jti-again'] } })).toEqual([
      'here, and not in the matrix: REQ-016 by jti-again',
      'in the matrix, and not here: REQ-015 by jti-kept/2m',
    ]));

  test('differ by a rule without a verdict only after every case', () => {
    const turned = { 'REQ-015': 'warn', 'REQ-017': 'inconclusive' } as const;
    expect(words({ turned }, false)).toEqual([]);
    expect(words({ turned })).toEqual([
      'here, and not in the matrix: REQ-017 inconclusive',
      'in the matrix, and not here: REQ-014 inconclusive',
    ]);
  });

  test('lack a fault that is new', () =>
    expect(compareRows(matrixRows([{ ...proof, name: 'new' }]), golden, true)).toEqual([
      { name: 'new', words: ['the matrix has no such row'] },
    ]));

  test('are replaced after every case; after some, they keep the rules without a verdict', () => {
    const rows = matrixRows([
      { ...proof, turned: { 'REQ-015': 'fail' } },
      { ...proof, name: 'new' },
    ]);
    expect(updateRows(golden, rows, true)).toEqual(rows);
    expect(updateRows(golden, rows, false).get(proof.name)?.turned).toEqual({
      'REQ-015': 'fail',
      'REQ-014': 'inconclusive',
    });
  });

  test('name the faults that each row detects', () =>
    expect([...faultsByJudge(golden)]).toEqual([
      ['jti-again', ['jti-never-kept']],
      ['jti-kept/2m', ['jti-never-kept']],
    ]));
});
