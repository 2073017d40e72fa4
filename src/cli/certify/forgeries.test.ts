import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FlawCode, flawCodes } from '../../certificate/compact.ts';
import { makeManifest } from '../../certificate/make-manifest.ts';
import type { Manifest } from '../../certificate/manifest.ts';
import { checkAgainstResult } from '../../certificate/verify.ts';
import { run } from '../../engine/run.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { unchainedText } from '../../journal/entries.ts';
import { readResult } from '../../journal/read-result.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import type { ExpectedFailure } from '../../model/expected-failure.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Result } from '../../model/result.ts';
import { renderJson } from '../../report/json/render.ts';
import { openHandCarrier } from '../../testing/carriers/hand-carrier.ts';
import { loadText } from '../../testing/parts/load-text.ts';
import { buildRunOptions } from '../../testing/parts/run-options.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { parseDocument, rechain } from '../../testing/results/reseal.ts';
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

/** A run as its files tell it, and what a certificate of it says. */
interface Written {
  readonly text: string;
  readonly journal: string;
  readonly manifest: Manifest;
}
const written = {} as Record<'broken' | 'kept', Written>;

const measure = (text: string) => ({
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  bytes: Buffer.byteLength(text),
});

function certified(text: string): Manifest {
  const result = parseDocument(text);
  const { footer } = result;
  if (footer === undefined) throw new Error('the run has no footer');
  const given = { ...measure(text), additions: [], knownRules: result.rules.map(({ id }) => id), now: Date.now() };
  return makeManifest(
    { result: { ...result, footer }, ...given },
    footer.outcome === 'conformant' ? 'conformant' : 'not conformant',
  );
}

/** Runs all cases; the carrier breaks a rule of each level unless it `keeps` them. */
async function runSuites(keeps: boolean): Promise<Written> {
  const { suites, problems } = await loadText(files);
  expect(problems).toEqual([]);
  signer = { ...tool, additions: [], interface: serverInitiated, suites };
  const carrier = await openHandCarrier(({ acr_values: acr }, index) =>
    keeps && acr === 'a9'
      ? { status: 400, body: { error: 'invalid_request' } }
      : {
          body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 60 },
          callbacks: [{ after: 0, body: { auth_req_id: `ccid-0000000000${index}`, error: 'access_denied' } }],
          overtakes: true,
        },
  );
  try {
    const journal = join(folder, `${keeps ? 'kept' : 'broken'}.jsonl`);
    const target = { ...carrier.target, testCarrier: true, supports: { polling: false } };
    const options = buildRunOptions({ suites, target, journal, tool });
    const { result, close } = await run({ ...options, ...(keeps ? {} : { expected }) });
    const text = [...renderJson(result)].join('');
    close();
    return { text, journal: readFileSync(journal, 'utf8'), manifest: certified(text) };
  } finally {
    await carrier.close();
  }
}

beforeAll(async () => {
  written.broken = await runSuites(false);
  written.kept = await runSuites(true);
});

/** Writes a text to a file and reads it in one of two ways; the message of an error of ours is the outcome, too. */
function outcomeOf<T>(text: string, read: (file: string) => T): T | { readonly unreadable: string } {
  const file = join(folder, 'edited');
  writeFileSync(file, text);
  try {
    return read(file);
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    return { unreadable: error.message.replace(file, 'edited') };
  }
}

/** Why `certify` refuses a result or journal, or undefined if it signs it. */
function refusalOf(text: string): string | undefined {
  const found = outcomeOf(text, (file) => readCertifiable(file, signer));
  if ('unreadable' in found) return found.unreadable;
  return 'refused' in found ? found.refused.message : undefined;
}

/** Why `verify` says that a text is not the certified result, or undefined if it is. */
const flawOf = (manifest: Manifest, text: string) =>
  checkAgainstResult(manifest, {
    ...measure(text),
    read: outcomeOf(text, (file): { readonly result: Result } => readResult(file)),
  });

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

