import { omitUndefined } from '../../lib/json.ts';
import type { CaseResult } from '../../model/result.ts';
import { attemptCase } from './plain-case.ts';
import { type ConfirmServices, type FinishedCase, isSerious, isRequired } from './plain-control.ts';
import { attributeToCase } from './refused-value.ts';
import type { Finding } from '../../model/finding.ts';
import { confirmedVerdict } from '../../verdict/standing.ts';
import { reasonNotRerun, triesOfPassing } from './second-try.ts';

/**
 * Runs a case with requests that failed in passing again, without sending any twice: a step that fails in each try is broken, or leaves the
 * case open if it is a control (P26).
 */
export async function confirmPassing(first: FinishedCase, confirming: ConfirmServices): Promise<CaseResult> {
  const { planned, order, result } = first;
  const { case: given, assignment } = planned;
  const { services } = confirming;
  if (!confirming.again || reasonNotRerun(planned, confirming) !== undefined) return result;
  const steps = new Set(result.messages.flatMap((one) => (one.kind === 'exchange' && one.passing ? one.step : [])));
  const failed = ({ step = '' }: Pick<Finding, 'step'>): boolean => steps.has(step);
  let tried = result;
  for (let time = 1; ; time += 1) {
    const again = await attemptCase({ case: given, assignment, of: given.id, order, name: 'again', time }, services);
    if ('impossible' in again) return tried;
    tried = { ...tried, messages: [...tried.messages, ...again.messages] };
    const { reason, unmet } = again;
    const findings = attributeToCase(again.findings.filter(failed), given, services).filter(isSerious);
    if (findings.length === 0 && !failed({ step: unmet ?? '' })) return tried;
    if (time < triesOfPassing) continue;
    const confirmation = findings.some(isRequired) ? { status: 'confirmed' as const } : undefined;
    const open = findings.length > 0 ? {} : omitUndefined({ reason, unmet });
    return {
      ...tried,
      ...open,
      findings,
      verdict: confirmedVerdict(findings, open.reason),
      ...omitUndefined({ confirmation }),
    };
  }
}
