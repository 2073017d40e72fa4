import { prefixSteps } from '../explore/chains/link.ts';
import { type Probe, wholeProbe } from '../explore/exploration.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { TargetAbilities } from './abilities.ts';
import { acceptedSteps, type UserDecision, decisionNames, decisionStep } from './accepted-steps.ts';
import { outcomeExpectation } from './request-points.ts';
import {
  fillReferences,
  objectOrNone,
  type ExplorationRow,
  readListRows,
  expandSteps,
  rowText,
  rowTexts,
} from './rows.ts';

const singleOutcomes = ['accepted', 'denied', 'denied-or-dropped', 'answered'] as const;

export interface SingleRequest {
  readonly title: string;
  readonly difference: JsonObject;
  readonly rule: string;
  /** `answered`: any outcome but 5xx and silence. */
  readonly outcome: (typeof singleOutcomes)[number];
  readonly error?: readonly string[];
  /** Decision if it is accepted. Default: approve. */
  readonly decision?: UserDecision;
  /** Wait before it is sent; after an hour, a jti that is always the same is new. */
  readonly after?: string;
  /** If accepted, the phone does not show a context decoded twice (§2.3 context). */
  readonly shown?: boolean;
  /** Its refusal has the form that §2.5 states. */
  readonly refusal?: boolean;
  /** The same jti is sent once more, and refused. */
  readonly again?: boolean;
}

/** Approves a request that may be accepted, if that needs no person: its callback shows how the carrier understood it. */
function singleSteps(single: SingleRequest, prefix: string, abilities: TargetAbilities): readonly JsonObject[] {
  const { difference, rule, outcome, decision = 'approve', after, again, refusal, shown } = single;
  if (outcome === 'accepted') {
    const [sent, ...rest] = acceptedSteps({ difference, rule, decision, prefix, abilities });
    const repeated: JsonObject = {
      as: `${prefix}repeated`,
      by: `${prefix}request + 4m50s`,
      authorize: { claims: { jti: `{{ ${prefix}request.claims.jti }}` } },
      expect: { outcome: 'denied-or-dropped', rule: 'REQ-015' },
    };
    const moment = after === undefined ? {} : { at: `now + ${after}` };
    return [{ ...sent, ...moment }, ...rest, ...(again === true ? [repeated] : [])];
  }
  const form = refusal === true ? [{ rule: 'TRN-015', check: 'refusal-form' }] : [];
  const request = { as: `${prefix}request`, authorize: difference, expect: [outcomeExpectation(single), ...form] };
  if (outcome !== 'answered' || !abilities.approve) return [request];
  const look = {
    as: `${prefix}card`,
    look: 'card',
    of: `${prefix}request`,
    expect: { rule: 'REQ-078', check: 'card-context-not-decoded-twice' },
  };
  const result = {
    as: `${prefix}result`,
    await: 'callback',
    of: `${prefix}request`,
    until: `${prefix}request + target.latency.callback + 60s`,
    // It may also be refused by callback (§4.1); invariants judge its content.
    expect: { rule: 'CB-001', body: { type: 'object' } },
  };
  return [request, ...(shown === true && abilities.look ? [look] : []), decisionStep('approve', { prefix }), result];
}

/** Whether steps read the granted life, which a refused request has not: steps behind it would go untried. */
const readsGranted = ({ decision }: SingleRequest): boolean => decision === 'approve late' || decision === 'time-out';

/** Whether a target may have no such value: steps behind it would go untried. */
const mayHaveNoValue = (json: Json): boolean => JSON.stringify(json).includes('unlisted(');

/** Probe of a single; a request of broken bytes is approved only if it must be accepted. */
export function singleProbe(single: SingleRequest, kind: Probe['kind'], abilities: TargetAbilities): Probe {
  const approve = abilities.approve && (kind !== 'bytes' || single.outcome === 'accepted');
  return wholeProbe({
    kind,
    title: single.title,
    rules: [single.rule],
    steps: (prefix) => singleSteps(single, prefix, { ...abilities, approve }),
    alone: mayHaveNoValue(single.difference) || readsGranted(single),
    requests: 1,
  });
}

function readSingle({ title, json, values }: ExplorationRow): SingleRequest {
  const { difference = '$difference', rule, outcome, error, decision, after, shown, refusal, again } = json;
  return {
    title,
    difference: objectOrNone(fillReferences(difference, values)),
    rule: rowText(rule),
    outcome: singleOutcomes.find((one) => one === outcome) ?? 'answered',
    ...(error === undefined ? {} : { error: rowTexts(error) }),
    decision: decisionNames.find((one) => one === decision) ?? 'approve',
    ...(after === undefined ? {} : { after: rowText(after) }),
    shown: shown === true,
    refusal: refusal === true,
    again: again === true,
  };
}

function callProbe({ title, json, values }: ExplorationRow, kind: Probe['kind'], abilities: TargetAbilities): Probe {
  const steps = expandSteps(json['steps'], values, { abilities, deviations: [] });
  const { client } = json;
  return wholeProbe({
    kind,
    title,
    setting: typeof client === 'string' ? { client } : {},
    rules: [rowText(json['rule'])],
    steps: (prefix) => prefixSteps(steps, prefix),
    alone: json['alone'] === true || mayHaveNoValue([...steps]),
    requests: 1,
  });
}

/** Probes of a list in suites/exploration: requests, and calls of other endpoints. */
export const readProbes = (list: Json | undefined, kind: Probe['kind'], abilities: TargetAbilities): readonly Probe[] =>
  readListRows(list, abilities).map((row) =>
    row.json['steps'] === undefined ? singleProbe(readSingle(row), kind, abilities) : callProbe(row, kind, abilities),
  );
