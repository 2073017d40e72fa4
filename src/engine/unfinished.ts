import type { CaseResult } from '../model/result.ts';
import type { Case } from '../model/suite.ts';

export type Unfinished = 'not-run' | 'not-applicable' | 'error';

/** A case without a verdict about the carrier: it did not run, or did not come to its end. */
export function unfinished(given: Case, reason: string, verdict: Unfinished): CaseResult {
  const { id, title, suite, area, position, rules } = given;
  return {
    id,
    title,
    suite,
    area,
    position,
    rules,
    verdict,
    reason,
    findings: [],
    recorded: {},
    startedAt: 0,
    endedAt: 0,
    messages: [],
  };
}
