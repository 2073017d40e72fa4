import type { RuleResult } from '../../model/result.ts';
import { groupBy } from '../../lib/lists.ts';

/** The interface's own table of contents, as far as rules come from it. */
const titles: readonly (readonly [number: string, title: string])[] = [
  ['1', 'What the service does'],
  ['2.1', 'Server-initiated POST body'],
  ['2.2', 'JWT header of the request object'],
  ['2.3', 'Claims of the request object'],
  ['2.4', 'Immediate success response'],
  ['2.5', 'Immediate error response'],
  ['2.6', 'Callback body'],
  ['2.7', 'Decoded login_hint_token'],
  ['2.8', 'Usertrait request and response'],
  ['2.9', 'Discovery response'],
  ['2.10', 'Device-change event token'],
  ['2.11', 'User-info response'],
  ['2.12', 'SP configuration flags'],
  ['3', 'States and transitions'],
  ['4.1', 'Server-initiated authorization request'],
  ['4.2', 'Callback to the SP'],
  ['4.3', 'Token endpoint'],
  ['4.4', 'Server-initiated cancel endpoint'],
  ['4.5', 'Discovery issuer endpoint'],
  ['4.6', 'discovery_ui endpoint'],
  ['4.7', 'Usertrait query'],
  ['4.8', 'SP event endpoint'],
  ['4.9', 'User-info endpoint'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
];

const order = titles.map(([number]) => number);
const elsewhere = 'baseline';

export interface Section {
  /** `2.3`, or `baseline`. */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleResult[];
}

/** The section of the clause a rule is taken from first: `2.3 jti, 5.1` is in 2.3, `6 dc1` in 6, an RFC in none. */
export function sectionOf(clause: string): string {
  const [number = '', chapter = ''] = /^(\d+)(?:\.\d+)?(?=[ ,]|$)/.exec(clause) ?? [];
  return [number, chapter].find((name) => order.includes(name)) ?? elsewhere;
}

/** The rules under the sections of the interface, in its order; what it takes from other standards stands last. */
export function sectionsOf(rules: readonly RuleResult[]): readonly Section[] {
  const groups = groupBy(rules, ({ clause }) => sectionOf(clause));
  const all = [...titles, [elsewhere, 'Standards the interface builds on'] as const];
  return all.flatMap(([id, title]) => {
    const own = groups.get(id);
    return own === undefined ? [] : [{ id, title, rules: own }];
  });
}
