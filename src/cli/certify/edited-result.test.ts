import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../engine/run.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { ExpectedFailure } from '../../model/expected-failure.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { renderJson } from '../../report/json/render.ts';
import { openHandCarrier } from '../../testing/carriers/hand-carrier.ts';
import { loadText } from '../../testing/parts/load-text.ts';
import { buildRunOptions } from '../../testing/parts/run-options.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { readCertifiable, type SigningProgram } from './certify.ts';

const rule = (id: string, rest: string): string =>
  `  - { id: ${id}, clause: "2.3", description: It holds., ${rest} }\n`;
const one = (id: string, of: string, steps: string): string =>
  `  - { id: ${id}, title: Of ${id}, rule: ${of}, steps: [${steps}] }\n`;
const plain = '{ as: request, authorize: {}, expect: accepted }';
const control = '{ as: control, control: true, authorize: {}, expect: accepted }';
const refused = `{ as: bad, authorize: { claims: { acr_values: a9 } }, expect: denied }, ${control}`;

const rules = [
  rule('REQ-001', 'level: required, judged: cases'),
  rule('REQ-002', 'level: required, judged: cases'),
  rule('REQ-003', 'level: recommended, judged: cases'),
  rule('REQ-004', 'level: informational, judged: cases'),
  rule('REQ-005', 'level: required, judged: invariant'),
  rule('REQ-006', 'level: recommended, judged: invariant'),
];

const files = {
  'area/rules.yaml': `area: area\ntitle: An area\nrules:\n${rules.join('')}`,
  'baseline/rules.yaml': `area: baseline\nbaseline: true\ntitle: Beside\nrules:\n${rule('SEC-001', 'level: required, judged: cases')}`,
  'area/a.suite.yaml': `suite: A suite
cases:
${one('clean', 'REQ-001', plain)}${one('clean-too', 'REQ-001', plain)}${one('broken', 'REQ-002', refused)}${one('broken-too', 'REQ-002', refused)}${one('soft', 'REQ-003', refused)}${one('noted', 'REQ-004', '{ as: request, authorize: {}, record: { status: "{{ request.status }}" } }')}${one('skipped', 'REQ-001', plain).replace('rule:', 'requires: [polling], rule:')}
invariants:
  - { id: always, title: It is so, rule: REQ-005, on: response, expect: { status: [2xx, 400] }, seenIn: [clean] }
  - { id: never, title: It is not so, rule: REQ-006, on: response, expect: { status: [201] }, seenIn: [clean] }
`,
  'baseline/b.suite.yaml': `suite: Beside it\ncases:\n${one('apart', 'SEC-001', refused)}`,
};

const expected: readonly ExpectedFailure[] = [
  {
    what: 'rule',
    name: 'REQ-002',
    reason: 'known',
    owner: 'platform',
    expires: '2999-12-31',
    position: { file: 'expected.yaml', line: 1, column: 1 },
  },
];

const folder = makeFolder();
const tool = { name: 'carrierspec', version: '0.1.0', node: 'v20', digest: `sha256:${'a7'.repeat(32)}` } as const;
let signer: SigningProgram;
const written = { broken: '', kept: '' };

/** Runs all cases; the carrier breaks a rule of each level unless it `keeps` them. */
async function runText(keeps: boolean): Promise<string> {
  const { suites, problems } = await loadText(files);
  expect(problems).toEqual([]);
  signer = { ...tool, additions: [], interface: serverInitiated, suites };
  const carrier = await openHandCarrier(({ acr_values: acr }, index) =>
    keeps && acr === 'a9'
      ? { status: 400, body: { error: 'invalid_request' } }
      : { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 60 } },
  );
  try {
    const target = { ...carrier.target, testCarrier: true, supports: { polling: false } };
    const options = buildRunOptions({ suites, target, journal: join(folder, 'journal.jsonl'), tool });
    const { result, close } = await run({ ...options, ...(keeps ? {} : { expected }) });
    const text = [...renderJson(result)].join('');
    close();
    return text;
  } finally {
    await carrier.close();
  }
}

beforeAll(async () => {
  written.broken = await runText(false);
  written.kept = await runText(true);
});

/** Returns the refusal of a result text, or undefined if certify signs it. */
function refusalOf(text: string): string | undefined {
  const file = join(folder, 'result.json');
  writeFileSync(file, text);
  try {
    const checked = readCertifiable(file, signer);
    return 'refused' in checked ? checked.refused.message : undefined;
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    return error.message;
  }
}

