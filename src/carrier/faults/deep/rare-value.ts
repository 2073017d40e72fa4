import type { DeepFault } from './define.ts';

export const rareValueFaults: readonly DeepFault[] = [];
