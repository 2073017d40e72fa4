import { chmodSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../model/target.ts';
import { buildScope } from '../../testing/parts/templates.ts';
import { createWorkbench } from '../testing/load-with.ts';
import { driverKinds } from './table.ts';

const { write, folder, loadWith, remove } = createWorkbench();
afterAll(remove);

const env = { LANG: 'C', TOKEN: 'hush-hush-hush' };
function load(driver: Readonly<Record<string, unknown>>): Driver | undefined {
  const { target, problems } = loadWith({}, { drivers: { 'move-sim': driver } }, env);
  expect(problems).toEqual([]);
  return target?.drivers['move-sim'];
}

describe('a program', () => {
  test('omitted keys have defaults', () => {
    expect(load({ exec: { argv: ['move-sim'] } })).toMatchObject({
      kind: 'exec',
      variables: [],
      folder,
      timeout: 30,
      done: [0],
      impossible: [],
      env,
    });
  });

  test('arguments and environment are templates', () => {
    write('move.sh', '#!/bin/sh\n');
    chmodSync(`${folder}/move.sh`, 0o755);
    const argv = ['./move.sh', '{{ subscriber.phone }}'];
    const variables = { TOKEN: '{{ env.TOKEN }}' };
    const driver = load({ exec: { argv, env: variables, timeout: '1m30s', done: [0, 1], impossible: [3] } });
    expect(driver).toMatchObject({ timeout: 90, done: [0, 1], impossible: [3] });
    const scope = buildScope({ env, subscriber: { phone: '+12175550101' } });
    const words = driver?.kind === 'exec' ? driver.argv.map((one) => one.evaluate(scope)) : [];
    expect(words).toEqual(['./move.sh', '+12175550101']);
    expect(driver?.kind === 'exec' && driver.variables.map(([name, one]) => [name, one.evaluate(scope)])).toEqual([
      ['TOKEN', 'hush-hush-hush'],
    ]);
  });
});

test('a program can advance the clock', () => {
  const exec = { argv: ['clock', '{{ to }}'] };
  const { target, problems } = loadWith({}, { clock: { read: { exec }, advance: { exec } } }, env);
  expect(problems).toEqual([]);
  const advance = target?.clock?.advance;
  expect(advance?.kind === 'exec' && advance.argv.map((one) => one.evaluate(buildScope({ to: 5 })))).toEqual([
    'clock',
    5,
  ]);
});

describe('a function of a module', () => {
  test('is found from the folder of the target file, with its input as templates', () => {
    write('approve.js', 'export default () => undefined;');
    const driver = load({ module: './approve.js', input: { phone: '{{ subscriber.phone }}' }, timeout: '5s' });
    expect(driver).toMatchObject({ kind: 'module', file: `${folder}/approve.js`, shown: './approve.js', timeout: 5 });
    const scope = buildScope({ subscriber: { phone: '+12175550101' } });
    const input = driver?.kind === 'module' ? (driver.input ?? []) : [];
    expect(input.map(([name, one]) => [name, one.evaluate(scope)])).toEqual([['phone', '+12175550101']]);
    expect(load({ module: './approve.js' })).toMatchObject({ timeout: 30 });
  });

  test('must be there', () => {
    const { problems } = loadWith({}, { drivers: { approve: { module: './nowhere.js' } } }, env);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['file-unreadable', './nowhere.js cannot be read: there is no such file'],
    ]);
  });
});

describe('a question', () => {
  test('in the words of the action', () => expect(load({ ask: true })).toEqual({ kind: 'ask', timeout: 120, env }));

  test('in words of its own', () => {
    const driver = load({ ask: 'Move the SIM of {{ subscriber.phone }}', timeout: '5m' });
    const scope = buildScope({ subscriber: { phone: '+12175550101' } });
    expect(driver?.kind === 'ask' && driver.description?.evaluate(scope)).toBe('Move the SIM of +12175550101');
    expect(driver).toMatchObject({ timeout: 300 });
  });
});

test('a person is asked for actions, and never moves the clock', () => {
  const facts = Object.values(driverKinds).map(({ kind, attended, canDriveClock }) => [kind, attended, canDriveClock]);
  expect(facts).toEqual([
    ['http', false, true],
    ['exec', false, true],
    ['module', false, false],
    ['ask', true, false],
  ]);
});