type Holder = Record<string, unknown> | unknown[];

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;
const idOf = (value: unknown): unknown => (isHolder(value) && !Array.isArray(value) ? value['id'] : undefined);
const keyIn = (holder: Holder, step: string): string => {
  const named = Array.isArray(holder) ? holder.findIndex((item) => idOf(item) === step) : -1;
  return named < 0 ? step : String(named);
};

/** Finds the holder and the key of the value at a path; list items are named by id or index. */
function locate(root: unknown, path: string): { holder: Holder; key: string } {
  const steps = path.split(' ');
  let holder = root;
  for (const step of steps.slice(0, -1)) {
    if (!isHolder(holder)) throw new Error(`there is no ${path}`);
    holder = Reflect.get(holder, keyIn(holder, step));
  }
  if (!isHolder(holder)) throw new Error(`there is no ${path}`);
  return { holder, key: keyIn(holder, steps.at(-1) ?? '') };
}

type Edit = readonly ['set', string, unknown] | readonly ['drop' | 'double', string];

function edited(text: string, edits: readonly Edit[]): string {
  const document: unknown = JSON.parse(text);
  for (const [what, path, value] of edits) {
    const { holder, key } = locate(document, path);
    const place = Number(key);
    if (what === 'set') Reflect.set(holder, key, value);
    else if (!Array.isArray(holder)) Reflect.deleteProperty(holder, key);
    else if (what === 'drop') holder.splice(place, 1);
    else holder.splice(place, 0, holder[place]);
  }
  return JSON.stringify(document);
}

const all = 'footer score all';
const required = 'footer score required';
/** Edits that make REQ-002 pass, except in its cases. */
const passing: readonly Edit[] = [
  ['set', 'rules REQ-002 verdict', 'pass'],
  ['set', 'footer outcome', 'conformant'],
  ['set', 'footer counts', { fail: 1, pass: 3, warn: 2, informational: 1 }],
  ['set', `${required} conforming`, 3],
  ['set', `${all} conforming`, 4],
  ['set', 'footer areas area required conforming', 3],
  ['set', 'footer expected 0 became', 'no longer fails'],
  ['set', 'footer expected 0 explains', []],
];
/** Edits that clear the two cases that broke it. */
const unbroken = ['broken', 'broken-too'].flatMap((id): Edit[] => [
  ['set', `cases ${id} verdict`, 'pass'],
  ['set', `cases ${id} findings`, []],
]);
const fail = (id: string): readonly Edit[] => [['set', `cases ${id} verdict`, 'fail']];

type Row = readonly [name: string, base: keyof typeof written, edits: readonly Edit[], says: RegExp];

