import { omitUndefined } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import type { CaseResult, InvariantResult, RootCause } from '../model/result.ts';
import { renderRuleRef, type Verdict, worstVerdict } from '../model/rule.ts';
import { countedVerdict, seenOften } from './standing.ts';

type CaseSummary = Omit<CaseResult, 'messages'>;

/** Why nothing else of a run means anything, and the clients for which it does. */
export interface Root extends Pick<RootCause, 'accepted'> {
  readonly reason: string;
}

/** Whether the refusal says nothing about a client: the carrier accepted its plain request. */
export const isSpared = (client: string | undefined, { accepted }: Pick<Root, 'accepted'>): boolean =>
  client !== undefined && accepted.includes(client);

/**
 * Whether no wrong target file explains a finding: tokens came that must not have come (P21), or the plain request was refused, and accepted
 * with what is optional changed (P12).
 */
export const standsAnyway = ({ carries, code, unstable }: Finding): boolean =>
  (carries !== undefined || code === 'demanded') && unstable !== true;

const keepsVerdict = (verdict: Verdict): boolean =>
  verdict === 'not-run' || verdict === 'not-applicable' || verdict === 'error';

/** Whether a case has no verdict because a request that it builds on failed. */
const isCaseOpen = ({ verdict, unmet, followsFrom }: CaseSummary): boolean =>
  verdict === 'inconclusive' && (unmet !== undefined || followsFrom !== undefined);

/** `settleCase` for a case without its messages. */
export function settleSummary(ended: CaseSummary, root: Root): CaseSummary {
  const { verdict, findings, confirmation, followsFrom } = ended;
  const { reason } = root;
  if (keepsVerdict(verdict) || isSpared(ended.client, root)) return ended;
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
export function settleCase(ended: CaseResult, root: Root): CaseResult {
  const { messages, ...summary } = ended;
  const settled = settleSummary(summary, root);
  return settled === summary ? ended : { ...settled, messages };
}

/** An invariant of such a run: the messages that broke it were not judged, except those of spared cases that were confirmed, or that many show. */
export function settleInvariant(judged: InvariantResult, reason: string, spared: ReadonlySet<string>): InvariantResult {
  const { verdict, findings, violations, unjudged = 0, confirmation: seen } = judged;
  const ofSpared = findings.filter(({ seenIn }) => seenIn !== undefined && spared.has(seenIn));
  const often = seenOften(ofSpared);
  const isKept = (one: Finding): boolean =>
    ofSpared.includes(one) && (seen?.status === 'confirmed' || often.has(renderRuleRef(one)));
  const kept = findings.filter((one) => standsAnyway(one) || isKept(one));
  if (keepsVerdict(verdict) || kept.length === findings.length) return judged;
  if (kept.some((one) => countedVerdict(one) === 'fail')) {
    const broke = new Set(kept.map(({ message }) => message)).size;
    return { ...judged, findings: kept, violations: broke, verdict: 'fail' };
  }
  const { confirmation: _, ...rest } = judged;
  const open = { judged: judged.judged - violations, unjudged: unjudged + violations, violations: 0 };
  return { ...rest, ...open, findings: [], verdict: 'inconclusive', reason };
}
