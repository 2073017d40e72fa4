import { isStale, unexpectedOf } from '../model/expected.ts';
import type { StopKind } from '../model/error-codes.ts';
import type { CaseResult, Result } from '../model/result.ts';

/** What the process ends with. */
export const exitCodes = {
  conformant: 0,
  'not conformant': 1,
  usage: 2,
  unreachable: 3,
  incomplete: 4,
  internal: 5,
  interrupted: 130,
} as const;

export function exitCodeOfStop(kind: StopKind): number {
  return exitCodes[kind];
}

const isOurs = ({ verdict }: Pick<CaseResult, 'verdict'>): boolean => verdict === 'error';

/** First an unexpected violation, or an entry of expected.yaml to delete; then a fault of our own; then what is missing. */
export function exitCodeOf({ footer, rules }: Pick<Result, 'footer' | 'rules'>): number {
  if (footer === undefined || footer.interrupted) return exitCodes.interrupted;
  const { expected = [], outcome, reasons } = footer;
  const broken = expected.some(isStale) || unexpectedOf(rules, expected).length > 0;
  if (broken || (outcome === 'not conformant' && expected.length === 0)) return exitCodes['not conformant'];
  if (rules.some(isOurs)) return exitCodes.internal;
  return outcome === 'incomplete' || reasons.length > 0 ? exitCodes.incomplete : exitCodes.conformant;
}
