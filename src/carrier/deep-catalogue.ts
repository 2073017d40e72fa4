import type { DeepFault } from './faults/deep/define.ts';

export type { DeepFault, DeepKind } from './faults/deep/define.ts';

/** Defects that show only in a combination, a rare value, a state, a volume, a race, at a moment, or as information. */
export const deepFaults: readonly DeepFault[] = [];
