import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../model/suite.ts';
import { suggestNames } from './suggest-names.ts';

/** The suites without whole areas, such as the baseline: `run --without baseline`. Throws for an area there is not. */
export function withoutAreas(suites: Suites, areas: readonly string[]): Suites {
  const known = new Set(suites.rules.map(({ area }) => area));
  for (const area of areas) {
    if (known.has(area)) continue;
    const [near] = suggestNames(area, [...known]);
    const hint = near === undefined ? `the areas are ${[...known].join(', ')}` : `did you mean ${near}?`;
    const message = `--without: there is no area ${area}; ${hint}`;
    throw new CarrierspecError(message, { code: 'bad-flag' });
  }
  const stays = ({ area }: { readonly area: string }): boolean => !areas.includes(area);
  return {
    ...suites,
    rules: suites.rules.filter(stays),
    cases: suites.cases.filter(stays),
    invariants: suites.invariants.filter(stays),
  };
}
