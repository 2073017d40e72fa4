import { describe, expect, test } from 'vitest';
import { loadOne, oneCase } from '../../testing/parts/load-text.ts';

describe('steps', () => {
  test("the rule is the entry's, else the step's, else the case's", async () => {
    const { steps } = await loadOne(
      oneCase(`steps:
      [{ authorize: {}, expect: accepted },
       { authorize: {}, rule: "REQ-001#near", expect: [accepted, { status: [200], rule: [REQ-002, REQ-001] }] }]`),
    );
    expect(steps.flatMap(({ expectations }) => expectations.map((one) => one.rules))).toEqual([
      [{ rule: 'REQ-001' }],
      [{ rule: 'REQ-001', aspect: 'near' }],
      [{ rule: 'REQ-002' }, { rule: 'REQ-001' }],
    ]);
  });

  test('no more than ten mismatches are reported', async () => {
    const { steps } = await loadOne(
      oneCase('steps: [{ authorize: {}, expect: { body: { items: { type: string } } } }]'),
    );
    expect(steps[0]?.expectations[0]?.body?.mismatches(Array.from({ length: 50 }, () => 1))).toHaveLength(10);
  });
});
