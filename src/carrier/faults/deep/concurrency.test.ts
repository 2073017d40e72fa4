import { concurrencyFaults } from './concurrency.ts';
import { requestRaces } from './testing/concurrency-rows.ts';
import { outcomeRaces } from './testing/outcome-race-rows.ts';
import { testSequences } from './testing/sequences.ts';

testSequences(concurrencyFaults, { ...requestRaces, ...outcomeRaces });
