import { describe, expect, test } from 'vitest';
import { omitUndefined } from '../lib/json.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import { runYamlCases } from '../testing/parts/run-cases.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It is accepted., judged: cases }
  - { id: REQ-002, clause: "2.3", level: required, description: It lives as long as asked., judged: invariant }
`;

const cases = ['one', 'two', 'three', 'four'].map(
  (id) => `
  - { id: ${id}, title: A request, rule: REQ-001, exclusive: true, steps: [{ authorize: {}, expect: accepted }] }
`,
);

const invariants = `
invariants:
  - id: life
    title: Its life is the one asked for
    rule: REQ-002
    on: accepted
    seenIn: [one]
    expect: { equals: { body.expires_in: 300 } }
`;

/** Runs four cases, and grants these requests, in their order, too short a life. */
const runWith = (tooShort: (index: number) => boolean, expected?: readonly ExpectedFailure[]) =>
  runYamlCases(cases.join('') + invariants, {
    rules,
    confirm: true,
    bail: true,
    jobs: 1,
    ...omitUndefined({ expected }),
    conduct: (_, index) => ({
      body: { auth_req_id: `ccid-0000000000${index}`, expires_in: tooShort(index) ? 200 : 300 },
    }),
  });

describe('--bail at an invariant', () => {
  test('waits for a second case: what one message broke, and a second try does not, is unstable', async () => {
    const { result, cases: ended } = await runWith((index) => index === 0);
    expect(Object.values(ended).map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(result.invariants).toMatchObject([{ verdict: 'warn', confirmation: { status: 'unstable' } }]);
    expect(result.footer).toMatchObject({ outcome: 'conformant', reasons: [] });
    expect(result.footer).not.toHaveProperty('stopped');
  });

  test.each(['rule', 'case'] as const)('does not stop at what an entry for the %s expects', async (what) => {
    const name = what === 'rule' ? 'REQ-002' : 'life';
    const position = { file: 'expected.yaml', line: 2, column: 5 };
    const entry = { what, name, position, reason: 'known', owner: 'platform team', expires: '2999-12-31' } as const;
    const { result } = await runWith(() => true, [entry]);
    expect(result.footer).toMatchObject({ outcome: 'not conformant', ending: 'expected', exitCode: 0, reasons: [] });
    expect(result.footer).not.toHaveProperty('stopped');
  });

  test('stops at the second case that shows it', async () => {
    const { result } = await runWith(() => true);
    expect(result.invariants).toMatchObject([{ verdict: 'fail', confirmation: { status: 'seen-once' } }]);
    expect(result.footer).toMatchObject({ outcome: 'not conformant', stopped: true });
    expect(result.footer?.reasons[0]).toMatch(
      /^stopped after the first failure, life in (?:one|two|three|four) \(--bail\)$/,
    );
  });
});
