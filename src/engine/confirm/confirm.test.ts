import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

/** Rules that cases name, and those that only an invariant judges. */
function rulesFor(yaml: string): string {
  const [cases = '', invariants = ''] = yaml.split('invariants:');
  const named = ['REQ-001', 'REQ-002', 'REQ-003'].filter((id) => yaml.includes(id));
  const judged = (id: string): string => (!cases.includes(id) && invariants.includes(id) ? 'invariant' : 'cases');
  const lines = named.map(
    (id) => `  - { id: ${id}, clause: "2.3", level: required, description: It holds., judged: ${judged(id)} }\n`,
  );
  return `area: area\ntitle: An area\nrules:\n${lines.join('')}`;
}

const plain = `
  - id: plain
    title: The plain request
    rule: REQ-001
    establishes: accepted
    steps: [{ authorize: {}, expect: accepted }]
`;
const result = `
  - id: plain-result
    title: The plain result
    rule: REQ-002
    establishes: timed-out
    steps: [{ authorize: {} }, { await: callback, expect: failed }]
`;
const special = `
  - id: special
    title: The special request
    rule: REQ-003
    steps: [{ as: bad, authorize: { claims: { acr_values: a9 } }, expect: accepted }]
`;
const aboutTheResult = `
  - id: about-the-result
    title: What the result says
    rule: REQ-003
    steps:
      - authorize: {}
      - await: callback
        expect: [{ outcome: failed, rule: REQ-002 }, { equals: { body.error: other } }]
`;

const granted = (index: number): Conduct => ({ body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 60 } });
const timedOut = (index: number): Conduct => ({
  ...granted(index),
  callbacks: [{ after: 5, body: { auth_req_id: `ccid-0000000000${index}`, error: 'expired' } }],
});
const refusal: Conduct = { status: 400, body: { error: 'invalid_request', error_description: 'too many wait' } };
const isSpecial = (claims: JsonObject): boolean => claims['acr_values'] === 'a9';

const confirmed = (
  yaml: string,
  conduct: (claims: JsonObject, index: number) => Conduct,
  options: Partial<Parameters<typeof runYamlCases>[1]> = {},
) => runYamlCases(yaml, { rules: rulesFor(yaml), conduct, confirm: true, ...options });

const verdicts = ({ result: { rules: found } }: Awaited<ReturnType<typeof runYamlCases>>) =>
  Object.fromEntries(found.map(({ id, verdict }) => [id, verdict]));

describe('a refused plain request', () => {
  test('is one finding, and what builds on it is inconclusive because of it', async () => {
    const ran = await confirmed(plain + special, () => refusal, { outlives: false });
    expect(verdicts(ran)).toMatchObject({ 'REQ-001': 'fail', 'REQ-003': 'inconclusive' });
    expect(ran.cases['special']).toMatchObject({
      verdict: 'inconclusive',
      followsFrom: { rule: 'REQ-001', case: 'plain' },
      findings: [],
    });
    expect(ran.cases['special']?.reason).toBe(
      'the plain case plain of the same client and subscriber does not hold either: HTTP 400, invalid_request, too many wait',
    );
    expect(ran.result.rules.find(({ id }) => id === 'REQ-003')?.followsFrom).toBe('REQ-001');
    expect(ran.cases['plain']).toMatchObject({ verdict: 'fail', confirmation: { status: 'confirmed' } });
  });

  test('is none where the target file or the registration may be wrong, and the case says what came', async () => {
    const ran = await confirmed(plain + special, () => refusal);
    expect(verdicts(ran)).toMatchObject({ 'REQ-001': 'inconclusive', 'REQ-003': 'inconclusive' });
    const { footer } = ran.result;
    expect(footer).toMatchObject({ outcome: 'incomplete' });
    const reason = 'step step1 was refused: HTTP 400, invalid_request, too many wait';
    expect(ran.cases['plain']).toMatchObject({ verdict: 'inconclusive', findings: [], reason });
    expect(ran.cases['plain']).not.toHaveProperty('confirmation');
  });

  test('is a finding where another one of the client is accepted', async () => {
    let sent = 0;
    const ran = await confirmed(plain, (_, index) => {
      sent += 1;
      return sent % 2 === 1 ? refusal : granted(index);
    });
    expect(ran.cases['plain']).toMatchObject({ verdict: 'warn', confirmation: { status: 'unstable' } });
  });

  test('says nothing where the client may not send one', async () => {
    const change = (target: Target): Target => ({
      ...target,
      clients: target.clients.map((client) => ({ ...client, flags: { ...client.flags, server_initiated: false } })),
    });
    const { cases } = await confirmed(plain + special, () => refusal, { change });
    expect(cases['special']).toMatchObject({ verdict: 'fail', confirmation: { status: 'confirmed' } });
  });

  test('is the cause of a throttled one, which is no finding', async () => {
    const throttled: Conduct = { status: 429, body: { error: 'temporarily_unavailable' } };
    const { cases } = await confirmed(plain + special, (claims) => (isSpecial(claims) ? refusal : throttled));
    expect(cases['special']).toMatchObject({ verdict: 'inconclusive', findings: [] });
    expect(cases['special']).not.toHaveProperty('followsFrom');
    expect(cases['special']?.reason).toContain('HTTP 429, temporarily_unavailable');
  });
});

