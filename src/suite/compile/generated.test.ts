import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { requireAct } from '../../testing/parts/require-act.ts';
import { expect, test } from 'vitest';
import { testScope } from '../../testing/parts/load-text.ts';
import { compileGenerated, escapeTemplates } from './suite.ts';

const suite = {
  source: 'command line',
  area: 'send',
  tampers: new Set(['payload-byte']),
  verbs: testedInterface.verbs,
};

test('cases that were made are cases of the suite language, and judge no rule', () => {
  const steps = [{ as: 'request', authorize: { claims: { iat: '{{ now - 6m }}' } }, expect: 'answered' }];
  const { cases, problems } = compileGenerated([{ id: 'send', title: 'One', steps }], suite);
  expect(problems).toEqual([]);
  expect(cases).toHaveLength(1);
  const [step] = cases[0]?.steps ?? [];
  expect(step).toMatchObject({ name: 'request', control: false, expectations: [{ rules: [], outcome: 'answered' }] });
  const { claims = [] } = requireAct(step, 'authorize').difference;
  expect(claims.map(([name, template]) => [name, template.evaluate(testScope)])).toEqual([['iat', 640]]);
});

test('what is wrong in them is reported', () => {
  const steps = [{ authorize: { claims: { iat: '{{ nwo }}' }, tamper: 'payload-bite' } }];
  const { problems } = compileGenerated([{ id: 'send', title: 'One', steps }], suite);
  expect(problems.map(({ code }) => code).sort()).toEqual(['unknown-name', 'unknown-name']);
  expect(problems[0]?.position.file).toBe('command line');
});

test.each(['{{ now }}', 'a {{{ b', '}}', '', 'plain', '"{{"'])('%j stays what it is', (text) => {
  const steps = [{ authorize: { text: escapeTemplates(text) } }];
  const { cases, problems } = compileGenerated([{ id: 'send', title: 'One', steps }], suite);
  expect(problems).toEqual([]);
  const { difference } = requireAct(cases[0]?.steps[0], 'authorize');
  expect(difference.text?.evaluate(testScope)).toBe(text);
});