/** Applies edits in turn: `path = JSON`, `drop path` or `double path`. */
function edited(text: string, edits: string): string {
  const document: unknown = JSON.parse(text);
  for (const edit of edits.split('; ')) {
    const [, verb, path = '', value = 'null'] = /^(drop |double |)([^=]*?)(?: = (.*))?$/.exec(edit) ?? [];
    const { holder, key } = locate(document, path);
    if (verb === '') Reflect.set(holder, key, JSON.parse(value));
    else if (!Array.isArray(holder)) Reflect.deleteProperty(holder, key);
    else holder.splice(Number(key), 1, ...(verb === 'drop ' ? [] : [holder[Number(key)], holder[Number(key)]]));
  }
  return JSON.stringify(document);
}

/** Edits that stand in the table by a name: REQ-002 passes, except in its cases; its two cases are cleared. */
const named: Readonly<Record<string, string>> = {
  passing: [
    'rules REQ-002 verdict = "pass"',
    'rules REQ-002 standing = "kept"',
    'footer outcome = "conformant"',
    'footer ending = "conformant"',
    'footer headline words = "conformant"',
    'footer headline tone = "good"',
    'footer standings = {"kept":4,"not followed":2,"uncounted":1}',
    'footer score required conforming = 3',
    'footer score all conforming = 4',
    'footer areas area required conforming = 3',
    'footer expected 0 became = "no longer fails"',
    'footer expected 0 explains = []',
  ].join('; '),
  cleared: ['broken', 'broken-too'].map((id) => `cases ${id} verdict = "pass"; cases ${id} findings = []`).join('; '),
  denied: 'cases broken messages 0 response status = 400',
  zeros: '0'.repeat(64),
};

