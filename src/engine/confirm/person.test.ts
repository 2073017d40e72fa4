import { expect, test } from 'vitest';
import type { AskDriver, Target } from '../../model/target.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import type { Operator, OperatorAnswer, OperatorQuestion } from '../context/operator.ts';

const levels = { 'REQ-001': 'required', 'REQ-002': 'required', 'REQ-003': 'recommended' } as const;

function rulesFor(yaml: string): string {
  const named = Object.entries(levels).filter(([id]) => yaml.includes(id));
  const rules = named.map(
    ([id, level]) => `  - { id: ${id}, clause: "2.3", level: ${level}, description: It holds., judged: cases }\n`,
  );
  return `area: area\ntitle: An area\nrules:\n${rules.join('')}`;
}

const byHand: AskDriver = { kind: 'ask', timeout: 60, env: {} };
const attended = (target: Target): Target => ({ ...target, drivers: { ...target.drivers, deny: byHand } });

/** Operator who gives these answers in order, and then the last. */
function scripted(...answers: readonly OperatorAnswer[]): { operator: Operator; questions: OperatorQuestion[] } {
  const questions: OperatorQuestion[] = [];
  const ask: Operator['ask'] = (question) => {
    questions.push(question);
    return Promise.resolve(answers[questions.length - 1] ?? answers.at(-1) ?? { word: 'nothing' });
  };
  return { questions, operator: { ask } };
}

const done: OperatorAnswer = { word: 'done', by: 'Ann' };

/** Callback 5 seconds after the request, with this error; none without one. */
const respond = (index: number, error?: string): Conduct => {
  const id = `ccid-0000000000${index}`;
  const callbacks = error === undefined ? [] : [{ after: 5, body: { auth_req_id: id, error } }];
  return { body: { auth_req_id: id, expires_in: 60 }, callbacks };
};

const denial = `
  - id: denial
    title: A denial is reported
    rule: REQ-001
    steps: [{ as: request, authorize: {} }, { as: act, trigger: deny }, { as: result, await: callback, expect: EXPECTED }]
`;
const denied = (expected: string): string => denial.replace('EXPECTED', expected);
const twoRules =
  '[{ outcome: failed }, { equals: { body.error: access_denied }, rule: REQ-002 }, { equals: { body.error: access_denied }, rule: REQ-003 }]';

const run = (yaml: string, conduct: (index: number) => Conduct, more: Parameters<typeof runYamlCases>[1]) =>
  runYamlCases(yaml, {
    rules: rulesFor(yaml),
    conduct: (_, index) => conduct(index),
    change: attended,
    confirm: true,
    ...more,
  });

test('a finding before the first act rests on no person: none is asked again, and it stands', async () => {
  const { operator, questions } = scripted(done);
  const yaml = `
  - id: early
    title: A request is denied
    rule: REQ-001
    steps: [{ as: request, authorize: {}, expect: { status: [201] } }, { as: act, trigger: deny }]
`;
  const { cases } = await run(yaml, (index) => respond(index), { operator });
  expect(questions).toHaveLength(1);
  expect(cases['early']).toMatchObject({
    verdict: 'fail',
    confirmation: { status: 'seen-once', reason: 'a person would have to do it all again' },
  });
  expect(cases['early']?.findings[0]).not.toHaveProperty('afterActs');
});

test('a rule that both tries break stands, and one of the first try alone is open, with the warnings of that try', async () => {
  const { operator, questions } = scripted(done);
  const yaml = denied(twoRules.replace('outcome: failed', 'outcome: completed'));
  const { cases, result } = await run(yaml, (index) => respond(index, index === 0 ? 'other' : 'access_denied'), {
    operator,
  });
  expect(questions.map(({ again }) => again)).toEqual([
    undefined,
    expect.stringMatching(/^The first time \(Ann\) it came out otherwise than asked: the run expected completed, got /),
  ]);
  expect(cases['denial']).toMatchObject({
    verdict: 'fail',
    confirmation: { status: 'confirmed' },
    findings: [{ rule: 'REQ-001', afterActs: 1 }],
    reason: expect.stringMatching(
      /^REQ-002 may be a slip of a person, .*it came out otherwise in another way$/,
    ) as unknown,
  });
  const verdicts = Object.fromEntries(result.rules.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual({ 'REQ-001': 'fail', 'REQ-002': 'inconclusive', 'REQ-003': 'inconclusive' });
});

test('a budget that leaves no time for a second asking leaves it open', async () => {
  const { operator, questions } = scripted(done);
  const { cases } = await run(denied('failed'), (index) => respond(index), {
    operator,
    budget: { seconds: 330, text: '330 s' },
  });
  expect(questions).toHaveLength(1);
  expect(cases['denial']).toMatchObject({
    verdict: 'inconclusive',
    findings: [],
    reason: expect.stringMatching(/; the budget leaves no time for a second try$/) as unknown,
  });
});

test('no answer the second time leaves it open, and is kept as such', async () => {
  const { operator } = scripted(done, { word: 'nothing' });
  const { cases } = await run(denied('failed'), (index) => respond(index), { operator });
  expect(cases['denial']).toMatchObject({
    verdict: 'inconclusive',
    acts: [
      { answered: 'done', by: 'Ann', try: 'first' },
      { answered: 'nothing', try: 'again' },
    ],
    reason: expect.stringMatching(/the operator did not answer in time: Deny the request on the phone$/) as unknown,
  });
});
