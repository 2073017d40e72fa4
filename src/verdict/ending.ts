import { isStale } from './expected.ts';
import type { Ending, Result, ResultFooter } from '../model/result.ts';
import type { RunOutcome } from '../model/rule.ts';

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

/** Exit code of each ending. */
export const endingCodes = {
  conformant: exitCodes.conformant,
  unjudged: exitCodes.conformant,
  expected: exitCodes.conformant,
  broken: exitCodes['not conformant'],
  stale: exitCodes['not conformant'],
  internal: exitCodes.internal,
  incomplete: exitCodes.incomplete,
  interrupted: exitCodes.interrupted,
} as const satisfies Readonly<Record<Ending, number>>;

/** Ending of a run by its outcome alone. */
const outcomeEndings = {
  conformant: 'conformant',
  'not conformant': 'expected',
  incomplete: 'incomplete',
  'not judged': 'unjudged',
} as const satisfies Readonly<Record<RunOutcome, Ending>>;

/** Decides the ending of a run: first what broke, then what is missing. */
export function concludeEnding({
  footer,
  rules,
}: Pick<Result, 'rules'> & {
  readonly footer: Pick<ResultFooter, 'interrupted' | 'expected' | 'outcome' | 'reasons'>;
}): Ending {
  if (footer.interrupted) return 'interrupted';
  const { expected = [], outcome, reasons } = footer;
  if (rules.some(({ standing }) => standing === 'broken')) return 'broken';
  if (expected.some(isStale)) return 'stale';
  if (rules.some(({ verdict }) => verdict === 'error')) return 'internal';
  return reasons.length > 0 ? 'incomplete' : outcomeEndings[outcome];
}

/** Ending of a run, for all reports; one that was cut off was interrupted. */
export const runEnding = ({ footer }: Pick<Result, 'footer'>): Ending => footer?.ending ?? 'interrupted';

/** Exit code of a run. */
export const runExitCode = (result: Pick<Result, 'footer'>): number => endingCodes[runEnding(result)];
