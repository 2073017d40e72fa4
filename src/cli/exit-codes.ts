import { exitCodes as codes } from '../verdict/ending.ts';
import type { StopKind } from '../model/problem.ts';

export { runExitCode } from '../verdict/ending.ts';
export const exitCodes = codes;

export const stopExitCode = (kind: StopKind): number => exitCodes[kind];
