import { omitUndefined } from '../../lib/json.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';

/** Finished case in memory; its messages are in the journal. */
export type CaseSummary = Omit<CaseResult, 'messages'>;

type UnfinishedVerdict = 'not-run' | 'not-applicable' | 'error';

type CaseIdentity = Pick<CaseResult, 'id' | 'title' | 'suite' | 'area' | 'position' | 'rules'>;

export const caseIdentity = ({ id, title, suite, area, position, rules }: CaseIdentity): CaseIdentity => ({
  id,
  title,
  suite,
  area,
  position,
  rules,
});

/** Result without a verdict about the carrier: the case did not run or did not finish. */
export function unfinishedResult(given: Case, reason: string, verdict: UnfinishedVerdict, leftOut?: true): CaseResult {
  return {
    ...caseIdentity(given),
    verdict,
    reason,
    ...omitUndefined({ leftOut }),
    findings: [],
    recorded: {},
    startedAt: 0,
    endedAt: 0,
    messages: [],
  };
}

/** Name of the client that sent a message of a case. */
export function senderOf(message: string | undefined, { client, messages }: CaseResult): string | undefined {
  const sent = messages.find(({ id }) => id === message);
  const named = sent?.kind === 'exchange' ? sent.differences.find(({ what }) => what === 'client')?.value : undefined;
  return typeof named === 'string' ? named : client;
}
