import type { Became, ExpectedFailure, ExpectedResult } from '../model/expected.ts';
import type { Finding } from '../model/finding.ts';
import type { RuleResult } from '../model/result.ts';
import { isConclusive, type Verdict } from '../model/verdict.ts';
import { verdictOf } from './rule-book.ts';

/** A case or an invariant as it came out. */
export interface Judge {
  readonly id: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

/** What a run found, and what there is: an entry may name something that was not selected. */
export interface Found {
  readonly judges: readonly Judge[];
  readonly rules: readonly RuleResult[];
  readonly known: { readonly rules: ReadonlySet<string>; readonly cases: ReadonlySet<string> };
  /** The day of the run, UTC: `2026-11-21`. */
  readonly today: string;
}

function becameOf({ what, name, expires }: ExpectedFailure, found: Found): Became {
  const { known, today, rules, judges } = found;
  if (!(what === 'rule' ? known.rules : known.cases).has(name)) return 'matches nothing';
  if (expires < today) return 'expired';
  const verdict = (what === 'rule' ? rules : judges).find(({ id }) => id === name)?.verdict;
  if (verdict === undefined || !isConclusive(verdict)) return 'not judged';
  return verdict === 'fail' || verdict === 'warn' ? 'failed' : 'no longer fails';
}

/** The cases and invariants that broke a rule. */
const breakersOf = (rule: string, judges: readonly Judge[]): readonly string[] =>
  judges
    .filter(({ findings }) => findings.some((one) => one.rule === rule && verdictOf[one.level] === 'fail'))
    .map(({ id }) => id);

/** What became of each entry. A broken rule is accounted for where it is named, or every case that broke it is. */
export function judgeExpected(entries: readonly ExpectedFailure[], found: Found): readonly ExpectedResult[] {
  const named = (what: ExpectedFailure['what']): ReadonlySet<string> =>
    new Set(entries.filter((entry) => entry.what === what).map(({ name }) => name));
  const [rules, cases] = [named('rule'), named('case')];
  const explained = new Map<string, readonly string[]>();
  for (const { id, verdict } of found.rules) {
    if (verdict !== 'fail') continue;
    const breakers = breakersOf(id, found.judges);
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
    became: becameOf(entry, found),
    explains: [...explained].flatMap(([id, by]) => (by.includes(`${entry.what} ${entry.name}`) ? [id] : [])),
  }));
}
