import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';

const { responseRule, timing } = testedInterface;

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
  - { id: ${responseRule}, clause: "4.1", level: required, description: A response comes in time., judged: cases }
`;
const first = '{ as: first, control: true, authorize: {} }';
const login = 'authorize: { claims: { prompt: login } }';
const caseOf = (id: string, rule: string, text: string): string =>
  `  - { id: ${id}, title: A case, rule: ${rule}, steps: ${text} }\n`;
const expected = '{ authorize: {}, expect: accepted }';
const other = caseOf('other', responseRule, `[${expected}]`);
const judging = caseOf('one', 'REQ-001', `[${first}, { as: late, expect: accepted, ${login} }]`) + other;
const control = caseOf('one', 'REQ-001', `[${first}, { as: late, control: true, ${login} }, ${expected}]`) + other;

/** A run with a time limit of 0.3 s, on a carrier that responds to some requests after a second. */
async function judge(yaml: string, isLate: (claims: JsonObject) => boolean) {
  const { result, cases } = await runYamlCases(yaml, {
    rules,
    confirm: true,
    interface: { ...testedInterface, timing: { ...timing, slowestResponse: 0.3 } },
    change: (target) => ({ ...target, requestTimeout: 0.3 }),
    conduct: (claims, index) => ({
      slow: isLate(claims) ? 1000 : 0,
      body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 },
    }),
  });
  const standings = Object.fromEntries(result.rules.map(({ id, standing }) => [id, standing]));
  return { standings, exitCode: result.footer?.exitCode, case: cases['one'] };
}

describe('a request without a response in time, at an origin that has responded', () => {
  test.each([
    ['a step that judges', judging],
    ['a control', control],
  ])('breaks the rule of responses alone: %s', async (_, yaml) => {
    const found = await judge(yaml, ({ prompt }) => prompt === 'login');
    expect(found.standings).toEqual({ 'REQ-001': 'open', [responseRule]: 'broken' });
    expect(found.exitCode).toBe(1);
    expect(found.case?.confirmation).toEqual({ status: 'confirmed' });
  });

  test('is unstable where a second try brings one', async () => {
    let asked = 0;
    const found = await judge(judging, ({ prompt }) => {
      if (prompt === 'login') asked += 1;
      return prompt === 'login' && asked === 1;
    });
    expect(found.standings).toMatchObject({ [responseRule]: 'unstable' });
  });

  test('leaves the case open where the origin has not responded: the address may be wrong', async () => {
    const found = await judge(judging, () => true);
    expect(found.case?.findings).toEqual([]);
    expect(found.standings).toMatchObject({ 'REQ-001': 'open' });
  });
});