const verdicts: readonly Row[] = [
  [
    'a case from fail to pass',
    'broken',
    [['set', 'cases broken verdict', 'pass']],
    /the case broken is pass, and fail follows from its findings/,
  ],
  [
    'the same, its findings taken out',
    'broken',
    [
      ['set', 'cases broken verdict', 'pass'],
      ['set', 'cases broken findings', []],
    ],
    /the case broken has no finding of REQ-002 in step bad, and the message \S+, accepted 200, is not "denied"/,
  ],
  ['both cases of a rule, without their findings', 'broken', unbroken, /the case broken has no finding of REQ-002/],
  ['the same, with all that follows', 'broken', [...unbroken, ...passing], /the case broken has no finding of REQ-002/],
  [
    'a response, and all that follows',
    'broken',
    [...unbroken, ...passing, ['set', 'cases broken messages 0 response status', 400]],
    /the case broken-too has no finding of REQ-002/,
  ],
  ['a case from pass to fail', 'kept', fail('clean'), /the case clean is fail, and pass follows from its findings/],
  [
    'a rule from fail to pass',
    'broken',
    [['set', 'rules REQ-002 verdict', 'pass']],
    /its outcome is not conformant, and its rules say that none is broken/,
  ],
  [
    'a rule from fail to pass, with all that is counted',
    'broken',
    passing,
    /verdict of the rule REQ-002 is pass, and fail follows from its cases/,
  ],
  [
    'a rule from pass to fail',
    'kept',
    [
      ['set', 'rules REQ-001 verdict', 'fail'],
      ['set', 'footer outcome', 'not conformant'],
      ['set', 'footer counts pass', 4],
      ['set', 'footer counts fail', 1],
    ],
    /verdict of the rule REQ-001 is fail, and pass follows from its cases/,
  ],
  [
    'a finding that its message does not bear out',
    'broken',
    [['set', 'cases broken messages 0 response status', 400]],
    /the case broken has a finding of REQ-002 \(outcome\), and the message \S+, denied 400, is as it should be/,
  ],
  ['a warning', 'broken', [['set', 'cases soft verdict', 'pass']], /the case soft is pass, and warn follows/],
  [
    'the level of a finding',
    'broken',
    [['set', 'cases broken findings 0 level', 'recommended']],
    /the case broken has a finding of REQ-002 as recommended, and the rule is required/,
  ],
  [
    'a finding called unstable',
    'broken',
    [
      ['set', 'cases broken findings 0 unstable', true],
      ['set', 'cases broken verdict', 'warn'],
    ],
    /has an unstable finding, and was not confirmed/,
  ],
  [
    'a finding of another rule',
    'broken',
    [['set', 'cases broken findings 0 rule', 'SEC-001']],
    /has a finding of SEC-001, which it does not judge/,
  ],
  [
    'a finding in a message that is not there',
    'broken',
    [['set', 'cases broken findings 0 message', 'x99']],
    /in the message x99, which it has not/,
  ],
  [
    'a failure called an open end',
    'broken',
    [
      ['set', 'cases broken verdict', 'inconclusive'],
      ['set', 'cases broken reason', 'it was dark'],
    ],
    /the case broken is inconclusive, and fail follows/,
  ],
  [
    'a failure called not applicable',
    'broken',
    [
      ['set', 'cases broken verdict', 'not-applicable'],
      ['set', 'cases broken reason', 'no such thing'],
      ['set', 'cases broken findings', []],
    ],
    /the case broken is not-applicable, and has run: it has \d+ messages/,
  ],
  [
    'a failure called not run',
    'broken',
    [
      ['set', 'cases broken verdict', 'not-run'],
      ['set', 'cases broken reason', 'no time'],
    ],
    /the case broken is not-run, and has 1 findings/,
  ],
  [
    'a verdict without a reason',
    'kept',
    [['drop', 'cases skipped reason']],
    /the case skipped is not-applicable, and says no reason/,
  ],
  [
    'the reason why a case did not run',
    'kept',
    [
      ['set', 'cases skipped verdict', 'pass'],
      ['drop', 'cases skipped reason'],
    ],
    /the case skipped is pass, and did not run/,
  ],
  ['a verdict that no case has', 'kept', [['set', 'cases clean verdict', 'attested']], /the case clean is attested/],
  [
    'a recorded value',
    'kept',
    [['set', 'cases noted recorded status', 500]],
    /recorded\S* of the rule REQ-004 is .*200.*500.* follows/,
  ],
  [
    'a recorded value of no step',
    'kept',
    [['set', 'cases noted recorded more', 1]],
    /recorded more, which no step of it records/,
  ],
  [
    'an invariant from warn to pass',
    'broken',
    [['set', 'invariants never verdict', 'pass']],
    /the invariant never is pass, and warn follows/,
  ],
  [
    'the findings of an invariant',
    'broken',
    [
      ['set', 'invariants never findings', []],
      ['set', 'invariants never verdict', 'pass'],
    ],
    /broken by \d+ messages, and has 0 findings/,
  ],
  [
    'one finding of an invariant',
    'kept',
    [['drop', 'invariants never findings 0']],
    /broken by 11 messages, and has 9 findings/,
  ],
  [
    'an invariant that was broken by none',
    'broken',
    [['set', 'invariants never violations', 0]],
    /broken by 0 messages, and has \d+ findings/,
  ],
  [
    'an invariant that saw nothing',
    'broken',
    [['set', 'invariants never judged', 0]],
    /judged on no message, and \d+ broke it/,
  ],
  [
    'where an invariant was broken',
    'broken',
    [['set', 'invariants never findings 0 seenIn', 'elsewhere']],
    /in the case elsewhere, which the result has not/,
  ],
  [
    'an invariant taken out',
    'broken',
    [['drop', 'invariants never']],
    /it has no invariant never, which its run selected/,
  ],
];

