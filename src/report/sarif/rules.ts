import { defined } from '../../lib/optional.ts';
import type { RuleResult } from '../../model/result.ts';
import type { Level } from '../../model/rule.ts';
import { clauseOf } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { ruleText } from './text.ts';

export type SarifLevel = 'error' | 'warning' | 'note';

export const levelOf: Readonly<Record<Level, SarifLevel>> = {
  required: 'error',
  recommended: 'warning',
  informational: 'note',
};

/** Longer ids and clauses are cut. */
const nameLimit = 200;

/** What code scanning requires of everything that a tool describes. */
export const descriptor = (id: string, description: string, level: SarifLevel) => ({
  id: forTerminal(id, nameLimit),
  shortDescription: ruleText(description),
  fullDescription: ruleText(description),
  help: ruleText(description),
  defaultConfiguration: { level },
});

function ruleDescriptor({ id, area, clause, level, description, interpretation, baseline }: RuleResult) {
  const words = [description, ...(interpretation === undefined ? [] : [interpretation])].join(' ');
  const help = `${clauseOf(clause)}: ${words}`;
  return defined({
    ...descriptor(id, description, levelOf[level]),
    fullDescription: ruleText(words),
    help: ruleText(help),
    properties: {
      // `baseline` is the name of an area as well.
      tags: [...new Set([area, level, ...(baseline === true ? ['baseline'] : [])])].map((tag) =>
        forTerminal(tag, nameLimit),
      ),
    },
  });
}

/** What turns a run red and is no rule of the interface, as a rule of the tool. */
export const ownRules = {
  stale: 'expected-failure-holds',
  incomplete: 'run-is-complete',
} as const;

/** Every rule of the run in its order, then the tool's own. */
export const descriptorsOf = (rules: readonly RuleResult[]) => [
  ...rules.map(ruleDescriptor),
  descriptor(ownRules.stale, 'Every entry of expected.yaml still holds.', 'error'),
  descriptor(ownRules.incomplete, 'The run is complete: everything that was selected was judged.', 'error'),
];

/** A rule by its id and its place among the descriptors, where it has one. */
export type RuleReference = (id: string) => { readonly id: string; readonly index?: number };

export function referencesTo(rules: readonly RuleResult[]): RuleReference {
  const ids = [...rules.map(({ id }) => id), ...Object.values(ownRules)];
  const places = new Map(ids.map((id, index) => [id, index]));
  return (id) => defined({ id: forTerminal(id, nameLimit), index: places.get(id) });
}
