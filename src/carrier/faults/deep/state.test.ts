import { stateFaults } from './state.ts';
import { testSequences } from './testing/sequences.ts';
import { accountRows } from './testing/state-account-rows.ts';
import { flowRows, requestRows } from './testing/state-rows.ts';

testSequences(stateFaults, { ...requestRows, ...flowRows, ...accountRows });
