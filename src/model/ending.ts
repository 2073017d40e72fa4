import { isStale, unexpectedFailures } from './expected-failure.ts';
import type { Result } from './result.ts';
import type { RunOutcome } from './rule.ts';

/** Exit codes of the process. */
export const exitCodes = {
  conformant: 0,
  'not conformant': 1,
  usage: 2,
  unreachable: 3,
  incomplete: 4,
  internal: 5,
  interrupted: 130,
} as const;

/**
 * Endings of a run with their exit codes. `expected`: every broken rule is expected. `unjudged`: nothing is broken and no required rule was
 * judged. `stale`: an entry has to be deleted.
 */
export const endingCodes = {
  conformant: exitCodes.conformant,
  unjudged: exitCodes.conformant,
  expected: exitCodes.conformant,
  broken: exitCodes['not conformant'],
  stale: exitCodes['not conformant'],
  internal: exitCodes.internal,
  incomplete: exitCodes.incomplete,
  interrupted: exitCodes.interrupted,
} as const;

export type Ending = keyof typeof endingCodes;

/** Ending of a run by its outcome alone. */
const outcomeEndings = {
  conformant: 'conformant',
  'not conformant': 'expected',
  incomplete: 'incomplete',
  'not judged': 'unjudged',
} as const satisfies Readonly<Record<RunOutcome, Ending>>;

/** Decides the ending for the exit code and all reports: first what broke, then what is missing. */
export function runEnding({ footer, rules }: Pick<Result, 'footer' | 'rules'>): Ending {
  if (footer === undefined || footer.interrupted) return 'interrupted';
  const { expected = [], outcome, reasons } = footer;
  const unexpected = unexpectedFailures(rules, expected);
  if (unexpected.length > 0 || (outcome === 'not conformant' && expected.length === 0)) return 'broken';
  if (expected.some(isStale)) return 'stale';
  if (rules.some(({ verdict }) => verdict === 'error')) return 'internal';
  return reasons.length > 0 ? 'incomplete' : outcomeEndings[outcome];
}

/** Whether a build with this ending is red. */
export const isRed = (ending: Ending): boolean => endingCodes[ending] !== exitCodes.conformant;
