import { testSequences } from './testing/sequences.ts';
import { memoryRows } from './testing/volume-memory-rows.ts';
import { counterRows } from './testing/volume-rows.ts';
import { volumeFaults } from './volume.ts';

testSequences(volumeFaults, { ...counterRows, ...memoryRows });
