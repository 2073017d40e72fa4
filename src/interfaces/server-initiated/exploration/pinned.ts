import { actionOf } from '../../../explore/chains/link.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { acceptedRule } from './part.ts';

/** What the user does with a request: the newest one, where a step does not say which. */
const decisions: ReadonlySet<string> = new Set(['approve', 'deny', 'ignore', 'open-app']);

function pinnedStep(step: JsonObject, newest: string): JsonObject {
  const { trigger } = step;
  if (step['await'] === 'callback' || step['look'] !== undefined) return { of: newest, ...step };
  const action = actionOf(step);
  if (action === undefined || !decisions.has(action)) return step;
  return { ...step, trigger: { of: newest, ...(isJsonObject(trigger) ? trigger : { action }) } };
}

/** A request that a case takes for accepted must be so behind others as well. */
const accepted = { expect: { outcome: 'accepted', rule: acceptedRule } };

const isUnsaid = ({ expect, times, control }: JsonObject): boolean =>
  expect === undefined && times === undefined && control !== false;

/** Steps that mean the same requests between the steps of others, and say what they take for granted. */
export function pinned(steps: readonly JsonObject[]): readonly JsonObject[] {
  let newest: string | undefined;
  return steps.map((step, at) => {
    if (step['authorize'] === undefined) return newest === undefined ? step : pinnedStep(step, newest);
    newest = typeof step['as'] === 'string' ? step['as'] : `step${at + 1}`;
    return { ...step, as: newest, ...(isUnsaid(step) ? accepted : {}) };
  });
}
