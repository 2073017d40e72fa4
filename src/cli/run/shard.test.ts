import { describe, expect, test } from 'vitest';
import { parseShard } from './settings.ts';

describe('--shard', () => {
  test.each([
    ['1/1', {}, { index: 1, of: 1 }],
    ['2/4', {}, { index: 2, of: 4 }],
    ['4/4', { JOB_COMPLETION_INDEX: '0' }, { index: 4, of: 4 }],
    ['auto/4', { JOB_COMPLETION_INDEX: '0' }, { index: 1, of: 4 }],
    ['auto/4', { JOB_COMPLETION_INDEX: '3' }, { index: 4, of: 4 }],
  ])('%s with %j', (text, env, shard) => {
    expect(parseShard(text, env)).toEqual(shard);
  });

  test.each([
    ['', {}, 'is no part such as 2/4 or auto/4'],
    ['2', {}, 'is no part such as 2/4 or auto/4'],
    ['2/4/8', {}, 'is no part such as 2/4 or auto/4'],
    ['1.5/4', {}, 'is no part such as 2/4 or auto/4'],
    ['-1/4', {}, 'is no part such as 2/4 or auto/4'],
    ['0/4', {}, 'means part 0 of 4: parts are counted from 1'],
    ['5/4', {}, 'means part 5 of 4: parts are counted from 1'],
    ['1/0', {}, 'has not from 1 to 1000 parts'],
    ['auto/4', {}, 'needs JOB_COMPLETION_INDEX in the environment'],
    ['auto/4', { JOB_COMPLETION_INDEX: 'x' }, 'needs a whole number from 0 in JOB_COMPLETION_INDEX, not "x"'],
    ['auto/4', { JOB_COMPLETION_INDEX: '4' }, 'means part 5 of 4: parts are counted from 1'],
  ])('%s with %j is refused', (text, env, why) => {
    expect(() => parseShard(text, env)).toThrow(`--shard: "${text}" ${why}`);
  });
});
