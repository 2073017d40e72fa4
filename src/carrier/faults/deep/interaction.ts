import type { DeepFault } from './define.ts';

export const interactionFaults: readonly DeepFault[] = [];
