import type { Step } from '../../suite/suites.ts';
import type { AnyAct } from '../../suite/verbs/define.ts';
import type { CaseContext } from '../context/case-context.ts';
import { denyPending } from '../drive/deny-pending.ts';
import { verbOf } from './verb.ts';

const nameOf = (act: AnyAct): string | undefined => ('of' in act && typeof act.of === 'string' ? act.of : undefined);

/**
 * Makes room for the request of a step, where one request of a subscriber can wait: what no later step is about is denied, as
 * it would be when the case ends.
 */
export async function makeRoom(step: Step, ctx: CaseContext): Promise<void> {
  const { target, interface: certified } = ctx.world;
  const { severalPending: word, verbs } = certified;
  if (word === undefined || target.supports[word] !== false) return;
  if (!verbOf(step.act, verbs).makes.includes('request')) return;
  const { steps } = ctx.case;
  const later = steps.slice(steps.findIndex(({ name }) => name === step.name));
  await denyPending(ctx, new Set(later.flatMap(({ act }) => nameOf(act) ?? [])));
}
