import type { EntryState, ExpectedFailure, ExpectedResult } from '../model/expected-failure.ts';
import type { Finding } from '../model/finding.ts';
import type { RuleResult } from '../model/result.ts';
import { isConclusive, type Verdict } from '../model/rule.ts';
import { countedVerdict } from './standing.ts';
import type { Suites } from '../suite/suites.ts';

const holdingStates: ReadonlySet<EntryState> = new Set(['failed', 'not judged']);

/** Whether an entry has to be deleted. */
export const isStale = ({ became }: Pick<ExpectedResult, 'became'>): boolean => !holdingStates.has(became);

interface FindingJudge {
  readonly id: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

/** Names that exist before a run: an entry may name something that was not selected. */
export interface KnownNames {
  readonly known: { readonly rules: ReadonlySet<string>; readonly cases: ReadonlySet<string> };
  /** Day of the run in UTC: `2026-11-21`. */
  readonly today: string;
}

export interface JudgedRun extends KnownNames {
  readonly judges: readonly FindingJudge[];
  readonly rules: readonly Pick<RuleResult, 'id' | 'verdict'>[];
}

/** Names that an entry may use, with the day. */
export const knownNames = ({ rules, cases, invariants }: Suites, today: string): KnownNames => ({
  known: { rules: new Set(rules.map(({ id }) => id)), cases: new Set([...cases, ...invariants].map(({ id }) => id)) },
  today,
});

/** Defect of an entry that no run can change, or undefined. */
function findStale({ what, name, expires }: ExpectedFailure, { known, today }: KnownNames): EntryState | undefined {
  if (!(what === 'rule' ? known.rules : known.cases).has(name)) return 'matches nothing';
  return expires < today ? 'expired' : undefined;
}

/** Entries that must be deleted whatever a run finds. */
export const judgeStaleEntries = (entries: readonly ExpectedFailure[], known: KnownNames): readonly ExpectedResult[] =>
  entries.flatMap((entry) => {
    const became = findStale(entry, known);
    return became === undefined ? [] : [{ ...entry, became, explains: [] }];
  });

function judgeEntry(entry: ExpectedFailure, found: JudgedRun): EntryState {
  const stale = findStale(entry, found);
  if (stale !== undefined) return stale;
  const { what, name } = entry;
  const { rules, judges } = found;
  const verdict = (what === 'rule' ? rules : judges).find(({ id }) => id === name)?.verdict;
  if (verdict === undefined || !isConclusive(verdict)) return 'not judged';
  return verdict === 'fail' || verdict === 'warn' ? 'failed' : 'no longer fails';
}

const ruleBreakers = (rule: string, judges: readonly FindingJudge[]): readonly string[] =>
  judges
    .filter(({ findings }) => findings.some((one) => one.rule === rule && countedVerdict(one) === 'fail'))
    .map(({ id }) => id);

/** Result of each entry. A broken rule is explained if an entry names the rule, or if entries name every case that broke it. */
export function judgeExpected(entries: readonly ExpectedFailure[], found: JudgedRun): readonly ExpectedResult[] {
  const named = (what: ExpectedFailure['what']): ReadonlySet<string> =>
    new Set(entries.filter((entry) => entry.what === what).map(({ name }) => name));
  const [rules, cases] = [named('rule'), named('case')];
  const explained = new Map<string, readonly string[]>();
  for (const { id, verdict } of found.rules) {
    if (verdict !== 'fail') continue;
    const breakers = ruleBreakers(id, found.judges);
    if (rules.has(id)) explained.set(id, [`rule ${id}`]);
    else if (breakers.length > 0 && breakers.every((name) => cases.has(name))) {
      explained.set(
        id,
        breakers.map((name) => `case ${name}`),
      );
    }
  }
  return entries.map((entry) => ({
    ...entry,
    became: judgeEntry(entry, found),
    explains: [...explained].flatMap(([id, by]) => (by.includes(`${entry.what} ${entry.name}`) ? [id] : [])),
  }));
}
