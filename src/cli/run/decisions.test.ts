import { describe, expect, test } from 'vitest';
import type { CaseResult } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import { openRewritingProxy } from '../../testing/carriers/rewriting-proxy.ts';
import { judgeReference, runReference } from '../../testing/carriers/run-reference.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { startCarrier, writeTarget } from '../../testing/program/target-file.ts';

const causes = ['sim-in-another-device', 'device-reset', 'another-sim-card'];

const rulesOf = (cases: Readonly<Record<string, CaseResult>>): readonly string[] => [
  ...new Set(Object.values(cases).flatMap(({ findings }) => findings.map(({ rule }) => rule))),
];

/** A rule of the interface: without one, the whole baseline would count. */
const ofInterface = 'REQ-014';

/** One row for each critical aspect; the matrix of faults has each check that finds it. */
const critical = [
  ['id-token-unsigned', 'SEC-31'],
  ['id-token-expired', 'SEC-31'],
  ['id-token-of-another-user', 'SEC-31'],
  ['id-token-for-another-client', 'SEC-31'],
  ['jwks-with-private-members', 'SEC-39'],
  ['exp-past-accepted', 'SEC-14'],
  ['userinfo-all-attributes', 'SEC-34'],
  ['crit-ignored', 'SEC-08'],
  ['set-unsigned', 'EVT-025'],
];

test.each([
  ...critical.map(([fault = '', rule = '']) => [fault, rule, 'fail', 1] as const),
  ['token-answer-cacheable', 'SEC-34', 'fail', 0],
  ['nbf-ignored', 'SEC-14', 'fail', 0],
  ['hint-token-of-any-client', 'SEC-45', 'warn', 0],
] as const)('%s: %s is %s, and the profile interface ends with %i', async (fault, rule, verdict, code) => {
  const judged = await judgeReference([rule, ofInterface], { faults: [fault] });
  expect([judged.rules.get(rule), judged.rules.get(ofInterface), judged.code]).toEqual([verdict, 'pass', code]);
});

describe('what is judged beside a case does not depend on its name', () => {
  test.each<[readonly string[], readonly string[], number]>([
    [['SEC-31'], ['id-token-unsigned'], 1],
    [['success-is-200-without-location'], ['auth-req-id-of-201'], 1],
    [['TRN-014'], ['auth-req-id-of-201'], 1],
    [['id-token-verifies'], [], 0],
  ])('%j with %j ends with %i', async (what, faults, code) =>
    expect((await judgeReference(what, { faults })).code).toBe(code),
  );

  test('a refused value that a rule allows is a finding of that rule', async () => {
    const faults = ['trait-correlation-id-hyphen-refused'];
    const { 'proof-used-before': found } = await runReference({ cases: ['proof-used-before'], faults });
    expect(found).toMatchObject({
      confirmation: { status: 'confirmed' },
      findings: [{ rule: 'UT-012', code: 'refused', path: 'members.correlation_id' }],
    });
  });
});

// §2.3 lets a carrier grant less than was asked for.
test('a life of 10 seconds leaves no case about it without a verdict', async () => {
  const found = await runReference({
    cases: ['jti-again-after-a-time-out', 'timeout-reported-by-callback', 'granted-life-then-ends'],
    policy: { maxGrant: 10 },
  });
  expect(found).toMatchObject({
    'jti-again-after-a-time-out': { verdict: 'pass' },
    'timeout-reported-by-callback': { verdict: 'pass' },
    'granted-life-then-ends': { verdict: 'informational' },
  });
});

/** The receiver of the target without its lock: the URIs can be guessed, and any address may be the carrier's. */
function withoutLock(target: Target): Target {
  const { sources: _, ...receiver } = target.receiver;
  return { ...target, receiver };
}

describe('without a lock of the receiver', () => {
  test.each<[string, (target: Target) => Target, string]>([
    ['with a lock', (target) => target, 'fail'],
    ['without', withoutLock, 'inconclusive'],
  ])('a carrier that calls a refused notification_uri is red by an unguessable one: %s', async (_, change, verdict) => {
    const { code, rules, cases } = await judgeReference(['notification-uri-not-registered'], {
      faults: ['refused-uri-called-empty'],
      change,
    });
    expect([rules.get('REQ-033'), code]).toEqual(['fail', 1]);
    expect(cases['notification-uri-not-registered/sibling-path']).toMatchObject({
      verdict: 'fail',
      confirmation: { status: 'confirmed' },
    });
    expect(cases['notification-uri-not-registered/slash-after']?.verdict).toBe(verdict);
  });

  const rules = ['EVT-025', 'EVT-009', 'EVT-010'];
  test('events are judged where the carrier has signed them, and have no verdict where it has not', async () => {
    const signed = await judgeReference(rules, { change: withoutLock });
    expect([signed.code, ...rules.map((rule) => signed.rules.get(rule))]).toEqual([0, 'pass', 'pass', 'pass']);
    const unsigned = await judgeReference(rules, { faults: ['set-unsigned'], change: withoutLock });
    expect([unsigned.code, ...rules.filter((rule) => unsigned.rules.get(rule) === 'fail')]).toEqual([4]);
    const one = Object.values(unsigned.cases).find(({ verdict }) => verdict === 'inconclusive');
    expect(one?.reason).toMatch(/^no event could be attributed to the carrier: .* Register an unguessable event_uri, /);
  });
});

