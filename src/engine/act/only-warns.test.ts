import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
  - { id: REQ-002, clause: "2.3", level: required, description: It holds., judged: cases }
  - { id: REQ-003, clause: "2.3", level: recommended, description: It is taken., judged: cases, accepts: [{ set: claims.acr_values }] }
  - id: REQ-004
    clause: "2.4"
    level: required
    description: It has this form.
    aspects: { present: { level: recommended, description: It is there. } }
    judged: cases
`;

const one = (id: string, of: string, rest: string): string =>
  `  - { id: ${id}, title: A case, rule: ${of}, ${rest} }\n`;
const plain = (of: string): string =>
  one(
    'plain',
    `[${of}, REQ-003, REQ-004, REQ-004#present]`,
    'steps: [{ as: request, authorize: {}, expect: accepted }]',
  );

const answers = { body: { auth_req_id: 'ccid-00000000000', expires_in: 300 } };
const refusesAcr = ({ acr_values: acr }: JsonObject) =>
  acr === undefined || acr === 'a3' ? answers : { status: 400, body: { error: 'invalid_request' } };

async function judge(yaml: string) {
  const { result, cases } = await runYamlCases(yaml, { rules, conduct: refusesAcr, confirm: true });
  const verdicts = Object.fromEntries(result.rules.map(({ id, verdict }) => [id, verdict]));
  return { verdicts, exitCode: result.footer?.exitCode, cases };
}

const waits =
  'steps: [{ as: request, authorize: {} }, { at: request + request.body.life, as: later, authorize: {}, expect: accepted }]';

describe('what only warns takes no verdict away (P10)', () => {
  test('a case that needs what may be left out asks nothing of a carrier without it', async () => {
    const leftOut = one('later', 'REQ-001', `optional: { request.body.life: REQ-004#present }, ${waits}`);
    const { verdicts, cases } = await judge(plain('REQ-002') + leftOut);
    expect(verdicts).toMatchObject({ 'REQ-001': 'not-applicable', 'REQ-002': 'pass' });
    expect(cases['later']).toMatchObject({
      verdict: 'inconclusive',
      reason: 'there is no request.body.life',
      followsFrom: { rule: 'REQ-004', aspect: 'present', case: 'later' },
    });
  });

  test('one that needs what must be there leaves its rule open', async () => {
    const { verdicts, exitCode } = await judge(plain('REQ-002') + one('later', 'REQ-001', waits));
    expect(verdicts).toMatchObject({ 'REQ-001': 'inconclusive', 'REQ-002': 'pass' });
    expect(exitCode).toBe(4);
  });

  test('a request refused for a value that is only recommended leaves no required rule open', async () => {
    const refused = one(
      'refused',
      'REQ-001',
      'steps: [{ as: request, authorize: { claims: { acr_values: a1 } }, expect: accepted }]',
    );
    const { verdicts, exitCode, cases } = await judge(plain('REQ-001, REQ-002') + refused);
    expect(verdicts).toMatchObject({ 'REQ-001': 'pass', 'REQ-003': 'warn' });
    expect(cases['refused']?.findings).toMatchObject([{ rule: 'REQ-003', level: 'recommended' }]);
    expect(exitCode).toBe(0);
  });

  test('an expectation without anything to judge by leaves its own rule open, and no other', async () => {
    const compares =
      'steps: [{ as: request, authorize: {}, expect: [{ outcome: accepted, rule: REQ-002 }, { rule: REQ-001, equals: { body.expires_in: "{{ request.body.life }}" } }] }, { as: later, control: true, authorize: {}, expect: accepted }]';
    const { verdicts, cases } = await judge(plain('REQ-002') + one('both', 'REQ-001', compares));
    expect(verdicts).toMatchObject({ 'REQ-001': 'inconclusive', 'REQ-002': 'pass' });
    expect(cases['both']).toMatchObject({ verdict: 'inconclusive', open: ['REQ-001'] });
    expect(cases['both']?.messages).toHaveLength(2);
  });
});
