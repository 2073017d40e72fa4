import { wasThrottled } from '../../judge/throttled.ts';
import type { CaseResult } from '../../model/result.ts';
import { attempt } from './attempt.ts';
import { type Confirming, type First, onceOnly } from './confirm.ts';

/**
 * A case that a throttled step kept from a verdict runs a second time. The invariants judge the messages of both times: each
 * was heard once.
 */
export async function runLater({ planned, order, result }: First, confirming: Confirming): Promise<CaseResult> {
  const { world, again } = confirming;
  if (!again || !wasThrottled(result) || onceOnly(planned, confirming) !== undefined) return result;
  const { case: given, assignment } = planned;
  const { invariants } = world;
  const later = await attempt({ case: given, assignment, of: given.id, order, name: 'later', invariants }, world);
  if ('impossible' in later) return result;
  return { ...later, startedAt: result.startedAt, messages: [...result.messages, ...later.messages] };
}