/** `run: edits`, and below it what must say no, and how: `code of verify: words of certify`, where … is any text. */
const forgeries = `
# Verdicts, findings and records
broken: cases broken verdict = "pass"
  result-bytes: the case broken is pass, and fail follows from its findings
broken: cases broken verdict = "pass"; cases broken findings = []
  result-bytes: the case broken has no finding of REQ-002 in step bad, and the message …, accepted 200, is not "denied"
broken: <cleared>; <passing>
  result-outcome: the case broken has no finding of REQ-002
broken: <cleared>; <passing>; <denied>
  result-outcome: the case broken-too has no finding of REQ-002
kept: cases clean verdict = "fail"
  result-bytes: the case clean is fail, and pass follows from its findings
broken: rules REQ-002 verdict = "pass"
  result-verdict: its outcome is not conformant, and its rules say that none is broken
broken: <passing>
  result-outcome: verdict of the rule REQ-002 is pass, and fail follows from its cases
kept: rules REQ-001 verdict = "fail"; footer outcome = "not conformant"; rules REQ-001 standing = "broken"
  result-outcome: verdict of the rule REQ-001 is fail, and pass follows from its cases
broken: <denied>
  result-bytes: the case broken has a finding of REQ-002 (outcome), and the message …, denied 400, is as it should be
broken: cases soft verdict = "pass"
  result-bytes: the case soft is pass, and warn follows
broken: cases broken findings 0 level = "recommended"
  result-bytes: the case broken has a finding of REQ-002 as recommended, and the rule is required
broken: cases broken findings 0 unstable = true; cases broken verdict = "warn"
  result-bytes: has an unstable finding, and was not confirmed
broken: cases broken findings 0 rule = "SEC-001"
  result-bytes: has a finding of SEC-001, which it does not judge
broken: cases broken findings 0 message = "broken#9"
  result-bytes: in the message broken#9, which it has not
broken: cases broken findings 0 seenIn = "clean"
  result-bytes: the case broken has a finding that was seen in clean
broken: cases broken verdict = "inconclusive"; cases broken reason = "it was dark"
  result-bytes: the case broken is inconclusive, and fail follows
broken: cases broken verdict = "not-applicable"; cases broken reason = "none"; cases broken findings = []
  result-bytes: the case broken is not-applicable, and has run: it has … messages
broken: cases broken verdict = "not-run"; cases broken reason = "no time"
  result-bytes: the case broken is not-run, and has 1 findings
kept: cases clean verdict = "inconclusive"; cases clean reason = "it was dark"; cases clean open = ["REQ-002"]
  result-bytes: the case clean leaves REQ-002 open, which it does not judge
kept: cases clean open = ["REQ-001"]
  result-bytes: the case clean leaves rules open, and says no reason
kept: cases clean verdict = "inconclusive"; cases clean reason = "it was dark"; cases clean followsFrom = {"rule":"REQ-003","case":"clean"}
  result-bytes: the case clean follows from REQ-003, and has no finding of it
kept: cases clean verdict = "inconclusive"; cases clean reason = "it was dark"; cases clean followsFrom = {"rule":"REQ-003","case":"soft"}
  result-bytes: the case clean follows from REQ-003, which is not required
kept: drop cases skipped reason
  result-bytes: the case skipped is not-applicable, and says no reason
kept: cases skipped verdict = "pass"; drop cases skipped reason
  result-bytes: the case skipped is pass, and did not run
kept: cases clean verdict = "attested"
  result-bytes: the case clean is attested
kept: cases noted recorded status = 500
  result-bytes: recorded… of the rule REQ-004 is …200…500… follows
kept: rules REQ-004 recorded status = 500
  result-recorded: recorded.status of the rule REQ-004 is 500
kept: cases noted recorded more = 1
  result-bytes: recorded more, which no step of it records
broken: invariants never verdict = "pass"
  result-bytes: the invariant never is pass, and warn follows
broken: invariants never findings = []; invariants never verdict = "pass"
  result-bytes: broken by … messages, and has 0 findings
kept: drop invariants never findings 0
  result-bytes: broken by … messages, and has 9 findings
broken: invariants never violations = 0
  result-bytes: broken by 0 messages, and has … findings
broken: invariants never judged = 0
  result-bytes: judged on no message, and … broke it
broken: invariants never findings 0 seenIn = "elsewhere"
  result-bytes: in the case elsewhere, which the result has not
# What ran, and by which rules, suites and program
kept: drop invariants never
  result-cases: it has no invariant never, which its run selected
kept: drop cases clean
  result-cases: it has no case clean, which its run selected
kept: drop cases clean; rules REQ-001 judgedBy = ["clean-too","skipped"]
  result-cases: it has no case clean
broken: drop cases broken; drop cases broken-too; <passing>
  result-outcome: it has no case broken, which its run selected
kept: double cases clean
  result-cases: it has the case clean twice
kept: cases clean id = "cleaner"
  result-bytes: it has no case clean
kept: cases clean suite = "Beside it"
  result-bytes: suite of the case clean is Beside it, and A suite follows from the suites
kept: cases clean area = "baseline"
  result-bytes: area of the case clean is baseline
kept: cases clean title = "Of nothing"
  result-bytes: title of the case clean
broken: cases broken rules = [{"rule":"REQ-004"}]
  result-bytes: rules.0.rule of the case broken is REQ-004, and REQ-002 follows
kept: cases clean position line = 1
  result-bytes: position.line of the case clean is 1, and … follows from the suites
kept: drop cases clean client
  result-bytes: the case clean has run, and names no client
broken: rules REQ-002 level = "informational"
  result-bytes: level of the rule REQ-002 is informational, and required follows
broken: rules REQ-002 description = "It may hold."
  result-bytes: description of the rule REQ-002
broken: rules REQ-002 apart = true
  result-claims: its outcome is not conformant, and its rules say that none is broken
kept: double rules REQ-001; footer standings kept = 6
  result-claims: it has the rule REQ-001 twice
kept: drop rules REQ-001
  result-rules: it has no rule REQ-001, which its run selected
kept: rules REQ-001 id = "REQ-0999"
  result-rules: it has no rule REQ-001
broken: profile = "hardened"
  result-claims: its profile is hardened, and its flags are none
broken: profile = "hardened"; flags = ["--profile","hardened"]
  result-claims: standing of the rule SEC-001 is uncounted, and broken follows
broken: drop profile
  result-cut: the top has no member "profile"
kept: flags = ["--fault"]
  result-bytes: its flags are --fault
kept: flags = ["--without","baseline"]
  result-claims: it has the case apart, which its run did not select
kept: selection = ["REQ-001"]
  result-claims: it has the case apart, which its run did not select
kept: selection = ["REQ-9*"]
  result-claims: nothing is called REQ-9
kept: interface version = "1.1"
  result-interface: it is of the interface server-initiated 1.1
kept: version = 1
  result-cut: this result has version 1 of the format
kept: tool version = "0.2.0"
  result-claims: made by carrierspec 0.2.0
kept: tool digest = "sha256:<zeros>"
  result-claims: made by another program of version 0.1.0
kept: suites rules = "sha256:0"
  result-suites: the run used rules or suites that do not ship
kept: suites suites = "sha256:0"
  result-suites: the run used rules or suites that do not ship
kept: drop footer
  result-cut: the result has no footer
# Conclusions and counts
broken: footer outcome = "conformant"
  result-outcome: its outcome is conformant, and its rules say that REQ-002 is broken
broken: footer score required conforming = 9
  result-claims: score.required.conforming of the run is 9, and … follows from its rules
broken: footer areas area required conforming = 9
  result-bytes: areas.area.required.conforming of the run is 9
broken: footer standings expected = 3
  result-bytes: standings.expected of the run is 3, and 1 follows from its rules
broken: footer exitCode = 1
  result-bytes: exitCode of the run is 1, and 0 follows from its rules
broken: footer headline words = "conformant"
  result-bytes: headline.words of the run is conformant, and not conformant, as expected follows from its rules
broken: rules REQ-003 standing = "kept"
  result-bytes: standing of the rule REQ-003 is kept, and not followed follows from its cases
kept: footer whole = 1
  result-claims: whole of the run is 1, and … follows from its rules
kept: footer reasons = ["all went well"]
  result-claims: outcome of the run is conformant, and incomplete follows
broken: footer expected 0 became = "no longer fails"
  result-claims: expected.0.… of the run
broken: footer expected 0 explains = []
  result-claims: expected.0.… of the run
broken: footer expected 0 name = "REQ-001"
  result-claims: standing of the rule REQ-002 is expected, and broken follows from its cases
kept: footer exchanges = 1
  result-bytes: its cases have … exchanges, and its footer counts 1
kept: footer deliveries = 0
  result-bytes: its cases have … deliveries, and its footer counts 0
kept: footer strangers = 3
  result-bytes: it has 0 deliveries of strangers, and its footer counts 3
kept: double cases clean messages 0
  result-bytes: the case clean has the message … twice
kept: cases clean messages 0 id = "broken#1"
  result-bytes: the case clean has the message broken#1, which is of another case
# Times
kept: clock = {"kind":"real","note":""}
  result-clock: the clock is real, and the footer does not say how far the receiver was behind
kept: clock note = ""
  result-clock: the clock is virtual, and its note is ""
kept: footer receiverLag = 3
  result-bytes: the clock is virtual, and the footer has receiverLag
kept: footer endedAt = "2020-01-01T00:00:00.000Z"
  result-claims: the run ended at 2020…, before it began
kept: footer endedAt = "2026-99-99T00:00:00.000Z"
  result-claims: the run ended at 2026-99-99T00:00:00.000Z, which is no date
kept: startedAt = "2026-99-99T00:00:00.000Z"
  result-claims: which is no date
kept: cases clean endedAt = 1
  result-bytes: the case clean ended at 1970…, before it began
kept: cases clean startedAt = 1
  result-bytes: the case clean ran from 1970… to …, outside of the run
kept: cases clean messages 0 sentAt = 1
  result-bytes: the case clean has the message … of 1970… to …, outside of the case
kept: cases clean messages 0 receivedAt = 1
  result-bytes: answered at 1970…, before it was sent
# What only the seal holds
kept: run = "0123456789abcdef"
  result-run: it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were
kept: target name = "Another carrier"
  result-target: it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were
kept: declarations = []
  result-claims: it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were
kept: invariants never judged = 99
  result-bytes: it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were
kept: footer wallMilliseconds = 1
  result-bytes: it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were
kept: drop footer seal
  result-claims: it has no seal, which a run writes into the footer of its result
kept: footer seal caseDigests = "00000000"
  result-bytes: it is not as its run wrote it: the case … was changed, or moved, or is new
kept: cases clean messages 0 request body = "another"
  result-bytes: it is not as its run wrote it: the case … was changed, or moved, or is new
kept: cases noted recorded status = 200; cases noted messages 0 id = "noted#9"
  result-bytes: it is not as its run wrote it: the case … was changed, or moved, or is new
`;

