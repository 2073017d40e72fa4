import { expect, test } from 'vitest';
import { createPage } from '../../../report/shared/layout.ts';
import { deepFaults } from '../../catalogue.ts';
import type { DeepAttempt, DeepProof } from '../../prove/deep/prove-deep.ts';
import { findsMost, renderDeep } from './render-deep.ts';

const position = { file: 'explore', line: 1, column: 1 };
const finding = { position, rule: 'REQ-009', level: 'required', code: 'outcome', expected: 'a', actual: 'b' } as const;
const shown = { rule: 'REQ-009', kind: 'values', title: 'An iat of 331 s ago is denied', finding, requests: 1700 };
const found: DeepAttempt = { seed: '1', shown };
const missed: DeepAttempt = { seed: '2' };

/** Proof of the deep fault of this name. */
function proofOf(name: string, red: readonly string[], tries: readonly DeepAttempt[] = []): DeepProof {
  const fault = deepFaults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`there is no deep fault ${name}`);
  return { fault, run: { red }, tries };
}

const proofs = [
  proofOf('exp-measured-from-iat', ['REQ-012']),
  proofOf('nonce-equal-to-state-left-out', [], [found, missed]),
  proofOf('clock-of-whole-minutes', [], [missed, missed]),
];

const render = (some: readonly DeepProof[]): readonly string[] =>
  renderDeep(createPage({ width: 100, colour: false }), {
    proofs: some,
    requests: 5000,
    seeds: 2,
    seconds: 3,
    report: 'out/deep.json',
  });

test('each kind has a row with what the run found, what exploration added, and what neither found', () => {
  expect(
    render(proofs)
      .slice(0, 4)
      .map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ['faults', 'found by the run', 'by exploration', 'by neither'],
    ['interaction', '2', '1', '1', '0'],
    ['time', '1', '0', '0', '1'],
    ['all', '3', '1', '1', '1'],
  ]);
});

test('what neither found is named, and the explorations are counted', () => {
  const text = render(proofs).join('\n');
  expect(text).toContain('clock-of-whole-minutes (REQ-012): The carrier reads its clock once a minute');
  expect(text).not.toContain('exp-measured-from-iat');
  expect(text).toContain('2 explorations of 5,000 requests for each fault that the run did not find: 1 of 4');
  expect(text).toMatch(/the\s+median after 1,700 requests\.$/m);
  expect(render(proofs).at(-1)).toBe('2 of 3 deep faults found: 1 by the run, 1 more by exploration.');
});

test('without an exploration there is nothing to count', () => {
  const lines = render(proofs.slice(0, 1));
  expect(lines.slice(-3)).toEqual([
    '',
    'in 3.0 s; report: out/deep.json',
    '1 of 1 deep fault found: 1 by the run, 0 more by exploration.',
  ]);
});

test.each([
  [[], true],
  [proofs.slice(0, 2), true],
  [proofs, false],
])('most faults are found, or not', (some, expected) => {
  expect(findsMost(some)).toBe(expected);
});
