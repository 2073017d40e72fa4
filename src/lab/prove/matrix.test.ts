import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Proof } from './catalogue.ts';
import {
  compareRows,
  keepProof,
  parseProofMatrix,
  readProofs,
  renderProofMatrix,
  matrixRows,
  updateRows,
} from './matrix.ts';

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
    keepProof(file, 'now', { ...other, whole: true });
    expect([...readProofs(file, 'now').values()]).toEqual([proof, { ...other, whole: true }]);
  });

  test('a line that was cut off is none', () => {
    const file = join(folder, 'cut.jsonl');
    keepProof(file, 'now', proof);
    appendFileSync(file, '{"key":"now","proof":{"name":"half","kind":"fau');
    expect([...readProofs(file, 'now').keys()]).toEqual(['jti-never-kept']);
  });
});

describe('the rows of a golden matrix', () => {
  const golden = parseProofMatrix(renderProofMatrix(matrixRows([proof])));
  const compare = (parts: Partial<Proof>) => compareRows(matrixRows([{ ...proof, ...parts }]), golden);
  const words = (parts: Partial<Proof>) => compare(parts).flatMap((one) => one.words);

  test('are those that a proof has written', () => expect(compare({})).toEqual([]));

  test('name only the red rules where all cases before decide which are red', () => {
    const whole = { ...proof, whole: true } as const;
    expect(matrixRows([whole]).get(proof.name)).toEqual({
      kind: 'fault',
      status: 'killed',
      turned: { 'REQ-015': 'warn' },
      red: [],
    });
    expect(compareRows(matrixRows([{ ...whole, red: ['another'] }]), matrixRows([whole]))).toEqual([]);
  });

  test('differ by each rule that turns otherwise', () => {
    const turned = { 'REQ-015': 'fail', 'REQ-016': 'warn' } as const;
    expect(compare({ status: 'misattributed', turned })).toEqual([
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

  test('differ by each red case', () =>
    expect(words({ red: ['jti-once'] })).toEqual([
      'here, and not in the matrix: jti-once',
      'in the matrix, and not here: jti-again',
    ]));

  test('may leave further rules without a verdict where a sample ran, and no others', () => {
    const turned = { 'REQ-015': 'warn', 'REQ-017': 'inconclusive' } as const;
    const missing = 'in the matrix, and not here: REQ-014 inconclusive';
    const extra = 'here, and not in the matrix: REQ-017 inconclusive';
    expect(words({ turned })).toEqual([extra, missing]);
    expect(words({ turned, sampled: ['jti-again'] })).toEqual([extra]);
    expect(words({ turned: { 'REQ-015': 'warn', 'REQ-001': 'informational' }, sampled: ['jti-again'] })).toEqual([]);
    expect(words({ turned: {}, sampled: ['jti-again'] })).toEqual(['in the matrix, and not here: REQ-015 warn']);
  });

  test('may have further red cases where a sample ran, and none that ran', () => {
    expect(words({ red: [], sampled: ['jti-once'] })).toEqual([]);
    expect(words({ red: [], sampled: ['jti-again'] })).toEqual(['in the matrix, and not here: jti-again']);
  });

  test('lack a fault that is new', () =>
    expect(compare({ name: 'new' })).toEqual([{ name: 'new', words: ['the matrix has no such row'] }]));

  test('stay where a sample shows no difference', () => {
    const turned = { 'REQ-015': 'warn' } as const;
    const sampled = { ...proof, turned, sampled: ['jti-again'] };
    const other = matrixRows([
      { ...proof, name: 'new' },
      { ...sampled, red: [] },
    ]);
    expect(updateRows(golden, matrixRows([sampled]))).toEqual(golden);
    expect(updateRows(golden, matrixRows([{ ...proof, turned }]))).toEqual(matrixRows([{ ...proof, turned }]));
    expect([...updateRows(golden, other)]).toEqual([...other].toReversed());
  });
});