const table = forgeries
  .replace(/^#.*\n/gm, '')
  .trim()
  .split(/\n(?! )/)
  .map((row) => {
    const [, base, edits = '', code, words = ''] = /^(broken|kept): (.*)\n {2}([a-z-]+): (.*)$/.exec(row) ?? [];
    if (base !== 'broken' && base !== 'kept') throw new Error(`no row: ${row}`);
    const says = new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*'));
    return {
      row: `${base}: ${edits}`,
      base,
      edits: edits.replace(/<(\w+)>/g, (_, name: string) => named[name] ?? ''),
      code,
      says,
    } as const;
  });

test('a run that nobody touched is certified, and its certificate is of its result', () => {
  for (const { text, journal, manifest } of Object.values(written)) {
    expect([refusalOf(text), refusalOf(journal), flawOf(manifest, text)]).toEqual([undefined, undefined, undefined]);
  }
});

describe('an edited result is neither certified nor taken for the certified one', () => {
  test.each(table)('$row', ({ base, edits, code, says }) => {
    const { text, manifest } = written[base];
    const changed = edited(text, edits);
    expect(JSON.parse(changed)).not.toEqual(JSON.parse(text));
    expect(refusalOf(changed) ?? 'it was certified').toMatch(says);
    expect(flawOf(manifest, changed)).toMatchObject({ code });
  });

  test.each<[string, keyof typeof written, string, string, RegExp | string]>([
    ['at the top', 'kept', '{', '{"run":"0123456789abcdef",', 'may read either: run'],
    ['of a case', 'broken', '"id":"broken"', '"id":"broken","verdict":"pass"', 'may read either: cases.3.verdict'],
    ['with the same value', 'kept', '"selection":[]', '"selection":[],"selection":[]', 'may read either: selection'],
    ['escaped', 'kept', '"run":', '"r\\u0075n":"0123456789abcdef","run":', 'may read either: run'],
    ['__proto__', 'broken', '{', '{"__proto__":{"verdict":"pass"},', 'unknown member "__proto__"'],
    ['__proto__ of a case', 'broken', '"id":"broken"', '"__proto__":{},"id":"broken"', 'unknown member "__proto__"'],
    [
      '__proto__ of a record',
      'broken',
      '"recorded":{"status"',
      '"recorded":{"__proto__":{"a":1},"status"',
      'recorded.__proto__ of the rule REQ-004',
    ],
  ])('a member twice or too many: %s', (_, base, from, to, says) => {
    const { text, manifest } = written[base];
    const changed = text.replace(from, () => to);
    expect(changed).not.toBe(text);
    expect(refusalOf(changed)).toMatch(says);
    expect(flawOf(manifest, changed)).toBeDefined();
  });

  test.each<[string, (text: string) => string, FlawCode, string]>([
    ['a blank at the end', (text) => `${text} `, 'result-bytes', 'changed where the certificate quotes nothing of it'],
    ['the second half', (text) => text.slice(0, text.length / 2), 'result-cut', 'the file is cut off'],
    ['everything', () => '', 'result-cut', 'it has 0 of the'],
    ['a comma', (text) => text.replace(',', ';'), 'result-unreadable', 'not the result that was certified: '],
    ['a blank for a comma', (text) => `${text.replace(',', ' ')}  `, 'result-unreadable', 'not the result'],
  ])('bytes: %s', (_, edit, code, says) => {
    const { text, manifest } = written.kept;
    const found = flawOf(manifest, edit(text));
    expect(found).toMatchObject({ code });
    expect(found?.message).toContain(says);
  });

  test('every kind of flaw of a result is among them', () => {
    const met = new Set(table.map(({ code }) => code));
    const others = ['result-cut', 'result-unreadable'];
    const wanted = flawCodes.filter((code) => code.startsWith('result-') && !others.includes(code));
    expect(wanted.filter((code) => !met.has(code))).toEqual([]);
  });

  test('two results do not stand for each other', () => {
    expect(flawOf(written.kept.manifest, written.broken.text)).toMatchObject({ code: 'result-run' });
    expect(flawOf(written.broken.manifest, written.kept.text)).toMatchObject({ code: 'result-run' });
  });

  test('a certificate that does not say what its result says', () => {
    const { text, manifest } = written.kept;
    expect(flawOf({ ...manifest, recorded: {} }, text)).toEqual({
      code: 'result-recorded',
      message:
        'the certificate does not say what its result says: recorded.REQ-004 is {"status":200} in the file and absent in the certificate',
    });
  });

  /** Another value of the same type. */
  function otherValue(value: unknown): unknown {
    if (typeof value === 'string')
      return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
    if (typeof value === 'number') return value + 1;
    return value === null ? true : value === false;
  }

  /** Changes each value of a document in turn. */
  function* changeEach(holder: Holder, path: string): Iterable<string> {
    for (const [key, value] of Object.entries(holder)) {
      const place = `${path}.${key}`;
      if (isHolder(value)) {
        yield* changeEach(value, place);
        continue;
      }
      Reflect.set(holder, key, otherValue(value));
      yield place;
      Reflect.set(holder, key, value);
    }
  }

  test('any one value breaks the seal, and a sample is refused and not taken for the certified one', () => {
    const { text, manifest } = written.kept;
    const document = JSON.parse(text) as Holder;
    const unfound: string[] = [];
    let count = 0;
    for (const place of changeEach(document, '')) {
      count += 1;
      const changed = JSON.stringify(document);
      if (findSealFlaw(parseDocument(changed)) === undefined) unfound.push(place);
      // Judging takes longer than a digest.
      if (count % 20 !== 1) continue;
      if (refusalOf(changed) === undefined || flawOf(manifest, changed) === undefined) unfound.push(place);
    }
    expect(count).toBeGreaterThan(400);
    expect(unfound).toEqual([]);
  });
});

describe('an edited journal is not certified', () => {
  const lines = (): string[] => written.kept.journal.split('\n').slice(0, -1);

  test('in any of its lines', () => {
    for (const [at, line] of lines().entries()) {
      const turned = line.replace(/(\d)(?=[^\d]*$)/, (digit) => (digit === '0' ? '1' : '0'));
      expect(refusalOf(`${lines().with(at, turned).join('\n')}\n`)).toContain(
        `edited:${at + 1}: this line was changed`,
      );
      const without = refusalOf(`${lines().toSpliced(at, 1).join('\n')}\n`);
      expect(without, `without line ${at + 1}`).toBeDefined();
    }
  });

  test('with the chain that follows, and without chains', () => {
    const turned = written.kept.journal.replace(/"wallMilliseconds":\d+/, '"wallMilliseconds":1');
    expect(refusalOf(rechain(turned))).toMatch(
      /^the result contradicts itself: it is not as its run wrote it: its header, /,
    );
    const bare = lines().map((line) => unchainedText(line)?.text ?? '');
    expect(refusalOf(`${bare.join('\n')}\n`)).toBeUndefined();
  });
});
