import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';

/** Finished case in memory; its messages are in the journal. */
export type Summary = Omit<CaseResult, 'messages'>;

type Unfinished = 'not-run' | 'not-applicable' | 'error';

type Identity = Pick<CaseResult, 'id' | 'title' | 'suite' | 'area' | 'position' | 'rules'>;

export const identityOf = ({ id, title, suite, area, position, rules }: Identity): Identity => ({
  id,
  title,
  suite,
  area,
  position,
  rules,
});

/** Result without a verdict about the carrier: the case did not run or did not finish. */
export function unfinished(given: Case, reason: string, verdict: Unfinished): CaseResult {
  return { ...identityOf(given), verdict, reason, findings: [], recorded: {}, startedAt: 0, endedAt: 0, messages: [] };
}
