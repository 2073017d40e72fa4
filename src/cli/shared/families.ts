import type { Rule } from '../../model/rule.ts';

/** The rules whose ids begin with the same letters. */
export interface Family {
  /** `REQ` of REQ-015. */
  readonly name: string;
  /** Folders of the suites that have rules of it, in order. */
  readonly areas: readonly string[];
  readonly rules: readonly Rule[];
}

export const familyOf = ({ id }: Pick<Rule, 'id'>): string => id.split('-')[0] ?? id;

/** Every family, in the order of the rules: the suites say which area each is in. */
export function familiesOf(rules: readonly Rule[]): readonly Family[] {
  const names = [...new Set(rules.map(familyOf))];
  return names.map((name) => {
    const own = rules.filter((rule) => familyOf(rule) === name);
    return { name, areas: [...new Set(own.map(({ area }) => area))], rules: own };
  });
}
