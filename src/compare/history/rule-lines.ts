import { defined } from '../../lib/optional.ts';
import { isConclusive } from '../../model/verdict.ts';
import type { HistoryEntry, RuleLine } from './lines.ts';
import { type Judged, turnsOf, wordsOf } from './turns.ts';

function lineOf(id: string, given: readonly Judged[], runs: number): readonly RuleLine[] {
  const newest = given.at(-1);
  if (newest === undefined) return [];
  const judged = given.filter(({ rule }) => isConclusive(rule.verdict));
  const last = judged.at(-1);
  const { area, clause, level, description } = newest.rule;
  const cells = Array.from({ length: runs }, (_, run) => {
    const found = given.find(({ at }) => at === run)?.rule;
    return found && defined({ verdict: found.verdict, reason: found.reason });
  });
  return [
    {
      id,
      area,
      clause,
      level,
      description,
      cells,
      turns: turnsOf(judged),
      newest: { verdict: newest.rule.verdict, at: newest.at },
      ...(last === undefined || last === newest ? {} : { judgedLast: { verdict: last.rule.verdict, at: last.at } }),
      reworded: new Set(given.map(({ rule }) => wordsOf(rule))).size > 1,
    },
  ];
}

/** Every rule that a run selected, in the order of the newest run that has it, over the runs from the oldest. */
export function ruleLines(entries: readonly HistoryEntry[]): readonly RuleLine[] {
  const byRule = new Map<string, Judged[]>();
  for (const [at, { rules, header, judges }] of entries.entries()) {
    for (const rule of rules) {
      const judged = defined({ at, rule, suites: header.suites.suites, judges });
      const before = byRule.get(rule.id);
      if (before === undefined) byRule.set(rule.id, [judged]);
      else before.push(judged);
    }
  }
  const ids = new Set(entries.toReversed().flatMap(({ rules }) => rules.map(({ id }) => id)));
  return [...ids].flatMap((id) => lineOf(id, byRule.get(id) ?? [], entries.length));
}
