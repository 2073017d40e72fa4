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

/** Codes of no carrier, which equal that of the target as numbers, or begin with it (§4.5). */
const almostCodes = (code: string): readonly (readonly [title: string, code: string])[] => [
  ['with one digit more', `${code}0`],
  ['with a zero before it', `0${code}`],
  ['with a decimal point', `${code}.0`],
  ...(code.startsWith('0') ? [['without its leading zeros', code.replace(/^0+/, '')] as const] : []),
];

const probeOf = (title: string, rule: string, step: JsonObject): Probe =>
  wholeProbe({
    kind: 'values',
    title,
    rules: [rule],
    steps: (prefix) => [{ as: `${prefix}call`, ...step }],
    alone: mayHaveNoValue(step),
    requests: 1,
  });

const queries = (): readonly Probe[] =>
  compared.flatMap(({ member, rule, right, heads }) =>
    almost({ right, heads }).map(([title, template]) =>
      probeOf(`A SIM query whose ${member} is the right one ${title} brings no tenure`, rule, {
        usertrait: { members: { [member]: `{{ ${template} }}` } },
        expect: { rule, check: 'tenure-withheld' },
      }),
    ),
  );

const discoveries = (mccmnc: string): readonly Probe[] =>
  almostCodes(mccmnc).map(([title, code]) =>
    probeOf(`The code of the carrier ${title} does not bring its configuration`, 'DSC-012', {
      http: { to: 'discovery', query: { mccmnc: code } },
      expect: { rule: 'DSC-012', differs: { 'body.issuer': '{{ target.issuer }}' } },
    }),
  );

export interface ComparedGround {
  readonly mccmnc: string;
  /** Whether the target has an endpoint. */
  readonly serves: (endpoint: string) => boolean;
}

/** Near misses of what other endpoints compare, where the target has them. */
export const comparedProbes = ({ mccmnc, serves }: ComparedGround): readonly Probe[] => [
  ...(serves('usertrait') ? queries() : []),
  ...(serves('discovery') ? discoveries(mccmnc) : []),
];
