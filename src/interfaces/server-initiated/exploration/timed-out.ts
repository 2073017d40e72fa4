import type { JsonObject } from '../../../lib/json.ts';

/** §2.4: what nobody decided never ends in tokens; that it is reported at all is recommended (C1.5). */
export const timedOut: readonly JsonObject[] = [
  { outcome: 'no-tokens', rule: 'FLOW-013' },
  { outcome: 'failed', rule: 'FLOW-013#reported' },
];