describe('an event about a subscriber with history that does not come', () => {
  const subscribed =
    (...names: readonly string[]) =>
    (target: Target): Target => ({
      ...target,
      subscribers: target.subscribers.filter(({ name }) => names.includes(name)),
    });

  /** A carrier that drops a duplicate for a day (C8.5). */
  const longWindow = { policy: { eventDuplicateWindow: 86_400 } };
  type Setting = Pick<Parameters<typeof runReference>[0], 'faults' | 'policy'>;

  test.each<
    [why: string, rule: string, carrier: Setting, change: (target: Target) => Target, cases?: readonly string[]]
  >([
    [
      'the first about a subscriber does not come either',
      'EVT-001',
      { faults: ['event-not-on-move'] },
      (target) => target,
    ],
    ['others about the subscriber come', 'EVT-003', { faults: ['event-not-on-swap'] }, subscribed('first', 'third')],
    [
      'no clause shows duplicates of its kind',
      'CRV-001',
      longWindow,
      (target) => target,
      ['all-scopes-taken-back', 'some-scopes-taken-back', 'revoked-again-after-an-hour'],
    ],
  ])('breaks the rule of its cause where %s', async (_, rule, carrier, change, cases = causes) =>
    expect(rulesOf(await runReference({ cases, ...carrier, change }))).toEqual([rule]),
  );

  test('breaks the rule that says when duplicates end, and of no cause', async () => {
    const found = await runReference({ cases: causes, ...longWindow, change: subscribed('first', 'second') });
    expect(rulesOf(found)).toEqual(['EVT-019']);
    const dropped = Object.values(found).filter(({ verdict }) => verdict === 'fail');
    expect(dropped).toMatchObject(
      [1, 2].map(() => ({ confirmation: { status: 'confirmed' }, findings: [{ code: 'dropped' }] })),
    );
  });

  test('breaks the same where no subscriber without history is left, as none came after the time for duplicates', async () => {
    const found = await runReference({ cases: causes, ...longWindow, change: subscribed('first') });
    expect(rulesOf(found)).toEqual(['EVT-019']);
    const verdicts = Object.values(found).map(({ verdict }) => verdict);
    expect(verdicts.toSorted()).toEqual(['fail', 'fail', 'pass']);
  });
});

// The duplicate gets 503 after its window, and is sent three times more while another event is counted.
test('attempts of an earlier event are not counted with those of the awaited one', async () => {
  const prompt = (target: Target): Target => ({ ...target, latency: { ...target.latency, event: 5 } });
  const found = await runReference({ cases: ['events-of-a-night'], faults: ['event-duplicates-sent'], change: prompt });
  expect(rulesOf(found)).toEqual(['EVT-018']);
});

describe('what stands in front of a carrier', async () => {
  const { env } = await startCarrier();

  test.each(['id-token-verifies', 'SEC-31'])('an id token that no published key verifies is open: %s', async (what) => {
    const body = Buffer.from('{"keys":[]}');
    const keys = await openRewritingProxy('http://127.0.0.1:9', {
      instead: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body }),
    });
    const endpoints = { jwks: `${keys.origin}/jwks` };
    const target = writeTarget((given) => ({ ...given, endpoints, origins: [keys.origin] }));
    const { code, stderr, result } = await runInto([what, '--target', target], { env });
    keys.close();
    expect(code, stderr).toBe(4);
    expect(result.rules.find(({ id }) => id === 'SEC-31')?.verdict).toBe('inconclusive');
  });

  const own = '001010';
  test.each([
    [{ foreign: ['001020'] }, []],
    [{ foreign: ['001020', '001030'] }, ['DSC-012']],
    [{ foreign: ['001030', '001020'] }, ['DSC-012']],
    [{ own: ['001040'], foreign: ['001020'] }, ['DSC-012']],
  ])('a discovery that takes 001030 for its own code: with %j, %j is broken', async (codes, broken) => {
    const discovery = await openRewritingProxy(env['REFERENCE_ORIGIN'] ?? '', {
      request: (passed) => ({ ...passed, target: passed.target.replace('mccmnc=001030', `mccmnc=${own}`) }),
    });
    const target = writeTarget((given) => ({ ...given, discovery: discovery.origin, carrier_codes: codes }));
    const { code, stderr, result } = await runInto(['discovery-of-another-carrier', '--target', target], { env });
    discovery.close();
    const found = result.rules.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
    expect({ code, found }, stderr).toEqual({ code: broken.length, found: broken });
    const [one] = [...result.cases];
    const urls = one?.messages.flatMap((message) => (message.kind === 'exchange' ? [message] : [])) ?? [];
    if ('own' in codes) expect(urls.find(({ id }) => id === one?.findings[0]?.message)?.url).toContain('mccmnc=001040');
    else
      expect(urls.slice(0, 2 + codes.foreign.length).map(({ url }) => url.slice(-6))).toEqual([
        own,
        own,
        ...codes.foreign,
      ]);
  });
});
