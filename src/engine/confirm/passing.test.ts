import { describe, expect, test } from 'vitest';
import type { CaseResult } from '../../model/result.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
  - { id: REQ-002, clause: "2.4", level: required, description: It has this form., judged: invariant }
`;

const one = (id: string): string =>
  `  - { id: ${id}, title: A case, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: accepted }] }\n`;
const invariant = (expectation: string): string =>
  `invariants:\n  - { id: form, title: Its form, rule: REQ-002, on: response, expect: ${expectation}, seenIn: [one] }\n`;

const granted = (index: number) => ({ body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } });
const failed = (status: number) => ({ status, body: { error: 'server_error' } });

/** Runs cases of one request each; `conduct` behaves by the number of requests so far. */
async function judge(
  conduct: (index: number) => Conduct,
  expectation = '{ status: [200] }',
  ids: readonly string[] = ['one', 'two'],
) {
  const { result, cases } = await runYamlCases(ids.map(one).join('') + invariant(expectation), {
    rules,
    jobs: 1,
    confirm: true,
    conduct: (_, index) => conduct(index),
  });
  const verdicts = Object.fromEntries(result.rules.map(({ id, verdict }) => [id, verdict]));
  return { result, cases, verdicts, footer: result.footer };
}

describe('a failure that goes away (P26)', () => {
  test.each([408, 425, 500, 502, 503, 504])(
    '%i breaks no rule where the same request goes through, and is counted',
    async (status) => {
      const { cases, verdicts, footer } = await judge((index) => (index === 0 ? failed(status) : granted(index)));
      expect(verdicts).toEqual({ 'REQ-001': 'pass', 'REQ-002': 'pass' });
      expect(footer).toMatchObject({ passing: 1, exitCode: 0 });
      const failing = Object.values(cases).filter(({ passing }) => passing === 1);
      expect(failing).toMatchObject([{ verdict: 'pass', messages: [{ passing: true }, {}, { attempt: 'again' }] }]);
      expect(failing[0]).not.toHaveProperty('confirmation');
    },
  );

  test('a connection that breaks is one', async () => {
    const { verdicts, footer } = await judge((index) => (index < 2 ? { reset: true } : granted(index)));
    expect(verdicts).toEqual({ 'REQ-001': 'pass', 'REQ-002': 'pass' });
    expect(footer).toMatchObject({ passing: 1, exitCode: 0 });
  });

  test('a few among many repetitions are, and all of them are not', async () => {
    const many =
      '  - { id: one, title: A case, rule: REQ-001, steps: [{ times: 20, authorize: {}, expect: accepted }] }\n';
    const form = async (isFailed: (index: number) => boolean) => {
      const { result } = await runYamlCases(many + invariant('{ status: [200] }'), {
        rules,
        confirm: true,
        conduct: (_, index) => (isFailed(index) ? failed(502) : granted(index)),
      });
      return result.rules.find(({ id }) => id === 'REQ-002')?.verdict;
    };
    expect(await form((index) => index % 10 < 2)).toBe('pass');
    expect(await form(() => true)).toBe('fail');
  });

  test.each([
    [2, 'warn', 'unstable'],
    [9, 'fail', 'confirmed'],
  ] as const)(
    'a second try that one spoils is made again: a step wrong %i times is %s',
    async (wrong, verdict, status) => {
      const two =
        '  - { id: two, title: A case, rule: REQ-001, steps: [{ as: first, control: true, authorize: {} }, { as: late, authorize: { claims: { prompt: login } }, expect: denied }] }\n';
      let [plain, other] = [0, 0];
      const { cases } = await runYamlCases(two, {
        confirm: true,
        conduct: ({ prompt }, index) => {
          if (prompt === undefined) plain += 1;
          else other += 1;
          // The control of the second try fails once.
          if (prompt === undefined) return plain === 2 ? failed(502) : granted(index);
          return other < wrong ? granted(index) : { status: 400, body: { error: 'invalid_request' } };
        },
      });
      expect(cases['two']).toMatchObject({ verdict, confirmation: { status } });
    },
  );

  test('one that stays breaks the rules, and is no failure in passing', async () => {
    const { verdicts, footer } = await judge(() => failed(502));
    expect(verdicts['REQ-002']).toBe('fail');
    expect(footer).not.toHaveProperty('passing');
  });

  test('a carrier whose each first sending fails is broken: the second try of a case sends once', async () => {
    const { cases, result } = await runYamlCases(one('one'), {
      confirm: true,
      conduct: (_, index) => (index === 1 ? granted(index) : failed(502)),
    });
    expect(cases['one']).toMatchObject({ verdict: 'fail', passing: 1, confirmation: { status: 'confirmed' } });
    expect(cases['one']?.findings).toMatchObject([{ actual: 'broken 502 server_error' }]);
    expect(result.footer?.exitCode).toBe(1);
  });
});

describe('two different requests (P26)', () => {
  const brief = (index: number) => ({ body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 5 } });
  const least = '{ body: { properties: { expires_in: { minimum: 60 } } } }';

  test('of two cases do not confirm each other: neither shows it once more', async () => {
    const { result, verdicts } = await judge((index) => (index < 2 ? brief(index) : granted(index)), least);
    expect(result.invariants).toMatchObject([{ violations: 2, verdict: 'warn', confirmation: { status: 'unstable' } }]);
    expect(verdicts['REQ-002']).toBe('warn');
  });

  test('of three cases stand as seen once: so many are no odd message, even if none shows it again (P21)', async () => {
    const { result } = await judge((index) => (index < 3 ? brief(index) : granted(index)), least, [
      'one',
      'two',
      'three',
    ]);
    expect(result.invariants).toMatchObject([
      {
        verdict: 'fail',
        confirmation: { status: 'seen-once', reason: 'several cases showed it, and 3 of them not again' },
      },
    ]);
    expect(result.footer?.exitCode).toBe(1);
  });

  test('of two cases need one that is seen again', async () => {
    const { result } = await judge((index) => (index < 2 || index === 3 ? brief(index) : granted(index)), least);
    expect(result.invariants).toMatchObject([{ verdict: 'fail', confirmation: { status: 'confirmed' } }]);
  });

  test('of one case do not confirm each other', async () => {
    const life = 'expect: { outcome: accepted, body: { properties: { expires_in: { minimum: 60 } } } }';
    const both = `  - { id: both, title: A case, rule: REQ-001, steps: [{ as: older, authorize: {}, ${life} }, { as: newer, authorize: {}, ${life} }] }\n`;
    const steps = (broken: readonly number[]) =>
      runYamlCases(both, {
        confirm: true,
        jobs: 1,
        conduct: (_, index) => (broken.includes(index) ? brief(index) : granted(index)),
      });
    const { cases: otherwise } = await steps([0, 3]);
    expect(otherwise['both']).toMatchObject({ verdict: 'warn', confirmation: { status: 'unstable' } });
    const { cases: same } = await steps([0, 2]);
    expect(same['both']).toMatchObject({ verdict: 'fail', confirmation: { status: 'confirmed' } });
  });
});

describe('what must not have come (P21)', () => {
  const unapproved =
    '  - { id: unapproved, title: A case, rule: REQ-001, steps: [{ as: request, authorize: { claims: { acr_values: a9 } } }, { await: callback, of: request, until: request + 60s, expect: no-tokens }, { control: true, authorize: {}, expect: accepted }] }\n';
  const denied =
    '  - { id: denied, title: A case, rule: REQ-001, steps: [{ as: request, authorize: { claims: { acr_values: a9 } }, expect: denied }, { control: true, authorize: {}, expect: accepted }] }\n';

  /** Runs a case on a carrier that does something else on its first request with an acr value. */
  async function runOnce(yaml: string, first: Conduct, later: Conduct): Promise<CaseResult | undefined> {
    let seen = 0;
    const { cases } = await runYamlCases(yaml, {
      confirm: true,
      conduct: ({ acr_values: acr }, index) => {
        if (acr === undefined) return granted(index);
        seen += 1;
        return { ...granted(index), ...(seen === 1 ? first : later) };
      },
    });
    return Object.values(cases)[0];
  }

  test('stands at once where it is tokens, though a second try does not bring them again', async () => {
    const tokens = { after: 5, body: { access_token: 'a-token-that-came', token_type: 'bearer' } };
    expect(await runOnce(unapproved, { callbacks: [tokens] }, {})).toMatchObject({
      verdict: 'fail',
      findings: [{ carries: 'tokens' }],
      confirmation: { status: 'seen-once', reason: 'a second try did not bring it again' },
    });
  });

  test('is unstable where it is an accepted request alone', async () => {
    const refused = { status: 400, body: { error: 'invalid_request' } };
    const found = await runOnce(denied, {}, refused);
    expect(found).toMatchObject({ verdict: 'warn', confirmation: { status: 'unstable' } });
  });
});
