import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';

/** What stays in memory of a finished case; its messages are in the journal. */
export type Summary = Omit<CaseResult, 'messages'>;

type Unfinished = 'not-run' | 'not-applicable' | 'error';

type Identity = Pick<CaseResult, 'id' | 'title' | 'suite' | 'area' | 'position' | 'rules'>;

/** What a result says of a case however it ended. */
export const identityOf = ({ id, title, suite, area, position, rules }: Identity): Identity => ({
  id,
  title,
  suite,
  area,
  position,
  rules,
});

/** A case without a verdict about the carrier: it did not run, or did not come to its end. */
export function unfinished(given: Case, reason: string, verdict: Unfinished): CaseResult {
  return { ...identityOf(given), verdict, reason, findings: [], recorded: {}, startedAt: 0, endedAt: 0, messages: [] };
}
