import { withPrefix } from '../../../explore/chains/link.ts';
import { type Probe, wholeProbe } from '../../../explore/exploration.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Abilities } from './abilities.ts';
import { acceptedSteps, type Decision, decisions, trigger } from './accepted.ts';
import { expectationOf } from './points.ts';
import { filled, objectOf, type Row, rowsIn, stepsWith, textOf, textsOf } from './rows.ts';

const outcomes = ['accepted', 'denied', 'denied-or-dropped', 'answered'] as const;

export interface Single {
  readonly title: string;
  readonly difference: JsonObject;
  readonly rule: string;
  /** `answered`: what becomes of it is open, but for 5xx and silence. */
  readonly outcome: (typeof outcomes)[number];
  readonly error?: readonly string[];
  /** What becomes of it where it is accepted; an approval unless said. */
  readonly decision?: Decision;
  /** It is not sent before this long after what was sent before: an hour makes a jti that is always the same a new one. */
  readonly after?: string;
  /** The phone and the id token show one text, where it is accepted (§2.3 context). */
  readonly shown?: boolean;
  /** Its refusal has the form that §2.5 states. */
  readonly refusal?: boolean;
  /** The same jti is sent once more, and refused. */
  readonly again?: boolean;
}

/** What may be accepted is approved where that needs no person: its callback shows what the carrier understood. */
function stepsOf(single: Single, prefix: string, abilities: Abilities): readonly JsonObject[] {
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
  const request = { as: `${prefix}request`, authorize: difference, expect: [expectationOf(single), ...form] };
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
    // It may be refused by callback as well (§4.1); what it says is judged by invariants.
    expect: { rule: 'CB-001', body: { type: 'object' } },
  };
  return [request, ...(shown === true && abilities.look ? [look] : []), trigger('approve', { prefix }), result];
}

/** Where the request is refused, nothing is granted: what stands behind it would go untried. */
const readsGranted = ({ decision }: Single): boolean => decision === 'approve late' || decision === 'time-out';

/** A value that differs from those that are known is not there for every target: what stands behind it would go untried. */
const mayHaveNoValue = (json: Json): boolean => JSON.stringify(json).includes('unlisted(');

/** Broken bytes are not approved, whatever becomes of them. */
export function singleProbe(single: Single, kind: Probe['kind'], abilities: Abilities): Probe {
  const approve = abilities.approve && (kind !== 'bytes' || single.outcome === 'accepted');
  return wholeProbe({
    kind,
    title: single.title,
    rules: [single.rule],
    steps: (prefix) => stepsOf(single, prefix, { ...abilities, approve }),
    alone: mayHaveNoValue(single.difference) || readsGranted(single),
    requests: 1,
  });
}

function singleOf({ title, json, values }: Row): Single {
  const { difference = '$difference', rule, outcome, error, decision, after, shown, refusal, again } = json;
  return {
    title,
    difference: objectOf(filled(difference, values)),
    rule: textOf(rule),
    outcome: outcomes.find((one) => one === outcome) ?? 'answered',
    ...(error === undefined ? {} : { error: textsOf(error) }),
    decision: decisions.find((one) => one === decision) ?? 'approve',
    ...(after === undefined ? {} : { after: textOf(after) }),
    shown: shown === true,
    refusal: refusal === true,
    again: again === true,
  };
}

function callsOf({ title, json, values }: Row, kind: Probe['kind'], abilities: Abilities): Probe {
  const steps = stepsWith(json['steps'], values, { abilities, deviations: [] });
  const { client } = json;
  return wholeProbe({
    kind,
    title,
    setting: typeof client === 'string' ? { client } : {},
    rules: [textOf(json['rule'])],
    steps: (prefix) => withPrefix(steps, prefix),
    alone: json['alone'] === true || mayHaveNoValue([...steps]),
    requests: 1,
  });
}

/** The probes of a list of a file of suites/exploration: requests, and calls of other endpoints. */
export const probesOf = (list: Json | undefined, kind: Probe['kind'], abilities: Abilities): readonly Probe[] =>
  rowsIn(list, abilities).map((row) =>
    row.json['steps'] === undefined ? singleProbe(singleOf(row), kind, abilities) : callsOf(row, kind, abilities),
  );
