import { concurrencyFaults } from './faults/deep/concurrency.ts';
import type { DeepFault } from './faults/deep/define.ts';
import { informationFaults } from './faults/deep/information.ts';
import { interactionFaults } from './faults/deep/interaction.ts';
import { rareValueFaults } from './faults/deep/rare-value.ts';
import { robustnessFaults } from './faults/deep/robustness.ts';
import { stateFaults } from './faults/deep/state.ts';
import { timeFaults } from './faults/deep/time.ts';
import { volumeFaults } from './faults/deep/volume.ts';

export type { DeepFault, DeepKind } from './faults/deep/define.ts';

/** Defects that show only in a combination, a rare value, a state, a volume, a race, at a moment, or as information. */
export const deepFaults: readonly DeepFault[] = [
  ...interactionFaults,
  ...rareValueFaults,
  ...stateFaults,
  ...volumeFaults,
  ...concurrencyFaults,
  ...timeFaults,
  ...informationFaults,
  ...robustnessFaults,
];
