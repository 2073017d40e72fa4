import { expect, test } from 'vitest';
import { roundSeed } from './exploration.ts';

test('the first round draws by the seed itself', () => {
  expect([roundSeed({ seed: '7', round: 1 }), roundSeed({ seed: '7', round: 2 })]).toEqual(['7', '7/2']);
});
