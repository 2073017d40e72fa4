import type { DeepFault } from './define.ts';

export const concurrencyFaults: readonly DeepFault[] = [];
