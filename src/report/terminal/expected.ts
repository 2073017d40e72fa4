import { type Became, type ExpectedResult, isStale, unexpectedOf } from '../../model/expected.ts';
import type { Result } from '../../model/result.ts';
import { countOf, type Page, renderHeading, renderParagraph } from '../layout.ts';

const sentences: Readonly<Record<Became, (entry: ExpectedResult) => string>> = {
  failed: () => 'failed, as expected',
  'no longer fails': () => 'no longer fails',
  expired: ({ expires }) => `expired: it held until ${expires}`,
  'matches nothing': () => 'matches nothing: there is no such name',
  'not judged': () => 'was not judged, so nothing is said of it',
};

/** `expected.yaml:4:5: rule REQ-015 no longer fails; delete the entry that begins there`. */
function renderEntry(page: Page, entry: ExpectedResult): readonly string[] {
  const { what, name, position, reason, owner, expires, became } = entry;
  const place = `${position.file}:${position.line}:${position.column}`;
  const said = `${what} ${name} ${sentences[became](entry)}`;
  if (isStale(entry)) {
    const text = `${place}: ${said}; delete the entry that begins there`;
    return renderParagraph(page, text, { indent: 2, tone: page.paint.red });
  }
  return renderParagraph(page, `${said}: ${reason} (${owner}, until ${expires}; ${place})`, { indent: 2 });
}

/** Whether the failures are the ones that somebody answers for. */
function renderRest(
  page: Page,
  { rules }: Pick<Result, 'rules'>,
  expected: readonly ExpectedResult[],
): readonly string[] {
  const broken = rules.filter(({ verdict }) => verdict === 'fail');
  if (broken.length === 0) return [];
  const unexpected = unexpectedOf(rules, expected);
  const text =
    unexpected.length === 0
      ? `Every broken rule is expected to be broken: ${countOf(broken.length, 'rule')}.`
      : `Nobody expected ${unexpected.map(({ id }) => id).join(', ')} to be broken.`;
  return renderParagraph(page, text, { indent: 2 });
}

/** The failures that are known, and what became of each; what has to be deleted comes last, where the eye is. */
export function renderExpected(page: Page, { footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] {
  const expected = footer?.expected;
  if (expected === undefined) return [];
  const stale = expected.filter(isStale);
  const count = `${countOf(expected.length, 'entry', 'entries')}, ${stale.length} to delete`;
  return [
    ...renderHeading(page, 'Expected failures', count),
    ...expected.filter((entry) => !isStale(entry)).flatMap((entry) => renderEntry(page, entry)),
    ...renderRest(page, { rules }, expected),
    ...stale.flatMap((entry) => renderEntry(page, entry)),
  ];
}
