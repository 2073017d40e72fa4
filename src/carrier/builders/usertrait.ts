import type { SubscriberState } from '../state/accounts.ts';
import type { JsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import type { Refusal } from '../refusal.ts';

interface TenureContext {
  readonly policy: Policy;
  /** Milliseconds. */
  readonly now: number;
}

/** Decision and responses on a SIM's tenure (§2.8), by name; a fault replaces one. */
export interface TraitBuilders {
  readonly tenure: (subscriber: SubscriberState, moment: TenureContext) => 'true' | 'false' | 'error';
  readonly response: (tenure: string) => JsonObject;
  readonly refusal: (refusal: Refusal) => JsonObject;
}

export const strictTraits: TraitBuilders = {
  tenure: simTenure,
  response: (tenure) => ({ sim_tenure: tenure }),
  refusal: ({ error, description }) => ({ error, error_description: description }),
};

/** §1.5, §2.8: true for 24 hours after a SIM change; a swap that the carrier cannot see yet (§2.11) does not count. */
function simTenure(
  { simUnknown, simChangedAt, simSeenAt }: SubscriberState,
  { policy, now }: TenureContext,
): 'true' | 'false' | 'error' {
  if (simUnknown) return 'error';
  const age = now - (simChangedAt ?? -Infinity);
  const isSeen = now >= (simSeenAt ?? -Infinity);
  return isSeen && age < policy.simTenureWindow * 1000 ? 'true' : 'false';
}
