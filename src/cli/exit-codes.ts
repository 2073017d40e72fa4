import { exitCodes as codes, endingCodes, endingOf } from '../model/ending.ts';
import type { StopKind } from '../model/problem.ts';
import type { Result } from '../model/result.ts';

export const exitCodes = codes;

export const exitCodeOfStop = (kind: StopKind): number => exitCodes[kind];

/** First an unexpected violation, or an entry of expected.yaml to delete; then a fault of our own; then what is missing. */
export const exitCodeOf = (result: Pick<Result, 'footer' | 'rules'>): number => endingCodes[endingOf(result)];
