import type { Subscriber } from './accounts.ts';
import type { JsonObject } from './json.ts';
import type { Policy } from './policy.ts';

/** What the carrier knows at the moment of a query. */
export interface TenureMoment {
  readonly policy: Policy;
  /** Milliseconds. */
  readonly now: number;
}

/** What the carrier decides and writes of a SIM's tenure (§2.8), each by a name; a fault replaces one. */
export interface TraitMakers {
  readonly tenure: (subscriber: Subscriber, moment: TenureMoment) => 'true' | 'false' | 'error';
  readonly answer: (tenure: string) => JsonObject;
  readonly isAudited: boolean;
}

export const strictTraits: TraitMakers = {
  tenure: simTenure,
  answer: (tenure) => ({ sim_tenure: tenure }),
  isAudited: true,
};

/** §1.5, §2.8: true for less than 24 hours. */
function simTenure(
  { simUnknown, simChangedAt }: Subscriber,
  { policy, now }: TenureMoment,
): 'true' | 'false' | 'error' {
  if (simUnknown) return 'error';
  const age = now - (simChangedAt ?? -Infinity);
  return age < policy.simTenureWindow * 1000 ? 'true' : 'false';
}
