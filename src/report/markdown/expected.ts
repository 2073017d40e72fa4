import { type ExpectedResult, isStale } from '../../model/expected.ts';
import { renderPosition } from '../../model/position.ts';
import type { Result } from '../../model/result.ts';
import { answeredWords, becameWords, countExpected, deleteWords } from '../shared/expected-prose.ts';
import { codeSpan, plainMarkdown } from './escape.ts';
import { bounded } from './sections.ts';

function renderEntry(entry: ExpectedResult): string {
  const { what, name, reason, owner, expires } = entry;
  const place = codeSpan(renderPosition(entry.position));
  const said = `${what} ${codeSpan(name)}: ${codeSpan(becameWords(entry))}`;
  if (isStale(entry)) return `- **${place}**: ${said}; ${deleteWords}`;
  return `- ${said}: ${codeSpan(reason)} (${codeSpan(owner)}, until ${codeSpan(expires)}; ${place})`;
}

/** The failures that are known, and what became of each; what has to be deleted comes first, where nothing cuts it off. */
export function expectedSection({ footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] {
  const expected = footer?.expected;
  if (expected === undefined) return [];
  const rest = answeredWords(rules, expected);
  const entries = expected.toSorted((one, other) => Number(isStale(other)) - Number(isStale(one))).map(renderEntry);
  return [
    `## Expected failures: ${countExpected(expected)}`,
    ...(rest === undefined ? [] : [plainMarkdown(rest)]),
    ...(entries.length === 0 ? [] : [bounded(entries)]),
  ];
}
