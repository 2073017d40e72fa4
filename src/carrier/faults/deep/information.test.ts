import { informationFaults } from './information.ts';
import { informationRows } from './testing/information.ts';
import { proveFaults } from './testing/probes.ts';

proveFaults(informationFaults, informationRows);
