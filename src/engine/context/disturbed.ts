import type { CaseResult } from '../../model/result.ts';

/** How the reason of a case begins that our own machine disturbed. */
export const underWay = 'while the case was under way, ';

/** How a disturbance begins after which a case is not run again: the carrier's clock would have to be known first. */
export const clockSet = 'the clock of this machine was set ';

/** Whether a case has no verdict because of our own machine, and can have one when it is run again. */
export const wasDisturbed = ({ verdict, reason = '' }: Pick<CaseResult, 'verdict' | 'reason'>): boolean =>
  verdict === 'inconclusive' && reason.startsWith(underWay) && !reason.startsWith(`${underWay}${clockSet}`);
