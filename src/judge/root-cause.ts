import { omitUndefined } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import type { CaseResult, InvariantResult } from '../model/result.ts';
import { type Verdict, worstVerdict } from '../model/rule.ts';
import { countedVerdict } from './rule-book.ts';

type CaseSummary = Omit<CaseResult, 'messages'>;

/** Whether no wrong target file explains a finding: tokens came that must not have come (P21). */
export const standsAnyway = ({ carries, unstable }: Finding): boolean => carries !== undefined && unstable !== true;

const keepsVerdict = (verdict: Verdict): boolean =>
  verdict === 'not-run' || verdict === 'not-applicable' || verdict === 'error';

/** Whether a case has no verdict because a request that it builds on failed. */
const isCaseOpen = ({ verdict, unmet, followsFrom }: CaseSummary): boolean =>
  verdict === 'inconclusive' && (unmet !== undefined || followsFrom !== undefined);

/** `settleCase` for a case without its messages. */
export function settleSummary(ended: CaseSummary, reason: string): CaseSummary {
  const { verdict, findings, confirmation, followsFrom } = ended;
  if (keepsVerdict(verdict)) return ended;
  const kept = findings.filter(standsAnyway);
  const isSettled = followsFrom === undefined && ended.reason === reason;
  if (kept.length === findings.length && (isSettled || !isCaseOpen(ended))) return ended;
  const { confirmation: _, followsFrom: __, ...rest } = ended;
  const isConfirmed = kept.some(({ level }) => level === 'required');
  return {
    ...rest,
    findings: kept,
    reason,
    verdict: worstVerdict([...kept.map(countedVerdict), 'inconclusive']) ?? 'inconclusive',
    ...omitUndefined({ confirmation: isConfirmed ? confirmation : undefined }),
  };
}

/**
 * A case of a run in which the carrier refuses the plain request of a client (P14): the refusal explains its findings, except tokens
 * that came. Returns the case itself if nothing changes.
 */
export function settleCase(ended: CaseResult, reason: string): CaseResult {
  const { messages, ...summary } = ended;
  const settled = settleSummary(summary, reason);
  return settled === summary ? ended : { ...settled, messages };
}

/** An invariant of such a run: the messages that broke it were not judged. */
export function settleInvariant(judged: InvariantResult, reason: string): InvariantResult {
  const { verdict, findings, violations, unjudged = 0 } = judged;
  const kept = findings.filter(standsAnyway);
  if (keepsVerdict(verdict) || kept.length === findings.length) return judged;
  if (kept.some((one) => countedVerdict(one) === 'fail')) {
    const broke = new Set(kept.map(({ message }) => message)).size;
    return { ...judged, findings: kept, violations: broke, verdict: 'fail' };
  }
  const { confirmation: _, ...rest } = judged;
  const open = { judged: judged.judged - violations, unjudged: unjudged + violations, violations: 0 };
  return { ...rest, ...open, findings: [], verdict: 'inconclusive', reason };
}
