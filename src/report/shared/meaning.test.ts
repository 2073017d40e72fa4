import { expect, test } from 'vitest';
import type { Finding } from '../../model/finding.ts';
import {
  buildCase,
  buildFinding,
  buildFooter,
  buildHeader,
  buildResult,
  buildRule,
} from '../../testing/results/result.ts';
import { explainOutcome } from './meaning.ts';

const scored = (conforming: number, judged: number, applicable: number) => {
  const score = { conforming, judged, applicable };
  return { required: score, recommended: score, informational: score, all: score };
};

const real = buildHeader({ clock: { kind: 'real', note: '' } });
const virtual = buildHeader({ clock: { kind: 'virtual', note: '' } });
const failed = buildRule({ id: 'CB-001', area: 'callback', verdict: 'fail' });

test('a conformant run says what was judged, and that nothing is left', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(5, 5, 5) });
  const [first, second] = explainOutcome(buildResult({ header: real, footer }));
  expect(first).toMatch(/^In every judged rule the carrier does what the interface requires/);
  expect(second).toBe('Every required rule that applies was judged.');
});

test.each([
  [1, 'It says nothing about 1 required rule without a verdict: “Not judged” lists it.'],
  [4, 'It says nothing about 4 required rules without a verdict: “Not judged” lists them.'],
])('a conformant run with %i open rules says that they are no part of it', (open, words) => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(5, 5, 5 + open) });
  expect(explainOutcome(buildResult({ header: real, footer }))[1]).toBe(words);
});

test('a run on a virtual clock says nothing about real time, and names what is open nevertheless', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(5, 5, 7) });
  expect(explainOutcome(buildResult({ header: virtual, footer }))[1]).toBe(
    'The clock was virtual, so this says nothing about real time, nor about 2 required rules without a verdict.',
  );
});

test('a selection and a shard say first that they are a part', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(1, 1, 1) });
  const selected = buildHeader({ clock: { kind: 'real', note: '' }, selection: ['CB-001'] });
  expect(explainOutcome(buildResult({ header: selected, footer }))[1]).toBe(
    'It says nothing about the rules outside the selection CB-001.',
  );
  const shard = buildHeader({ clock: { kind: 'real', note: '' }, shard: { index: 1, of: 2 } });
  expect(explainOutcome(buildResult({ header: shard, footer }))[1]).toMatch(
    /^It is part 1 of 2 of a run on several machines: “carrierspec merge” joins the parts/,
  );
});

test('a run that is not conformant says where, and that it is no certificate', () => {
  const footer = buildFooter({ outcome: 'not conformant' });
  const [first, second] = explainOutcome(buildResult({ rules: [failed], footer }));
  expect(first).toMatch(/^In 1 rule \(callback\) the carrier does something other than the interface requires/);
  expect(second).toMatch(/^A certificate of this run would say so/);
});

test('a run that breaks only the baseline does not say that the interface is broken', () => {
  const footer = buildFooter({ outcome: 'not conformant' });
  const key = buildRule({ id: 'SEC-01', area: 'baseline', verdict: 'fail', baseline: true, critical: true });
  expect(explainOutcome(buildResult({ rules: [key], footer }))[0]).toBe(
    'In 1 rule (baseline) the carrier falls short of the baseline, the security practice that every carrier has to keep to.',
  );
  expect(explainOutcome(buildResult({ rules: [failed, key], footer }))[0]).toMatch(
    /^In 2 rules \(callback, baseline\) the carrier does something other than the interface and the baseline require,/,
  );
});

test('what follows from a broken rule is not counted again', () => {
  const footer = buildFooter({ outcome: 'not conformant' });
  const follower = buildRule({ id: 'CB-002', area: 'callback', verdict: 'fail', followsFrom: 'CB-001' });
  expect(explainOutcome(buildResult({ rules: [failed, follower], footer }))[0]).toMatch(/^In 1 rule \(callback\)/);
});

test('a run in which no required rule was judged says that it says nothing', () => {
  const footer = buildFooter({ outcome: 'not judged', score: scored(0, 0, 2) });
  expect(explainOutcome(buildResult({ header: real, footer }))[0]).toBe(
    'This says nothing about whether the carrier does what the interface requires.',
  );
});

