import { interactionFaults } from './interaction.ts';
import { effectRows } from './testing/interaction-effects.ts';
import { serviceRows } from './testing/interaction-services.ts';
import { skippedRows } from './testing/interaction-skipped.ts';
import { proveFaults } from './testing/probes.ts';

proveFaults(interactionFaults, { ...skippedRows, ...effectRows, ...serviceRows });
