import type { DeepFault } from './define.ts';

export const robustnessFaults: readonly DeepFault[] = [];
