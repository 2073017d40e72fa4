import type { Probe } from '../../../explore/probe.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { type Abilities, acceptedSteps } from './accepted.ts';

/** One request, and what a conforming carrier may do with it. */
export interface Single {
  readonly title: string;
  readonly difference: JsonObject;
  readonly rule: string;
  /** `answered`: what becomes of it is open, but for 5xx and silence. */
  readonly outcome: 'accepted' | 'denied' | 'denied-or-dropped' | 'answered';
  readonly error?: readonly string[];
  readonly client?: string;
  readonly control?: JsonObject;
}

const triggerOf = (prefix: string): JsonObject => ({
  as: `${prefix}decision`,
  trigger: { action: 'approve', of: `${prefix}request`, ifPossible: true },
});

/** What may be accepted is approved where that needs no person: its callback shows what the carrier understood. */
function stepsOf(single: Single, prefix: string, abilities: Abilities): readonly JsonObject[] {
  const { difference, rule, outcome, error } = single;
  if (outcome === 'accepted') return acceptedSteps({ difference, rule, decision: 'approve', prefix, abilities });
  const expected: Record<string, Json> = { outcome, rule };
  if (error !== undefined) expected['error'] = [...error];
  const request = { as: `${prefix}request`, authorize: difference, expect: expected };
  if (outcome !== 'answered' || !abilities.approve) return [request];
  const result = { as: `${prefix}result`, await: 'callback', of: `${prefix}request`, until: `${prefix}request + 60s` };
  return [request, triggerOf(prefix), { ...result, expect: { outcome: 'no-error', rule: 'FLOW-002' } }];
}

export const singleProbe = (single: Single, kind: Probe['kind'], abilities: Abilities): Probe => ({
  kind,
  base: single.title,
  rules: [single.rule],
  title: () => single.title,
  setting: () => (single.client === undefined ? {} : { client: single.client }),
  parts: [],
  steps: (_, prefix) => stepsOf(single, prefix, abilities),
  control: single.control ?? {},
  alone: false,
  requests: 1,
});
