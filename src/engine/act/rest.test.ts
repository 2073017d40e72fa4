import { expect, test } from 'vitest';
import type { CaseOrder } from '../plan/case-order.ts';
import type { Target } from '../../model/target.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import { loadText } from '../../testing/parts/load-text.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

/** Target with one subscriber, whose app a driver opens. */
const change = (target: Target, origin: string): Target => ({
  ...target,
  subscribers: target.subscribers.filter(({ tags }) => tags.includes('consented')).slice(0, 1),
  drivers: { ...target.drivers, 'open-app': postTo(`${origin}/admin/open`, { done: [404] }) },
});

const opens = '  - { id: opens, title: It opens, rule: REQ-001, steps: [{ trigger: open-app }] }\n';
const rests =
  '  - { id: rests, title: It rests, rule: REQ-001, steps: [{ rest: { open-app: 31m } }, { authorize: {}, expect: accepted }] }\n';

/** Seconds from the opening of the app to the request of the case that rests. */
async function distanceIn(order: CaseOrder): Promise<number> {
  const { cases } = await runYamlCases(opens + rests, { change, order });
  expect(Object.values(cases).map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  const sent = (id: string): number =>
    Math.max(...(cases[id]?.messages.map((one) => (one.kind === 'exchange' ? one.sentAt : 0)) ?? []));
  return (sent('rests') - sent('opens')) / 1000;
}

test('a case that rests begins when what another did to its subscriber is long ago', async () =>
  expect(await distanceIn('listed')).toBeGreaterThanOrEqual(31 * 60));

test('and at once where no other did so before', async () =>
  expect(Math.abs(await distanceIn('reversed'))).toBeLessThan(10 * 60));

test.each([
  ['nothing', '{}'],
  ['an unknown action', '{ open-ap: 31m }'],
  ['a time that is none', '{ open-app: soon }'],
])('%s is a mistake', async (_, written) => {
  const { problems } = await loadText({
    'area/rules.yaml':
      'area: area\ntitle: An area\nrules:\n  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }\n',
    'area/a.suite.yaml': `suite: A suite\ncases:\n${rests.replace('{ open-app: 31m }', written)}`,
  });
  expect(problems).not.toEqual([]);
});
