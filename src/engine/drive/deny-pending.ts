import type { CaseContext, RequestInbox } from '../context/case-context.ts';
import { denyRequest, isAttended } from './drive.ts';

/** It was accepted, and no result came. */
export const isPending = ({ response, deliveries }: RequestInbox): boolean =>
  response?.outcome === 'accepted' && deliveries.length === 0;

/** Denies a request. False where that cannot be. */
export const deny = async ({ step, response }: RequestInbox, ctx: CaseContext): Promise<boolean> =>
  response !== undefined && (await denyRequest({ step, response }, ctx))?.done === true;

/**
 * Denies what is pending before the subscriber goes to another case: a carrier may let few requests of one user wait. A person
 * is asked only where a request would outlive the observation window; the others are waited out. The steps that are kept stay pending.
 */
export async function denyPending(ctx: CaseContext, kept: ReadonlySet<string> = new Set()): Promise<void> {
  const { target, interface: certified } = ctx.world;
  const longest = isAttended(target.drivers['deny']) ? certified.timing.longestWatch : 0;
  for (const inbox of ctx.state.inboxes.filter(({ step }) => !kept.has(step))) {
    const { sentAt = 0, granted = 0 } = inbox.response ?? {};
    if (isPending(inbox) && !inbox.decided && granted > longest && (sentAt + granted) * 1000 > ctx.now())
      await deny(inbox, ctx);
  }
}
