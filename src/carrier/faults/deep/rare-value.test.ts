import { rareValueFaults } from './rare-value.ts';
import { proveFaults } from './testing/probes.ts';
import { comparedRows } from './testing/rare-value.ts';
import { textRows } from './testing/rare-value-texts.ts';

proveFaults(rareValueFaults, { ...comparedRows, ...textRows });
