import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { almost } from './near-misses.ts';
import { mayHaveNoValue } from './single.ts';

/** Members of a SIM query that must equal something exactly (§2.8): whose SIM, for which SP, and which trait. */
const compared = [
  { member: 'sub', rule: 'UT-009', right: 'subscriber.sub', heads: [7, 12, 16, 20] },
  { member: 'client_id', rule: 'UT-008', right: 'client.client_id', heads: [4, 8, 12, 16] },
  { member: 'usertrait', rule: 'UT-011', right: "'sim_tenure'", heads: [3, 8] },
] as const;

/** What a lookup may leave out: then the member is the right one. */
const forgiven = /blank|space|tab|feed|return|accent|byte order|mark|hyphen|NUL|capitals/;

const probeOf = (title: string, rule: string, step: JsonObject): Probe =>
  wholeProbe({
    kind: 'values',
    title,
    rules: [rule],
    steps: (prefix) => [{ as: `${prefix}call`, ...step }],
    alone: mayHaveNoValue(step),
    requests: 1,
  });

/** Near misses of what a SIM query names. */
export const comparedProbes = (): readonly Probe[] =>
  compared.flatMap(({ member, rule, right, heads }) =>
    almost({ right, heads, except: forgiven }).map(([title, template]) =>
      probeOf(`A SIM query whose ${member} is the right one ${title} brings no tenure`, rule, {
        usertrait: { members: { [member]: `{{ ${template} }}` } },
        expect: { rule, check: 'tenure-withheld' },
      }),
    ),
  );
