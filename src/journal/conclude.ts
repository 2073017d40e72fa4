import { omitUndefined } from '../lib/json.ts';
import { type Root, settleCase } from '../verdict/root-cause.ts';
import { decide, type Question, type RecordedFacts, type Verdicts } from '../verdict/verdicts.ts';
import type { Result, ResultFooter } from '../model/result.ts';
import type { JournalEntry } from './entries.ts';

type EntryOfKind<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;

/** Cases whose findings a refused plain request explains, as entries that replace the earlier ones (P14). */
export function* settledEntries(
  { cases, contributions = {} }: Pick<Result, 'cases' | 'contributions'>,
  root: Root,
): Iterable<JournalEntry> {
  for (const one of cases) {
    const settled = settleCase(one, root);
    if (settled === one) continue;
    yield { kind: 'case', case: settled, ...omitUndefined({ contributed: contributions[one.id] }) };
  }
}

/** Footer members about the run itself, independent of its verdicts. */
export type Measures = Omit<ResultFooter, keyof Verdicts['footer']>;

/** Last two entries of a journal: what the run comes to, and its measures. */
export function concludeJournal(
  { unsolicited, ...recorded }: Omit<RecordedFacts, 'interrupted' | 'root'> & Pick<Result, 'unsolicited'>,
  question: Question,
  { endedAt, interrupted, ...measures }: Measures,
): readonly [EntryOfKind<'end'>, EntryOfKind<'footer'>] {
  const { root } = measures;
  const { cases, rules, invariants, footer } = decide({ ...recorded, interrupted, root }, question);
  const end = { cases: cases.map(({ id }) => id), rules, invariants, unsolicited };
  return [
    { kind: 'end', end },
    { kind: 'footer', footer: { endedAt, ...footer, interrupted, ...measures } },
  ];
}
