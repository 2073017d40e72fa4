import { testSequences } from './testing/sequences.ts';
import { requestTimes } from './testing/time-rows.ts';
import { tokenTimes } from './testing/time-token-rows.ts';
import { timeFaults } from './time.ts';

testSequences(timeFaults, { ...requestTimes, ...tokenTimes });
