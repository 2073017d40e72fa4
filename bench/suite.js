import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const casesPerFile = 1000;

const rules = `area: bench
title: Generated for the bench
rules:
  - id: BENCH-001
    clause: "2.4"
    level: required
    description: A sound request object is accepted.
    judged: cases
`;

const acceptedCase = (number) => `  - id: accepted-${number}
    title: A sound request object is accepted
    rule: BENCH-001
    steps:
      - authorize: {}
        expect: accepted
`;

/** A case of realistic length: cases of the shipped suites have 500 bytes. */
const longCase = (number) => `  - id: accepted-${number}
    title: A sound request object with differences of its own is accepted, and answered with what the interface says
    rule: BENCH-001
    steps:
      - as: sent
        authorize:
          claims: { state: "{{ concat('state-', fresh()) }}", nonce: "{{ fresh() }}", expires_in: 300 }
        expect:
          - accepted
          - status: [200]
            body: { type: object, required: [auth_req_id], properties: { auth_req_id: { type: string, minLength: 1 } } }
        record: { answer: "{{ sent.summary }}" }
`;

const fileOf = (title, cases) => `suite: ${title}\ncases:\n${cases.join('')}`;

const numbersFrom = (first, count) => Array.from({ length: count }, (_, at) => first + at);

/** Writes an area `bench` into a suites folder, and returns the folder; `files` are the texts of its suites by name. */
function writeArea(folder, files) {
  const area = join(folder, 'bench');
  mkdirSync(area, { recursive: true });
  writeFileSync(join(area, 'rules.yaml'), rules);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(area, `${name}.suite.yaml`), text);
  return folder;
}

/** Writes a suites folder with `count` cases that send the base request, in one area `bench`. */
export function writeSuites(folder, count) {
  const files = {};
  for (let first = 1; first <= count; first += casesPerFile) {
    const numbers = numbersFrom(first, Math.min(casesPerFile, count - first + 1));
    files[`accepted-from-${String(first).padStart(6, '0')}`] = fileOf(
      `Accepted from ${first}`,
      numbers.map(acceptedCase),
    );
  }
  return writeArea(folder, files);
}

/** Number of these cases that fill a file of this many bytes. */
export const longCases = (bytes) => Math.ceil(bytes / longCase(10_000).length);

/** Writes a suites folder with one file of `count` cases, each as long as a shipped one. */
export const writeLongFile = (folder, count) =>
  writeArea(folder, { accepted: fileOf('Accepted', numbersFrom(1, count).map(longCase)) });
