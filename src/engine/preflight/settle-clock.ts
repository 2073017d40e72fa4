import { MissingValue } from '../../model/template.ts';
import { isOff } from '../../wire/send/skew.ts';
import { awaitDenied } from '../case/deliveries.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, Unmet, type World } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { carrierNow } from '../context/scope.ts';
import { caseOf } from './case.ts';
import { firstToAsk } from './clients.ts';

const disproved = 'a Date that is off its own clock: a request dated by it was refused, and one dated by ours was not';

/** What is refused by the clock of the headers, and accepted by ours, shows that the headers tell of another clock. */
async function compare(ctx: CaseContext, isFreshAt: NonNullable<World['interface']['isFreshAt']>): Promise<void> {
  const { world } = ctx;
  const { skew } = world;
  const edge = (skew.current()?.offset ?? 0) < 0 ? 'past' : 'future';
  const isAccepted = (): Promise<boolean> => isFreshAt(Math.floor(carrierNow(world) / 1000), edge, ctx);
  if (await isAccepted()) return;
  skew.disbelieve(disproved);
  let settled = false;
  try {
    settled = await isAccepted();
  } finally {
    if (!settled) skew.disbelieve(undefined);
  }
}

/**
 * Asks the carrier which clock it goes by, where its `Date` is off ours: what stands in front of it may write that field by a
 * clock of its own. Sends nothing where both agree, nor on a virtual clock.
 */
export async function settleClock(world: World): Promise<void> {
  const { isFreshAt } = world.interface;
  const skew = world.timeline.kind === 'real' ? world.skew.current() : undefined;
  const assignment = firstToAsk(world);
  if (isFreshAt === undefined || skew === undefined || !isOff(skew) || assignment === undefined) return;
  const ctx = openContext(world, { case: caseOf('preflight clock', assignment.client), assignment });
  try {
    await compare(ctx, isFreshAt);
    await awaitDenied(ctx);
  } catch (error) {
    // What cannot be asked settles nothing: the cases say why, and a run that was stopped has none.
    if (!(error instanceof Unmet || error instanceof MissingValue || error instanceof Interrupted)) throw error;
  } finally {
    closeInboxes(ctx);
  }
}
