import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type Abilities, acceptedSteps, type Decision, trigger } from './accepted.ts';
import { expectationOf } from './points.ts';

/** One request, and what a conforming carrier may do with it. */
export interface Single {
  readonly title: string;
  readonly difference: JsonObject;
  readonly rule: string;
  /** `answered`: what becomes of it is open, but for 5xx and silence. */
  readonly outcome: 'accepted' | 'denied' | 'denied-or-dropped' | 'answered';
  readonly error?: readonly string[];
  /** What becomes of it where it is accepted; an approval unless said. */
  readonly decision?: Decision;
  /** It is not sent before this long after what was sent before: an hour makes a jti that is always the same a new one. */
  readonly after?: string;
  /** The phone and the id token show one text, where it is accepted (§2.3 context). */
  readonly shown?: true;
  /** Its refusal has the form that §2.5 states. */
  readonly refusal?: true;
  /** The same jti is sent once more, and refused. */
  readonly again?: true;
}

const againSteps = ({ again }: Single, prefix: string): readonly JsonObject[] =>
  again === undefined
    ? []
    : [
        {
          as: `${prefix}repeated`,
          by: `${prefix}request + 4m50s`,
          authorize: { claims: { jti: `{{ ${prefix}request.claims.jti }}` } },
          expect: { outcome: 'denied-or-dropped', rule: 'REQ-015' },
        },
      ];

/** What may be accepted is approved where that needs no person: its callback shows what the carrier understood. */
function stepsOf(single: Single, prefix: string, abilities: Abilities): readonly JsonObject[] {
  const { difference, rule, outcome, decision = 'approve' } = single;
  if (outcome === 'accepted') {
    const [sent, ...rest] = acceptedSteps({ difference, rule, decision, prefix, abilities });
    const moment = single.after === undefined ? {} : { at: `now + ${single.after}` };
    return sent === undefined ? [] : [{ ...sent, ...moment }, ...rest, ...againSteps(single, prefix)];
  }
  const form = single.refusal === true ? [{ rule: 'TRN-015', check: 'refusal-form' }] : [];
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
  };
  const shows = single.shown === true && abilities.look ? [look] : [];
  return [
    request,
    ...shows,
    trigger('approve', { prefix }),
    // It may be refused by callback as well (§4.1); what it says is judged by invariants.
    { ...result, expect: { rule: 'CB-001', body: { type: 'object' } } },
  ];
}

/** Where the request is refused, nothing is granted: what stands behind it would go untried. */
const readsGranted = ({ decision }: Single): boolean => decision === 'approve late' || decision === 'time-out';

/** A value that differs from those that are known is not there for every target: what stands behind it would go untried. */
export const mayHaveNoValue = (step: JsonObject): boolean => JSON.stringify(step).includes('unlisted(');

export const singleProbe = (single: Single, kind: Probe['kind'], abilities: Abilities): Probe =>
  wholeProbe({
    kind,
    title: single.title,
    rules: [single.rule],
    steps: (prefix) => stepsOf(single, prefix, abilities),
    alone: mayHaveNoValue(single.difference) || readsGranted(single),
    requests: 1,
  });
