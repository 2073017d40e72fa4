import { expect, test } from 'vitest';
import { createPage } from '../../../report/shared/layout.ts';
import { renderExploredSpace } from './explored-space.ts';

const outcome = { shown: [], requests: 900, unjudged: 12 };
const position = { file: 'explore', line: 1, column: 1 };
const finding = {
  position,
  rule: 'REQ-009',
  level: 'required',
  code: 'outcome',
  expected: 'denied',
  actual: '\u001b[31maccepted',
} as const;
const shown = { rule: 'REQ-009', kind: 'values', title: 'An iat of 331 s ago is denied', finding, requests: 7 };
const drawing = { seed: 'a seed', freedoms: 2, choices: 5, one: false, carriers: [] };

test('a carrier with a finding is told with what was tried, what came, and the command that shows it again', () => {
  const explored = [
    { number: 1, choices: {}, outcome },
    { number: 2, choices: {}, outcome: { ...outcome, shown: [shown] } },
    { number: 3, choices: {}, outcome: { ...outcome, stopped: 'the carrier cannot be reached' } },
  ];
  const flags = { names: [], requests: 900 };
  const page = createPage({ width: 100, colour: false });
  const text = renderExploredSpace(page, {
    explored,
    drawing,
    flags,
    report: 'out/explored-space.json',
    seconds: 3,
  }).join('\n');
  expect(text).toContain('red carrier 2 REQ-009');
  expect(text).toContain('An iat of 331 s ago is denied');
  expect(text).toContain("npm run space:explore -- --seed 'a seed' --requests 900 --only 2");
  expect(text).toContain('the carrier cannot be reached');
  expect(text).not.toContain('\u001b');
  expect(text).toContain('2,700 request objects, 36 of them without a verdict');
  expect(text.split('\n').at(-1)).toBe('Not green: 2 of 3 conforming carriers.');
});

test('carriers without one are green', () => {
  const explored = [{ number: 1, choices: {}, outcome }];
  const told = { explored, drawing, flags: { names: [], requests: 900 }, report: 'r.json', seconds: 3 };
  expect(renderExploredSpace(createPage({ width: 100, colour: false }), told).at(-1)).toBe(
    'Green: 1 conforming carrier explored, and nothing found.',
  );
});
