import type { DeepFault } from './define.ts';

export const volumeFaults: readonly DeepFault[] = [];
