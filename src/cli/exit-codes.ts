import { exitCodes as codes, endingCodes, runEnding } from '../model/ending.ts';
import type { StopKind } from '../model/problem.ts';
import type { Result } from '../model/result.ts';

export const exitCodes = codes;

export const stopExitCode = (kind: StopKind): number => exitCodes[kind];

/** Precedence: an unexpected violation or a stale entry of expected.yaml, then an internal error, then missing verdicts. */
export const resultExitCode = (result: Pick<Result, 'footer' | 'rules'>): number => endingCodes[runEnding(result)];
