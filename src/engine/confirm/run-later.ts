import { wasThrottled } from '../../judge/throttled.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';
import { isOnlyOnce } from '../act/send-again.ts';
import { attempt } from './attempt.ts';
import { onceOnly } from './confirm.ts';
import type { Confirming, First } from './plain-control.ts';

/**
 * How often such a case runs again. A step that has its moment, or is sent only once, is heard soon or not at all: where one
 * request in seven is throttled, one case in a hundred is not heard twice in a row. Another has waited for a minute already.
 */
const timesOf = ({ steps }: Case, { unmet }: CaseResult): number =>
  steps.some((step) => step.name === unmet && (step.at !== undefined || isOnlyOnce(step))) ? 5 : 1;

/**
 * A case that a throttled step kept from a verdict runs again until it is heard. The invariants judge the messages of every
 * time: each was heard once.
 */
export async function runLater({ planned, order, result }: First, confirming: Confirming): Promise<CaseResult> {
  const { world } = confirming;
  if (!wasThrottled(result) || onceOnly(planned, confirming) !== undefined) return result;
  const { case: given, assignment } = planned;
  const { invariants } = world;
  let heard = result;
  for (let time = 1; time <= timesOf(given, heard) && wasThrottled(heard); time += 1) {
    const trying = { case: given, assignment, of: given.id, order, name: 'later', time, invariants } as const;
    const later = await attempt(trying, world);
    if ('impossible' in later) return heard;
    heard = { ...later, startedAt: result.startedAt, messages: [...heard.messages, ...later.messages] };
  }
  return heard;
}