const plans: readonly Row[] = [
  ['a case taken out', 'kept', [['drop', 'cases clean']], /it has no case clean, which its run selected/],
  [
    'a case taken out, with its name in its rule',
    'kept',
    [
      ['drop', 'cases clean'],
      ['set', 'rules REQ-001 judgedBy', ['clean-too', 'skipped']],
    ],
    /it has no case clean/,
  ],
  [
    'a failure taken out, and all counts mended',
    'broken',
    [['drop', 'cases broken'], ['drop', 'cases broken-too'], ...passing],
    /it has no case broken, which its run selected/,
  ],
  ['a case twice', 'kept', [['double', 'cases clean']], /it has the case clean twice/],
  ['a case of another name', 'kept', [['set', 'cases clean id', 'cleaner']], /it has no case clean/],
  [
    'a case in another suite',
    'kept',
    [['set', 'cases clean suite', 'Beside it']],
    /suite of the case clean is Beside it, and A suite follows from the suites/,
  ],
  ['a case in another area', 'kept', [['set', 'cases clean area', 'baseline']], /area of the case clean is baseline/],
  ['the title of a case', 'kept', [['set', 'cases clean title', 'Of nothing']], /title of the case clean/],
  [
    'the rules of a case',
    'broken',
    [['set', 'cases broken rules', [{ rule: 'REQ-004' }]]],
    /rules\.0\.rule of the case broken is REQ-004, and REQ-002 follows/,
  ],
  [
    'the level of a rule',
    'broken',
    [['set', 'rules REQ-002 level', 'informational']],
    /level of the rule REQ-002 is informational, and required follows/,
  ],
  [
    'the statement of a rule',
    'broken',
    [['set', 'rules REQ-002 description', 'It may hold.']],
    /description of the rule REQ-002/,
  ],
  [
    'a rule set apart',
    'broken',
    [['set', 'rules REQ-002 apart', true]],
    /its outcome is not conformant, and its rules say that none is broken/,
  ],
  ['the profile', 'broken', [['set', 'profile', 'hardened']], /its profile is hardened, and its flags are none/],
  [
    'the profile and its flag',
    'broken',
    [
      ['set', 'profile', 'hardened'],
      ['set', 'flags', ['--profile', 'hardened']],
    ],
    /apart of the rule SEC-001 is true, and absent follows/,
  ],
  ['the profile taken out', 'broken', [['drop', 'profile']], /it lacks "profile"|"profile" is missing|profile/],
  ['the selection', 'kept', [['set', 'selection', ['REQ-001']]], /it has the case apart, which its run did not select/],
  ['a selection of nothing that is', 'kept', [['set', 'selection', ['REQ-9*']]], /nothing is called REQ-9/],
  [
    'an area left out',
    'kept',
    [['set', 'flags', ['--without', 'baseline']]],
    /it has the case apart, which its run did not select/,
  ],
  ['the interface', 'kept', [['set', 'interface version', '1.1']], /it is of the interface server-initiated 1\.1/],
  [
    'a rule twice',
    'kept',
    [
      ['double', 'rules REQ-001'],
      ['set', 'footer counts pass', 6],
    ],
    /it has the rule REQ-001 twice/,
  ],
  ['a rule taken out', 'kept', [['drop', 'rules REQ-001']], /it has no rule REQ-001, which its run selected/],
  ['a rule of another name', 'kept', [['set', 'rules REQ-001 id', 'REQ-0999']], /it has no rule REQ-001/],
  [
    'the program',
    'kept',
    [['set', 'tool digest', `sha256:${'0'.repeat(64)}`]],
    /made by another program of version 0\.1\.0/,
  ],
  ['another version', 'kept', [['set', 'tool version', '0.2.0']], /made by carrierspec 0\.2\.0/],
];

const places: readonly Row[] = [
  ['the version of the format', 'kept', [['set', 'version', 1]], /this result has version 1 of the format/],
  ['flags that no run has', 'kept', [['set', 'flags', ['--fault']]], /its flags are --fault/],
  [
    'the place of a case',
    'kept',
    [['set', 'cases clean position line', 1]],
    /position\.line of the case clean is 1, and \d+ follows from the suites/,
  ],
  ['who it ran with', 'kept', [['drop', 'cases clean client']], /the case clean has run, and names no client/],
];

const conclusions: readonly Row[] = [
  [
    'the outcome',
    'broken',
    [['set', 'footer outcome', 'conformant']],
    /its outcome is conformant, and its rules say that REQ-002 is broken/,
  ],
  [
    'the score',
    'broken',
    [['set', `${required} conforming`, 9]],
    /score\.required\.conforming of the run is 9, and \d follows from its rules/,
  ],
  [
    'the score of an area',
    'broken',
    [['set', 'footer areas area required conforming', 9]],
    /areas\.area\.required\.conforming of the run is 9/,
  ],
  [
    'the counts',
    'broken',
    [['set', 'footer counts fail', 3]],
    /counts\.fail of the run is 3, and 2 follows from its rules/,
  ],
  [
    'the reasons',
    'kept',
    [['set', 'footer reasons', ['all went well']]],
    /outcome of the run is conformant, and incomplete follows/,
  ],
  [
    'what became of an expected failure',
    'broken',
    [['set', 'footer expected 0 became', 'no longer fails']],
    /expected\.0\.\w+\S* of the run/,
  ],
  [
    'what an expected failure explains',
    'broken',
    [['set', 'footer expected 0 explains', []]],
    /expected\.0\.\w+\S* of the run/,
  ],
  [
    'an expected failure of something else',
    'broken',
    [['set', 'footer expected 0 name', 'REQ-001']],
    /expected\.0\.\w+\S* of the run/,
  ],
  [
    'messages that were not counted',
    'kept',
    [['set', 'footer exchanges', 1]],
    /its cases have \d+ exchanges, and its footer counts 1/,
  ],
  ['a message twice', 'kept', [['double', 'cases clean messages 0']], /the case clean has the message \S+ twice/],
];

