import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const casesPerFile = 1000;

const rules = `area: bench
title: Generated for the bench
rules:
  - id: BENCH-001
    clause: "2.4"
    level: required
    says: A sound request object is accepted.
    judged: cases
`;

const caseText = (number) => `  - id: accepted-${number}
    title: A sound request object is accepted
    rule: BENCH-001
    steps:
      - authorize: {}
        expect: accepted
`;

/** Writes a suites folder of `count` cases that send the base request, in one area `bench`. */
export function writeSuites(folder, count) {
  const area = join(folder, 'bench');
  mkdirSync(area, { recursive: true });
  writeFileSync(join(area, 'rules.yaml'), rules);
  for (let first = 1; first <= count; first += casesPerFile) {
    const numbers = Array.from({ length: Math.min(casesPerFile, count - first + 1) }, (_, at) => first + at);
    const name = `accepted-from-${String(first).padStart(6, '0')}`;
    writeFileSync(
      join(area, `${name}.suite.yaml`),
      `suite: Accepted from ${first}\ncases:\n${numbers.map(caseText).join('')}`,
    );
  }
  return folder;
}
