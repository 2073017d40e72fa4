import { expect, test } from 'vitest';
import { readSuites } from '../../setup/read-files.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import { attend, cardsOf, misleadingCards } from '../../testing/pages/attend.ts';
import { startCarrier, stopCarrier } from '../../testing/program/target-file.ts';

test('no task card has a word of another decision than the one to take', async () => {
  const { cases } = await readSuites([]);
  const decided = cases.filter(({ steps }) => steps.some(({ act }) => isTrigger(act) && act.action === 'deny'));
  const carrier = await startCarrier(['--clock', 'virtual']);
  const { tasks } = await attend(
    carrier,
    decided.map(({ id }) => id),
    (task, _, doIt) => doIt(task),
  );
  await stopCarrier(carrier);
  expect(cardsOf(tasks, 'Deny').length).toBeGreaterThan(20);
  expect(cardsOf(tasks, 'Approve').length).toBeGreaterThan(5);
  expect(misleadingCards(tasks)).toEqual([]);
  // Most cards say in which case.
  expect(tasks.filter(({ facts }) => facts['case'] !== undefined).length).toBeGreaterThan(tasks.length / 2);
}, 240_000);
