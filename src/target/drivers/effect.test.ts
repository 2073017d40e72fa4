import { afterAll, expect, test } from 'vitest';
import { createWorkbench } from '../testing/load-with.ts';

const { loadWith, remove } = createWorkbench();
afterAll(remove);

test.each([
  { http: { url: 'https://admin.test/' } },
  { exec: { argv: ['move-sim'] } },
  { module: import.meta.filename },
  { ask: true },
])('a driver of any kind may take effect later: %j', (driver) => {
  const loaded = loadWith({}, { drivers: { 'move-sim': { ...driver, takes_effect: '1m30s' } } });
  expect(loaded.problems).toEqual([]);
  expect(loaded.target?.drivers['move-sim']).toMatchObject({ takesEffect: 90 });
});
