import { type Became, type ExpectedResult, isStale, unexpectedOf } from '../../model/expected.ts';
import { renderPosition } from '../../model/position.ts';
import type { RuleResult } from '../../model/result.ts';
import { countOf } from './layout.ts';

const became: Readonly<Record<Became, (entry: ExpectedResult) => string>> = {
  failed: () => 'failed, as expected',
  'no longer fails': () => 'no longer fails',
  expired: ({ expires }) => `expired: it held until ${expires}`,
  'matches nothing': () => 'matches nothing: there is no such name',
  'not judged': () => 'was not judged, so nothing is said of it',
};

/** What became of an entry: `expired: it held until 2026-01-31`. */
export const becameWords = (entry: ExpectedResult): string => became[entry.became](entry);

/** What is to be done about an entry that holds no longer; the place of the entry is said beside it. */
export const deleteWords = 'delete the entry that begins there';

/** `expected.yaml:4:5: rule REQ-015 no longer fails; delete the entry that begins there`. */
export const staleWords = (entry: ExpectedResult): string =>
  `${renderPosition(entry.position)}: ${entry.what} ${entry.name} ${becameWords(entry)}; ${deleteWords}`;

/** `3 entries, 1 to delete`. */
export const countExpected = (expected: readonly ExpectedResult[]): string =>
  `${countOf(expected.length, 'entry', 'entries')}, ${expected.filter(isStale).length} to delete`;

/** What entries that hold no longer do to a run, whatever its outcome; undefined where every entry holds. */
export function staleEndWords(expected: readonly ExpectedResult[]): string | undefined {
  const stale = expected.filter(isStale).length;
  if (stale === 0) return undefined;
  return `${countOf(stale, 'entry', 'entries')} to delete: until then no run ends as expected, whatever the outcome`;
}

/** Whether the failures are the ones that somebody answers for; undefined where no rule is broken. */
export function answeredWords(rules: readonly RuleResult[], expected: readonly ExpectedResult[]): string | undefined {
  const broken = rules.filter(({ verdict }) => verdict === 'fail');
  if (broken.length === 0) return undefined;
  const unexpected = unexpectedOf(rules, expected);
  return unexpected.length === 0
    ? `Every broken rule is expected to be broken: ${countOf(broken.length, 'rule')}.`
    : `Nobody expected ${unexpected.map(({ id }) => id).join(', ')} to be broken.`;
}
