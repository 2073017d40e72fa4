import { join } from 'node:path';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { testedInterface } from '../parts/tested-interface.ts';
import type { ExpectedFailure } from '../../model/expected-failure.ts';
import type { Result } from '../../model/result.ts';
import { formats } from '../../report/formats.ts';
import { type Conduct, openHandCarrier } from '../carriers/hand-carrier.ts';
import { loadText } from '../parts/load-text.ts';
import { buildRunOptions } from '../parts/run-options.ts';
import { makeFolder } from '../program/target-file.ts';

const rule = (id: string, level = 'required'): string =>
  `  - { id: ${id}, clause: "2.3", level: ${level}, description: It holds., judged: cases }\n`;
const rulesFile = (area: string, rest: string, ids: readonly string[]): string =>
  `area: ${area}\n${rest}title: An area\nrules:\n${ids.map((id) => rule(id)).join('')}`;

const accepted = '{ authorize: {}, expect: accepted }';
const control = '{ as: control, control: true, authorize: {}, expect: accepted }';
const judgedStep = (expectations: string): string =>
  `{ as: bad, authorize: { claims: { acr_values: a9 } }, expect: ${expectations} }, ${control}`;
const denied = judgedStep('denied');
const unmet = '{ as: control, control: true, authorize: { claims: { acr_values: a8 } }, expect: accepted }';
const simpleCase = (id: string, of: string, steps: string): string =>
  `  - { id: ${id}, title: A case, rule: ${of}, steps: [${steps}] }\n`;

/** Cases by their result. */
const cases: Readonly<Record<string, string>> = {
  clean: simpleCase('clean', 'REQ-001', accepted),
  broken: simpleCase('broken', 'REQ-002', denied),
  other: simpleCase('other', 'REQ-003', denied),
  again: simpleCase('again', 'REQ-003', denied),
  both: simpleCase(
    'both',
    'REQ-003',
    judgedStep('[{ outcome: denied, rule: REQ-003 }, { outcome: denied, rule: REQ-004 }]'),
  ),
  incomplete: simpleCase('incomplete', 'REQ-004', `${unmet}, ${accepted}`),
  apart: simpleCase('apart', 'SEC-01', denied),
  'apart and unmet': simpleCase('apart-unmet', 'SEC-01', `${unmet}, ${accepted}`),
  'not selected': simpleCase(
    'unselected',
    'REQ-001',
    judgedStep('[{ outcome: accepted, rule: REQ-001 }, { outcome: denied, rule: REQ-005 }]'),
  ),
};

/** An entry of expected.yaml, on line 2. */
export const expectedEntry = (what: 'rule' | 'case', name: string, expires = '2999-12-31'): ExpectedFailure => ({
  what,
  name,
  expires,
  reason: 'signatures come later',
  owner: 'platform team',
  position: { file: 'expected.yaml', line: 2, column: 5 },
});

export interface EndedRunSetting {
  readonly expected?: readonly ExpectedFailure[];
  readonly interrupted?: true;
}

const onA8: Conduct = { status: 400, body: { error: 'invalid_request' } };

/** Runs these cases against a hand-made carrier; the rule REQ-005 is not selected. */
export async function runNamedCases(
  names: readonly string[],
  { expected, interrupted }: EndedRunSetting,
): Promise<Result> {
  const { suites, problems } = await loadText({
    'area/rules.yaml': rulesFile('area', '', ['REQ-001', 'REQ-002', 'REQ-003', 'REQ-004', 'REQ-005']),
    'baseline/rules.yaml': rulesFile('baseline', 'baseline: true\n', ['SEC-01']),
    'area/a.suite.yaml': `suite: A suite\ncases:\n${names.map((name) => cases[name] ?? '').join('')}`,
  });
  const real = problems.filter(({ message }) => !message.includes('no case'));
  if (real.length > 0) throw new Error(real.map(({ message }) => message).join('; '));
  const carrier = await openHandCarrier(({ acr_values: acr }, index) =>
    acr === 'a8' ? onA8 : { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 60 } },
  );
  const named = suites.cases.flatMap(({ steps, rules }) => [
    ...rules,
    ...steps.flatMap(({ expectations }) => expectations.flatMap((one) => one.rules)),
  ]);
  const selected = new Set(named.map(({ rule: id }) => id));
  selected.delete('REQ-005');
  const options: RunOptions = {
    ...buildRunOptions({ suites, target: carrier.target, journal: join(makeFolder(), 'journal.jsonl') }),
    selected: { ...suites, rules: selected },
    ...(expected === undefined ? {} : { expected }),
    ...(interrupted === undefined ? {} : { signal: AbortSignal.abort() }),
  };
  try {
    const { result, close } = await run(options);
    const kept = [...result.cases];
    close();
    return { ...result, cases: kept };
  } finally {
    await carrier.close();
  }
}

/** A report of a result as one text. */
export async function renderOneReport(format: keyof typeof formats, result: Result): Promise<string> {
  return [...(await formats[format]())(result, testedInterface)].join('');
}