const times: readonly Row[] = [
  [
    'a virtual clock called real',
    'kept',
    [['set', 'clock', { kind: 'real', note: '' }]],
    /the clock is real, and the footer does not say how far the receiver was behind/,
  ],
  ['the note of the clock', 'kept', [['set', 'clock note', '']], /the clock is virtual, and its note is ""/],
  [
    'what only real time has',
    'kept',
    [['set', 'footer receiverLag', 3]],
    /the clock is virtual, and the footer has receiverLag/,
  ],
  [
    'an end before the beginning',
    'kept',
    [['set', 'footer endedAt', '2020-01-01T00:00:00.000Z']],
    /the run ended at 2020\S+, before it began/,
  ],
  [
    'an end that is no date',
    'kept',
    [['set', 'footer endedAt', '2026-99-99T00:00:00.000Z']],
    /the run ended at 2026-99-99T00:00:00.000Z, which is no date/,
  ],
  ['a beginning that is no date', 'kept', [['set', 'startedAt', '2026-99-99T00:00:00.000Z']], /which is no date/],
  [
    'a case that ended before it began',
    'kept',
    [['set', 'cases clean endedAt', 1]],
    /the case clean ended at 1970\S+, before it began/,
  ],
  [
    'a case outside of the run',
    'kept',
    [['set', 'cases clean startedAt', 1]],
    /the case clean ran from 1970\S+ to \S+, outside of the run/,
  ],
  [
    'a message outside of its case',
    'kept',
    [['set', 'cases clean messages 0 sentAt', 1]],
    /the case clean has the message \S+ of 1970\S+ to \S+, outside of the case/,
  ],
  [
    'an answer before its request',
    'kept',
    [['set', 'cases clean messages 0 receivedAt', 1]],
    /answered at 1970\S+, before it was sent/,
  ],
];

test('a result that nobody touched is certified', () => {
  expect(refusalOf(written.broken)).toBeUndefined();
  expect(refusalOf(written.kept)).toBeUndefined();
});

describe('an edited result is refused, in words that name what does not agree', () => {
  test.each([...verdicts, ...plans, ...places, ...conclusions, ...times])('%s', (_, base, edits, says) => {
    const text = edited(written[base], edits);
    expect(JSON.parse(text)).not.toEqual(JSON.parse(written[base]));
    expect(refusalOf(text) ?? 'it was certified').toMatch(says);
  });

  test.each<[string, keyof typeof written, string | RegExp, string, string]>([
    ['at the top', 'kept', '{', '{"run":"0123456789abcdef",', 'run'],
    ['of a case', 'broken', '"id":"broken"', '"id":"broken","verdict":"pass"', 'cases.3.verdict'],
    ['with the same value', 'kept', '"selection":[]', '"selection":[],"selection":[]', 'selection'],
    ['written in another way', 'kept', '"run":', '"r\\u0075n":"0123456789abcdef","run":', 'run'],
  ])('a member twice %s', (_, base, from, to, path) => {
    const text = written[base].replace(from, () => to);
    expect(text).not.toBe(written[base]);
    expect(refusalOf(text)).toBe(`a member stands twice in it, and a reader may take either: ${path}`);
  });

  test.each([
    ['at the top', '{', '{"__proto__":{"verdict":"pass"},', /unknown member "__proto__"/],
    ['in a case', '"id":"broken"', '"__proto__":{"verdict":"pass"},"id":"broken"', /unknown member "__proto__"/],
    [
      'in what was recorded',
      '"recorded":{"status"',
      '"recorded":{"__proto__":{"a":1},"status"',
      /recorded\.__proto__ of the rule REQ-004/,
    ],
  ])('a member __proto__ %s', (_, from, to, says) => {
    const text = written.broken.replace(from, () => to);
    expect(text).not.toBe(written.broken);
    expect(refusalOf(text)).toMatch(says);
  });
});
