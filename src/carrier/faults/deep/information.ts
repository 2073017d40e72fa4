import type { DeepFault } from './define.ts';

export const informationFaults: readonly DeepFault[] = [];
