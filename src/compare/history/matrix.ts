import { defined } from '../../lib/optional.ts';
import type { RuleResult } from '../../model/result.ts';
import type { CarrierHistory, HistoryEntry, Matrix, MatrixCell, MatrixRow } from './lines.ts';
import { wordsOf } from './turns.ts';

interface Shown {
  readonly carrier: CarrierHistory;
  readonly entries: readonly HistoryEntry[];
}

type Rules = ReadonlyMap<string, RuleResult>;

const rulesOf = ({ rules }: HistoryEntry): Rules => new Map(rules.map((rule) => [rule.id, rule]));

/** The rules of all runs of all carriers by id, each as the newest run has it. */
function newestRules(all: readonly Shown[]): Rules {
  const entries = all.flatMap((one) => one.entries);
  const byTime = entries.toSorted((a, b) => Date.parse(b.header.startedAt) - Date.parse(a.header.startedAt));
  const rules = new Map<string, RuleResult>();
  for (const rule of byTime.flatMap((entry) => entry.rules)) if (!rules.has(rule.id)) rules.set(rule.id, rule);
  return rules;
}

/** Carriers by rules: of each carrier what the newest run that selected the rule says. */
export function matrixOf(all: readonly Shown[]): Matrix {
  const lines = all.map(({ carrier, entries }) => ({
    runs: entries.map(rulesOf),
    byRule: new Map(carrier.rules.map((line) => [line.id, line])),
  }));
  const rows = [...newestRules(all).values()].map((rule): MatrixRow => {
    const { id, area, clause, level, description } = rule;
    const cells = lines.map(({ runs, byRule }): MatrixCell | undefined => {
      const line = byRule.get(id);
      if (line === undefined) return undefined;
      const { verdict, at } = line.newest;
      const then = runs[at]?.get(id);
      return defined({
        verdict,
        at,
        newerWithout: runs.length - 1 - at,
        judgedLast: line.judgedLast,
        otherWords: then !== undefined && wordsOf(then) !== wordsOf(rule),
      });
    });
    return { id, area, clause, level, description, cells };
  });
  const [first] = all;
  return { interface: first?.carrier.interface ?? '', carriers: all.map(({ carrier }) => carrier.id), rows };
}