test('a run that judged only the baseline does not speak for the interface', () => {
  const footer = buildFooter({ outcome: 'conformant', score: scored(1, 1, 1) });
  const rules = [buildRule({ id: 'SEC-01', verdict: 'pass', baseline: true })];
  expect(explainOutcome(buildResult({ header: real, rules, footer }))[0]).toMatch(
    /The rules of the interface were not tested/,
  );
});

test.each([
  [
    ['--target', 'carrier.yaml'],
    /It can go on where it stopped, with “carrierspec run --resume --target carrier\.yaml”, and its --out if it had one\.$/,
  ],
  [['--fault', 'x'], /“carrierspec run --last-failed”\.$/],
])('a run that was stopped with %j says how to go on', (flags, words) => {
  const footer = buildFooter({ outcome: 'incomplete', interrupted: true, stopped: true, score: scored(1, 1, 3) });
  expect(explainOutcome(buildResult({ header: buildHeader({ flags }), footer }))[1]).toMatch(words);
});

test('a shard and a selection that are incomplete say what they are', () => {
  const footer = buildFooter({ outcome: 'incomplete', score: scored(1, 1, 3) });
  const shard = buildHeader({ shard: { index: 2, of: 3 } });
  expect(explainOutcome(buildResult({ header: shard, footer }))[1]).toMatch(/^It is part 2 of 3/);
  const selected = buildHeader({ selection: ['CB-001'] });
  expect(explainOutcome(buildResult({ header: selected, footer }))[0]).toMatch(
    /of 3 selected required rules that apply/,
  );
});

test('failures that are expected certify nothing', () => {
  const entry = {
    what: 'rule',
    name: 'CB-001',
    reason: 'known',
    owner: 'us',
    expires: '2026-12-31',
    position: { file: 'expected.yaml', line: 1, column: 1 },
    became: 'failed',
    explains: ['CB-001'],
  } as const;
  const footer = buildFooter({ outcome: 'not conformant', expected: [entry] });
  expect(explainOutcome(buildResult({ rules: [failed], footer }))[1]).toMatch(
    /a build may go on, but the run certifies nothing/,
  );
});

test('a run that is incomplete, and one that was cut off, are no verdict', () => {
  const footer = buildFooter({ outcome: 'incomplete', score: scored(1, 1, 3) });
  expect(explainOutcome(buildResult({ footer }))[0]).toBe(
    'This is no verdict on the carrier, neither good nor bad: of 3 required rules that apply, 1 was judged.',
  );
  const { footer: _, ...cutOff } = buildResult();
  expect(explainOutcome(cutOff)[0]).toMatch(/^This is no verdict on the carrier: the run was cut off/);
  const ofTarget = buildHeader({ flags: ['--target', 'carrier.yaml'] });
  expect(explainOutcome({ ...cutOff, header: ofTarget })[1]).toMatch(
    /“carrierspec run --resume --target carrier\.yaml”/,
  );
  expect(explainOutcome({ ...cutOff, header: buildHeader({ flags: [] }) })[1]).toMatch(/it cannot go on: run it again/);
});

test('a rule that only the profile requires is not called a requirement of the interface', () => {
  const raised = buildRule({ id: 'REQ-008', verdict: 'fail', stated: 'recommended', area: 'request-object' });
  const failed = buildRule({ id: 'REQ-007', verdict: 'fail', area: 'callback' });
  const footer = buildFooter({ outcome: 'not conformant' });
  const words = 'In 1 rule (request-object) the carrier does not do what is recommended, which this run requires.';
  expect(explainOutcome(buildResult({ rules: [raised], footer }))[0]).toBe(words);
  const [both = ''] = explainOutcome(buildResult({ rules: [failed, raised], footer }));
  expect(both).toMatch(/^In 1 rule \(callback\) the carrier does something other than the interface requires/);
  expect(both.endsWith(words)).toBe(true);
  const found = (level: Partial<Finding>) => [
    buildCase({ id: 'a', verdict: 'fail', findings: [buildFinding({ rule: 'REQ-008', ...level })] }),
  ];
  const asked = 'In 1 rule (request-object) the carrier does something other than the interface requires';
  const aspect = { aspect: 'unused', level: 'required' } as const;
  expect(explainOutcome(buildResult({ rules: [raised], cases: found(aspect), footer }))[0]).toMatch(asked);
  const recommended = { ...aspect, stated: 'recommended' } as const;
  expect(explainOutcome(buildResult({ rules: [raised], cases: found(recommended), footer }))[0]).toBe(words);
});
