import { afterAll, expect, test } from 'vitest';
import { problemCodes, createWorkbench } from '../testing/load-with.ts';

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

test('a clock driver cannot have takes_effect', () => {
  const driver = { http: { url: 'https://admin.test/' }, takes_effect: '1s' };
  expect(problemCodes(loadWith({}, { clock: { read: driver, advance: driver } }))).toEqual([
    'unknown-key',
    'unknown-key',
  ]);
});
