import type { DeepFault } from './define.ts';

export const stateFaults: readonly DeepFault[] = [];
