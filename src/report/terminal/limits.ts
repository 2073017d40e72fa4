import type { ResultFooter } from '../../model/result.ts';
import { countOf, padText, type Page, renderHeading, wrapText } from '../shared/layout.ts';
import { behaviourInWords, limitInWords, type Measured, rulesInBrackets } from '../shared/measured-prose.ts';

/** Width of the column of names. */
const nameWidth = 28;

interface Row extends Pick<Measured, 'name' | 'isSeen'> {
  readonly words: string;
}

function renderRow(page: Page, { name, words, isSeen }: Row): readonly string[] {
  const column = 2 + nameWidth;
  const label = `  ${page.paint.dim(padText(name, nameWidth))}`;
  return wrapText(words, page.width - column).map(
    (line, at) => (at === 0 ? label : ' '.repeat(column)) + (isSeen ? line : page.paint.dim(line)),
  );
}

const limitRow = ({ name, found, isSeen, rules }: Measured): Row => ({
  name,
  isSeen,
  words: `${found}${rulesInBrackets(rules)}`,
});

const profileRow = ({ name, about, found, isSeen, rules }: Measured): Row => ({
  name,
  isSeen,
  words: `${about}: ${found}${isSeen ? rulesInBrackets(rules) : ''}`,
});

/** The carrier's real limits and its profile, of a run that measured. */
export function renderLimits(
  page: Page,
  { limits = [], profile = [] }: Pick<ResultFooter, 'limits' | 'profile'>,
): readonly string[] {
  const section = (name: string, unit: string, rows: readonly Row[]): readonly string[] =>
    rows.length === 0
      ? []
      : [...renderHeading(page, name, countOf(rows.length, unit)), ...rows.flatMap((row) => renderRow(page, row))];
  return [
    ...section('Limits', 'limit', limits.map(limitInWords).map(limitRow)),
    ...section('Profile', 'behaviour', profile.map(behaviourInWords).map(profileRow)),
  ];
}
