import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AskDriver, Driver, Target } from '../../model/target.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import type { OperatorAnswer, Operator, OperatorQuestion } from '../context/operator.ts';

const prompt: AskDriver = { kind: 'ask', timeout: 60, env: {} };

/** Operator who gives these answers at once, in order, and then `nothing`. */
function scripted(...answers: readonly OperatorAnswer[]): { operator: Operator; questions: OperatorQuestion[] } {
  const questions: OperatorQuestion[] = [];
  return {
    questions,
    operator: {
      ask: (question) => {
        questions.push(question);
        return Promise.resolve(answers[questions.length - 1] ?? { word: 'nothing' });
      },
    },
  };
}

const withDrivers =
  (drivers: Readonly<Record<string, Driver>>) =>
  (target: Target): Target => ({ ...target, drivers: { ...target.drivers, ...drivers } });

const scenario = (steps: string, id = 'one'): string =>
  `  - { id: ${id}, title: What one shows, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: accepted }, ${steps}] }\n`;

const run = async (steps: string, drivers: Readonly<Record<string, Driver>>, operator?: Operator) => {
  const ran = await runYamlCases(scenario(steps), {
    change: withDrivers(drivers),
    ...(operator === undefined ? {} : { operator }),
  });
  return { ...ran, one: ran.cases['one'] };
};