describe('a result that does not come', () => {
  test('is, where the plain request is refused, red for that', async () => {
    const ran = await confirmed(plain + result + aboutTheResult, () => refusal, { outlives: false });
    expect(verdicts(ran)).toEqual({ 'REQ-001': 'fail', 'REQ-002': 'inconclusive', 'REQ-003': 'inconclusive' });
    expect(ran.cases['plain-result']?.followsFrom).toEqual({ rule: 'REQ-001', case: 'plain' });
    expect(ran.cases['about-the-result']?.followsFrom).toEqual({ rule: 'REQ-001', case: 'plain' });
  });
});

describe('the second try', () => {
  test('that passes makes an unstable finding, which is a warning', async () => {
    let refused = 0;
    const ran = await confirmed(plain + special, (claims, index) => {
      if (!isSpecial(claims) || refused > 0) return timedOut(index);
      refused += 1;
      return refusal;
    });
    expect(ran.cases['special']).toMatchObject({
      verdict: 'warn',
      confirmation: { status: 'unstable' },
      findings: [{ rule: 'REQ-003', unstable: true }],
    });
    expect(verdicts(ran)).toMatchObject({ 'REQ-003': 'warn' });
    expect(ran.result.footer?.outcome).toBe('conformant');
  });

  test('that breaks another rule keeps the findings of both, unstable', async () => {
    let asked = 0;
    const both = `
  - id: both
    title: Two rules
    rule: REQ-003
    steps:
      - as: bad
        authorize: { claims: { acr_values: a9 } }
        expect: [accepted, { outcome: answered, rule: REQ-002 }]
`;
    const { cases } = await confirmed(plain + both, (claims, index) => {
      if (!isSpecial(claims)) return timedOut(index);
      asked += 1;
      return asked === 1 ? refusal : { status: 500 };
    });
    expect(cases['both']?.findings.map(({ rule, unstable }) => [rule, unstable])).toEqual([
      ['REQ-003', undefined],
      ['REQ-002', true],
    ]);
    expect(cases['both']?.confirmation).toEqual({ status: 'confirmed' });
  });

  test('confirms a missing delivery by another that does not come', async () => {
    const step = (as: string) => `
      - { as: ${as}, authorize: { claims: { acr_values: a9 } } }
      - { await: callback, of: ${as}, expect: failed }`;
    const twice = `
  - id: twice
    title: Two results
    rule: REQ-003
    steps:${step('one')}${step('two')}
`;
    let asked = 0;
    const { cases } = await confirmed(plain + twice, (claims, index) => {
      if (!isSpecial(claims)) return timedOut(index);
      asked += 1;
      return asked === 2 || asked === 3 ? granted(index) : timedOut(index);
    });
    expect(cases['twice']).toMatchObject({
      verdict: 'fail',
      confirmation: { status: 'confirmed' },
      findings: [{ step: 'step4', actual: 'no callback within 30 s' }],
    });
  });

  test('is left out where the budget has no time for it', async () => {
    const later = '{ as: later, at: bad + 400s, authorize: {} }';
    const long = special.replace('expect: accepted }]', `expect: accepted }, ${later}]`);
    const { cases } = await confirmed(
      plain + long,
      (claims, index) => (isSpecial(claims) ? refusal : timedOut(index)),
      { budget: { seconds: 1100, text: '1100s' } },
    );
    expect(cases['special']).toMatchObject({ verdict: 'fail', confirmation: { status: 'seen-once' } });
    expect(cases['special']?.confirmation?.reason).toMatch(/budget/);
  });

  test('undoes what the first had changed before it changes it again', async () => {
    const mutating = `
  - id: mutating
    title: A change
    rule: REQ-003
    steps:
      - trigger: { action: set-flag, with: { flag: require_dpop, on: true } }
      - { as: bad, authorize: { claims: { acr_values: a9 } }, expect: accepted }
`;
    const change = (target: Target, origin: string): Target => ({
      ...target,
      drivers: {
        'set-flag': postTo(`${origin}/admin/flag`, { done: [404] }),
        'reset-flags': postTo(`${origin}/admin/reset`, { done: [404] }),
      },
    });
    const { targets, cases } = await confirmed(
      plain + mutating,
      (claims, index) => (isSpecial(claims) ? refusal : timedOut(index)),
      { change },
    );
    expect(cases['mutating']?.confirmation?.status).toBe('confirmed');
    expect(targets.filter((one) => one.startsWith('/admin/'))).toEqual([
      '/admin/flag',
      '/admin/reset',
      '/admin/flag',
      '/admin/reset',
    ]);
  });
});

