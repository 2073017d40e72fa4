import type { Step } from '../../suite/suites.ts';
import type { AnyAct } from '../../suite/verbs/define.ts';
import type { CaseContext } from '../context/case-context.ts';
import { denyPending } from '../drive/deny-pending.ts';
import { verbOf } from './verb.ts';

const nameOf = (act: AnyAct): string | undefined => ('of' in act && typeof act.of === 'string' ? act.of : undefined);

/** A target that names so many cases of a subscriber, or fewer, says that few of its requests may wait. */
const fewCases = 4;
/** Requests that may wait then beside those of later steps. */
const few = 3;

/** How many requests may wait that no later step is about. */
function roomOf({ target, interface: { severalPending: word } }: CaseContext['world']): number {
  if (word !== undefined && target.supports[word] === false) return 0;
  return (target.casesPerSubscriber ?? Infinity) <= fewCases ? few : Infinity;
}

/**
 * Makes room for the request of a step, where one request of a subscriber or few can wait: the oldest that no later step is about
 * are denied, as they would be when the case ends.
 */
export async function makeRoom(step: Step, ctx: CaseContext): Promise<void> {
  const room = roomOf(ctx.world);
  if (room === Infinity || !verbOf(step.act, ctx.world.interface.verbs).makes.includes('request')) return;
  const { steps } = ctx.case;
  const later = steps.slice(steps.findIndex(({ name }) => name === step.name));
  await denyPending(ctx, { kept: new Set(later.flatMap(({ act }) => nameOf(act) ?? [])), room });
}
