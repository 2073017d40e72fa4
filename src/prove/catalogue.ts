import { faults } from '../carrier/faults/catalogue.ts';
import { variants } from '../carrier/variants/catalogue.ts';
import { glob } from '../engine/plan/select.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Subject } from './proof.ts';

/** Every fault and every allowed variant of the reference carrier, as what must be proved of it. */
export const catalogue: readonly Subject[] = [
  ...faults.map(
    ({ name, description, breaks, masks = [], stateful, declares }): Subject => ({
      name,
      kind: 'fault',
      description,
      breaks,
      masks,
      ...(stateful === undefined ? {} : { stateful }),
      ...(declares === undefined ? {} : { declares }),
    }),
  ),
  ...variants.map(
    ({ name, description, declares = {} }): Subject => ({
      name,
      kind: 'variant',
      description,
      breaks: [],
      masks: [],
      declares,
    }),
  ),
];

/** Those of these names or globs; all without any. Throws where one matches nothing. */
export function chooseSubjects(
  patterns: readonly string[],
  suggest: (wrong: string, names: string[]) => string[],
): readonly Subject[] {
  if (patterns.length === 0) return catalogue;
  const chosen = new Set<Subject>();
  for (const pattern of patterns) {
    const found = catalogue.filter(({ name }) => glob(pattern, '').test(name));
    for (const subject of found) chosen.add(subject);
    if (found.length > 0) continue;
    const [near] = suggest(
      pattern,
      catalogue.map(({ name }) => name),
    );
    const hint = near === undefined ? 'see docs/prove.md' : `did you mean ${near}?`;
    const message = `there is no fault or variant ${pattern}; ${hint}`;
    throw new CarrierspecError(message, { code: 'unknown-name' });
  }
  return catalogue.filter((subject) => chosen.has(subject));
}
