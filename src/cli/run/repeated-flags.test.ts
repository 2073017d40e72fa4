import { expect, test } from 'vitest';
import { parseFlags, renderFlags } from '../shared/flags.ts';
import { flagsToRepeat } from './earlier-run.ts';

const flags = [
  '--target',
  'a.yaml',
  '--suites',
  'b',
  '--fault',
  'c',
  '--fault',
  'd',
  '--profile',
  'hardened',
  '--order',
  'shuffled=7',
];

test('the header of a result keeps the flags of its run', () => {
  expect(renderFlags(parseFlags(flags))).toEqual(flags);
  expect(renderFlags(parseFlags(['--odd']))).toEqual([]);
});

test('flags of the earlier run are repeated but for those that are given, and for files', () => {
  const none = { suites: [], fault: [] };
  const own = ['--fault', 'c', '--fault', 'd', '--profile', 'hardened', '--order', 'shuffled=7'];
  expect(renderFlags(flagsToRepeat(none, flags))).toEqual(own);
  expect(renderFlags(flagsToRepeat({ ...none, target: 'x' }, ['--target', 'a', '--suites', 'b']))).toEqual([
    '--target',
    'x',
  ]);
  expect(renderFlags(flagsToRepeat({ ...none, fault: ['y'], profile: 'interface' }, flags))).toEqual([
    '--fault',
    'y',
    '--profile',
    'interface',
    '--order',
    'shuffled=7',
  ]);
  expect(renderFlags(flagsToRepeat({ suites: ['z'], fault: [] }, ['--suites', 'b', '--without', 'c']))).toEqual([
    '--suites',
    'z',
    '--without',
    'c',
  ]);
});
