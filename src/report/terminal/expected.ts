import { type ExpectedResult, isStale } from '../../model/expected.ts';
import { renderPosition } from '../../model/position.ts';
import type { Result } from '../../model/result.ts';
import { type Page, renderHeading, renderParagraph } from '../shared/layout.ts';
import { answeredWords, becameWords, countExpected, staleWords } from '../shared/expected-prose.ts';

function renderEntry(page: Page, entry: ExpectedResult): readonly string[] {
  const { what, name, reason, owner, expires } = entry;
  if (isStale(entry)) return renderParagraph(page, staleWords(entry), { indent: 2, tone: page.paint.red });
  const place = renderPosition(entry.position);
  const said = `${what} ${name} ${becameWords(entry)}: ${reason}`;
  return renderParagraph(page, `${said} (${owner}, until ${expires}; ${place})`, { indent: 2 });
}

/** The failures that are known, and what became of each; what has to be deleted comes last, where the eye is. */
export function renderExpected(page: Page, { footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] {
  const expected = footer?.expected;
  if (expected === undefined) return [];
  const rest = answeredWords(rules, expected);
  return [
    ...renderHeading(page, 'Expected failures', countExpected(expected)),
    ...expected.filter((entry) => !isStale(entry)).flatMap((entry) => renderEntry(page, entry)),
    ...(rest === undefined ? [] : renderParagraph(page, rest, { indent: 2 })),
    ...expected.filter(isStale).flatMap((entry) => renderEntry(page, entry)),
  ];
}