describe('an invariant', () => {
  const withInvariant = (seenIn: string) => `${plain}${special}
invariants:
  - id: no-description
    title: No description
    rule: REQ-002
    on: refused
    expect: { absent: [body.error_description] }
    seenIn: [${seenIn}]
`;

  test('that is not broken again is unstable', async () => {
    let asked = 0;
    const { result: found } = await confirmed(withInvariant('special'), (claims, index) => {
      if (!isSpecial(claims)) return timedOut(index);
      asked += 1;
      return asked === 1 ? refusal : { status: 400, body: { error: 'invalid_request' } };
    });
    expect(found.invariants[0]).toMatchObject({ verdict: 'warn', confirmation: { status: 'unstable' } });
    expect(found.rules.find(({ id }) => id === 'REQ-002')?.verdict).toBe('warn');
  });

  test('that two cases broke was seen twice, and the tries of the run count for none', async () => {
    const { result: found, cases } = await confirmed(withInvariant('special, plain'), () => refusal);
    expect(found.invariants[0]).toMatchObject({ violations: 2, judged: 2, confirmation: { status: 'confirmed' } });
    expect(Object.values(cases).flatMap(({ messages }) => messages).length).toBeGreaterThan(2);
  });
});

describe('a refused value that a rule allows', () => {
  const rules = `area: area
title: An area
rules:
  - id: REQ-001
    clause: "2.3"
    level: required
    description: It is accepted.
    judged: cases
    accepts: [{ set: claims.prompt, to: [login] }]
  - id: REQ-002
    clause: "2.3"
    level: required
    description: a9 is accepted.
    judged: cases
    accepts: [{ set: claims.acr_values, to: [a9] }]
  - { id: REQ-003, clause: "2.3", level: required, description: Each request stands alone., judged: cases }
`;
  const allowed = `
  - id: allowed
    title: The value
    rule: REQ-002
    steps: [{ authorize: { claims: { acr_values: a9 } }, expect: accepted }]
`;
  const twice = `
  - id: twice
    title: The value twice
    rule: REQ-003
    steps:
      - { as: first, authorize: {}, expect: accepted, control: true }
      - { as: again, authorize: { claims: { acr_values: a9, state: "{{ first.claims.state }}" } }, expect: accepted }
`;
  const repeated = `
  - id: repeated
    title: The value again
    rule: REQ-003
    steps:
      - { authorize: { claims: { acr_values: a9 } }, expect: accepted, control: true }
      - { as: again, authorize: { claims: { acr_values: a9 } }, expect: accepted }
`;
  const tried = (yaml: string, conduct: (claims: JsonObject, index: number) => Conduct) =>
    runYamlCases(plain + allowed + yaml, { rules, conduct, confirm: true });

  test('breaks no rule where the plain request is refused as well', async () => {
    const ran = await tried(twice, () => refusal);
    expect(verdicts(ran)).toEqual({ 'REQ-001': 'inconclusive', 'REQ-002': 'inconclusive', 'REQ-003': 'inconclusive' });
  });

  test('breaks the rule of the case where it is accepted alone, and only the steps before it make it refused', async () => {
    const states = new Set<unknown>();
    const ran = await tried(twice, ({ state = null }, index) => {
      const isKnown = states.has(state);
      states.add(state);
      return isKnown ? refusal : granted(index);
    });
    expect(verdicts(ran)).toEqual({ 'REQ-001': 'pass', 'REQ-002': 'pass', 'REQ-003': 'fail' });
    expect(ran.cases['twice']).toMatchObject({ verdict: 'fail', confirmation: { status: 'confirmed' } });
  });

  test('breaks the rule of the case where only two allowed values together are refused', async () => {
    const together = `
  - id: together
    title: Both values
    rule: REQ-003
    steps:
      - { authorize: { claims: { prompt: login } }, expect: accepted, control: true }
      - { as: both, authorize: { claims: { prompt: login, acr_values: a9 } } }
      - { as: again, authorize: {}, expect: accepted }
`;
    const ran = await tried(together, (claims, index) =>
      isSpecial(claims) && claims['prompt'] === 'login' ? refusal : granted(index),
    );
    expect(verdicts(ran)).toEqual({ 'REQ-001': 'pass', 'REQ-002': 'pass', 'REQ-003': 'fail' });
  });

  test('breaks the rule of the case where the same value was accepted before in it', async () => {
    let refusing = false;
    const ran = await tried(repeated, (claims, index) => {
      if (!isSpecial(claims)) return granted(index);
      refusing = !refusing;
      return refusing ? granted(index) : refusal;
    });
    expect(ran.cases['repeated']?.findings.map(({ rule }) => rule)).not.toContain('REQ-002');
  });
});
