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
 * is asked only where a request would outlive the observation window; the others are waited out. The steps that are kept stay pending, and so many of the newest others as there is room for.
 */
export async function denyPending(
  ctx: CaseContext,
  { kept = new Set(), room = 0 }: { readonly kept?: ReadonlySet<string>; readonly room?: number } = {},
): Promise<void> {
  const { target, interface: certified } = ctx.world;
  const longest = isAttended(target.drivers['deny']) ? certified.timing.longestWatch : 0;
  const waiting = ctx.state.inboxes.filter((inbox) => {
    const { sentAt = 0, granted = 0 } = inbox.response ?? {};
    const isOpen = isPending(inbox) && !inbox.decided && (sentAt + granted) * 1000 > ctx.now();
    return isOpen && granted > longest && !kept.has(inbox.step);
  });
  for (const inbox of waiting.slice(0, Math.max(0, waiting.length - room))) await deny(inbox, ctx);
}
