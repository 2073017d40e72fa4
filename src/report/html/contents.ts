import type { Interface } from '../../model/interface.ts';
import type { RuleResult } from '../../model/result.ts';
import { groupBy } from '../../lib/lists.ts';

type Clauses = Interface['clauses'];

const elsewhere = 'baseline';

export interface Section {
  /** `2.3`, or `baseline`. */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleResult[];
}

/** The section of the clause a rule is taken from first: `2.3 jti, 5.1` is in 2.3, `6 dc1` in 6, an RFC in none. */
export function sectionOf(clause: string, clauses: Clauses): string {
  const [number = '', chapter = ''] = /^(\d+)(?:\.\d+)?(?=[ ,]|$)/.exec(clause) ?? [];
  return [number, chapter].find((name) => clauses.some(([known]) => known === name)) ?? elsewhere;
}

/** The rules under the sections of the interface, in its order; what it takes from other standards stands last. */
export function sectionsOf(rules: readonly RuleResult[], clauses: Clauses): readonly Section[] {
  const groups = groupBy(rules, ({ clause }) => sectionOf(clause, clauses));
  const all = [...clauses, [elsewhere, 'Standards the interface builds on'] as const];
  return all.flatMap(([id, title]) => {
    const own = groups.get(id);
    return own === undefined ? [] : [{ id, title, rules: own }];
  });
}