describe('an action by the operator', () => {
  test('is asked for in the words of the action, with what it is done with', async () => {
    const { operator, questions } = scripted({ word: 'done', note: 'at once' });
    const { one } = await run('{ trigger: { action: deny, with: { scopes: [openid] } } }', { deny: prompt }, operator);
    expect(one).toMatchObject({ verdict: 'pass' });
    const { request, ...rest } = questions[0] ?? {};
    expect(request).toMatch(/^(the one that says|correlation_id) /);
    expect(rest).toEqual({
      kind: 'do',
      step: 'step2',
      action: 'deny',
      mark: { word: 'Deny', done: 'I denied it', tone: 'bad' },
      place: { number: 1, of: 1 },
      description: 'Deny the request on the phone (scopes: ["openid"])',
      recorded: 'Deny the request on the phone (scopes: ["openid"])',
      phone: 'first',
      sp: buildClient().clientId,
      case: 'one',
      about: 'one: What one shows',
      timeout: 60_000,
    });
    expect(questions).toHaveLength(1);
    expect(one?.recorded).toEqual({});
    expect(one?.acts).toEqual([
      {
        step: expect.any(String) as unknown,
        action: 'deny',
        asked: 'Deny the request on the phone (scopes: ["openid"])',
        answered: 'done: at once',
        at: expect.any(Number) as unknown,
        try: 'first',
      },
    ]);
  });

  test("about another subscriber's request is asked on that subscriber's phone", async () => {
    const { operator, questions } = scripted({ word: 'done' }, { word: 'done' });
    const other = { name: 'second', tags: [], phone: '+12175550102', subs: { main: '001010-ffffffffffffffffffff' } };
    await runYamlCases(
      scenario(
        `{ trigger: deny }, { as: other, authorize: { claims: { login_hint: "${other.subs.main}" } } }, { trigger: { action: deny, of: other } }`,
      ),
      {
        change: (target) => ({ ...withDrivers({ deny: prompt })(target), subscribers: [...target.subscribers, other] }),
        operator,
      },
    );
    expect(questions.map(({ phone }) => phone)).toEqual(['first', '+12175550102']);
  });

  test('or in those of the target file', async () => {
    const { operator, questions } = scripted({ word: 'done' });
    const description = buildTemplate('Press no for {{ request.body.auth_req_id }}', ['request']);
    await run('{ trigger: deny }', { deny: { ...prompt, description } }, operator);
    expect(questions.map((one) => one.description)).toEqual(['Press no for ccid-00000000000']);
  });

  test.each<[OperatorAnswer, string]>([
    [{ word: 'cannot', note: 'no card' }, 'deny was not possible: the operator says cannot: no card'],
    [{ word: 'nothing' }, 'the operator did not answer in time: Deny the request on the phone'],
  ])('%j is inconclusive', async (answer, reason) => {
    const { one } = await run('{ trigger: deny }', { deny: prompt }, scripted(answer).operator);
    expect(one).toMatchObject({ verdict: 'inconclusive', reason });
    expect(one?.acts).toMatchObject([{ action: 'deny', answered: expect.stringContaining(answer.word) as unknown }]);
  });

  test('a name is kept in one short line, without what moves a cursor', async () => {
    const by = `Ann\u001b[2J\u202e\n${'x'.repeat(80)}`;
    const { one } = await run('{ trigger: deny }', { deny: prompt }, scripted({ word: 'done', by }).operator);
    expect(one?.acts?.[0]?.by).toMatch(/^Ann \[2J x{32}…$/);
  });

  test('the case is not named on a card whose task another of its words could be taken for', async () => {
    const { operator, questions } = scripted({ word: 'done' }, { word: 'done' });
    const steps = '{ trigger: deny }';
    await runYamlCases(scenario(steps, 'approved-first') + scenario(steps, 'two'), {
      change: withDrivers({ deny: prompt }),
      operator,
    });
    expect(Object.fromEntries(questions.map(({ case: id, about }) => [id, about]))).toEqual({
      'approved-first': undefined,
      two: 'two: What one shows',
    });
  });

  test('without an operator: not run, and what it needs', async () => {
    const { one } = await run('{ trigger: deny }', { deny: prompt });
    expect(one).toMatchObject({
      verdict: 'not-run',
      reason: 'needs an operator at a terminal, or --live, for deny',
      messages: [],
    });
  });

  test('a credential of the environment is not recorded', async () => {
    const description = buildTemplate('Sign in with {{ env.PIN }}', ['env']);
    const driver: AskDriver = { ...prompt, description, env: { PIN: 'hush-hush-hush' } };
    const { operator, questions } = scripted({ word: 'done', note: 'hush-hush-hush it was' });
    const { journal } = await run('{ trigger: deny }', { deny: driver }, operator);
    expect(questions[0]?.description).toBe('Sign in with hush-hush-hush');
    expect(readFileSync(journal, 'utf8')).not.toContain('hush-hush');
  });
});

test('what an action gives is what was typed after done, and is not recorded', async () => {
  const code = 'opaque-authorization-code';
  const { operator } = scripted({ word: 'done', note: code });
  const steps =
    '{ as: code, trigger: issue-code }, { as: again, authorize: { claims: { x_seen: "{{ code.body.code }}" } } }';
  const observation: unknown[] = [];
  const ran = await runYamlCases(scenario(steps), {
    change: withDrivers({ 'issue-code': prompt }),
    operator,
    conduct: (claims, index) => {
      observation.push(claims['x_seen']);
      return { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };
    },
  });
  expect(observation).toEqual([undefined, code]);
  expect(readFileSync(ran.journal, 'utf8')).not.toContain(code);
});

describe('a look by the operator', () => {
  const expected = '{ equals: { card.shown: true, card.colourMode: dark } }';
  const both = `{ as: phone, look: card, expect: [${expected}, { card: { required: [authentication], properties: { authentication: { enum: [full, reused] } } } }] }`;

  test('asks of each expectation whether it is so', async () => {
    const { operator, questions } = scripted({ word: 'yes' }, { word: 'yes' });
    const { one } = await run(both, { look: prompt }, operator);
    expect(one).toMatchObject({ verdict: 'pass', findings: [] });
    expect(questions.map(({ kind, description }) => [kind, description])).toEqual([
      ['holds', 'Look at the phone: is it so that the request is shown, and the colour mode is "dark"?'],
      ['holds', 'Look at the phone: is it so that the authentication that was asked for is one of "full", "reused"?'],
    ]);
    expect(Object.values(one?.recorded ?? {})).toEqual(['yes', 'yes']);
  });

  test('no is a finding of the rule, with what was said', async () => {
    const evidence = { name: 'card.png', sha256: `sha256:${'0'.repeat(64)}` };
    const { operator } = scripted({ word: 'yes' }, { word: 'no', note: 'none \u001b[1mat all', evidence });
    const { one } = await run(both, { look: prompt }, operator);
    expect(one).toMatchObject({
      verdict: 'fail',
      findings: [
        {
          rule: 'REQ-001',
          level: 'required',
          code: 'not-seen',
          path: 'card',
          step: 'phone',
          expected: 'the authentication that was asked for is one of "full", "reused"',
          actual: `no: none [1mat all (evidence card.png ${evidence.sha256})`,
        },
      ],
    });
  });

  test('cannot tell is inconclusive', async () => {
    const { operator } = scripted({ word: 'cannot' });
    const { one } = await run(both, { look: prompt }, operator);
    expect(one).toMatchObject({
      verdict: 'inconclusive',
      reason: 'the operator cannot tell whether the request is shown, and the colour mode is "dark"',
    });
  });

  test('a control that is not so is inconclusive', async () => {
    const { operator } = scripted({ word: 'no' });
    const { one } = await run(
      `{ as: phone, control: true, look: card, expect: ${expected} }`,
      { look: prompt },
      operator,
    );
    expect(one).toMatchObject({
      verdict: 'inconclusive',
      reason:
        'control phone did not succeed: what the operator saw; not seen: the request is shown, and the colour mode is "dark"',
    });
  });

  test('where nothing is expected, the operator says what is there', async () => {
    const { operator, questions } = scripted({ word: 'done', note: 'a fingerprint' });
    const steps = '{ as: phone, look: card, record: { authentication: "{{ phone.card.authentication }}" } }';
    const { one } = await run(steps, { look: prompt }, operator);
    expect(questions.map(({ kind, description }) => [kind, description])).toEqual([
      ['tell', 'Look at the phone: what does it show (authentication)?'],
    ]);
    expect(one?.verdict).toBe('pass');
    expect(Object.values(one?.recorded ?? {})).toEqual(['done: a fingerprint', null]);
  });
});

test('the operator is not asked about a request that was refused', async () => {
  const { operator, questions } = scripted();
  const steps = `{ as: bad, authorize: {}, expect: answered }, { trigger: { action: deny, ifPossible: true } },
    { look: card, expect: { equals: { card.shown: false } } }`;
  const ran = await runYamlCases(scenario(steps), {
    change: withDrivers({ deny: prompt, look: prompt }),
    operator,
    conduct: (_, index) =>
      index === 0
        ? { body: { auth_req_id: 'ccid-00000000001', expires_in: 300 } }
        : { status: 400, body: { error: 'invalid_request' } },
  });
  expect(ran.cases['one']).toMatchObject({ verdict: 'pass', findings: [] });
  expect(questions).toEqual([]);
});

describe('questions', () => {
  test('come one at a time, and one case after the other has the phone', async () => {
    let open = 0;
    let most = 0;
    const order: string[] = [];
    const operator: Operator = {
      ask: async (question) => {
        open += 1;
        most = Math.max(most, open);
        order.push(question.case);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open -= 1;
        return { word: 'done' };
      },
    };
    const steps = '{ trigger: { action: deny } }, { trigger: { action: ignore } }';
    const yaml = ['one', 'two', 'three'].map((id) => scenario(steps, id)).join('');
    const { cases } = await runYamlCases(yaml, { change: withDrivers({ deny: prompt, ignore: prompt }), operator });
    expect(Object.values(cases).map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
    expect(most).toBe(1);
    expect(order).toEqual(['one', 'one', 'two', 'two', 'three', 'three']);
  });

  test('end with the run', async () => {
    const controller = new AbortController();
    const operator: Operator = {
      ask: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ word: 'nothing' }), { once: true });
          controller.abort();
        }),
    };
    const { cases, result } = await runYamlCases(scenario('{ trigger: deny }'), {
      change: withDrivers({ deny: prompt }),
      operator,
      signal: controller.signal,
    });
    expect(result.footer).toMatchObject({ interrupted: true, outcome: 'incomplete' });
    expect(cases['one']).toMatchObject({ verdict: 'not-run', reason: 'interrupted' });
  });
});
