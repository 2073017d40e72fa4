import type { DeepFault } from './define.ts';

export const timeFaults: readonly DeepFault[] = [];
