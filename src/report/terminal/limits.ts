import { plainText } from '../../model/json.ts';
import type { LimitResult, ProfileValue } from '../../model/limit.ts';
import type { ResultFooter } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { countOf, padText, type Page, renderHeading, type Tone, wrapText } from '../layout.ts';

/** Width of the column of names. */
const nameWidth = 28;

interface Row {
  readonly name: string;
  readonly words: string;
  readonly tone: Tone;
}

function renderRow(page: Page, { name, words, tone }: Row): readonly string[] {
  const column = 2 + nameWidth;
  const label = `  ${page.paint.dim(padText(name, nameWidth))}`;
  return wrapText(words, page.width - column).map((line, at) => (at === 0 ? label : ' '.repeat(column)) + tone(line));
}

const plain: Tone = (text) => text;

const limitRow = (page: Page, { name, words, state, rules }: LimitResult): Row => ({
  name,
  words: `${words}  (${rules.map(renderRuleRef).join(', ')})`,
  tone: state === 'unmeasured' ? page.paint.dim : plain,
});

const profileRow = (page: Page, { name, says, value, reason, rules }: ProfileValue): Row => {
  const refs = rules.length === 0 ? '' : `  (${rules.map(renderRuleRef).join(', ')})`;
  if (value === undefined)
    return { name, words: `${says}: not seen, ${reason ?? 'nobody knows why'}`, tone: page.paint.dim };
  return { name, words: `${says}: ${plainText(value ?? 'nothing')}${refs}`, tone: plain };
};

/** The carrier's real limits and its profile, of a run that measured. */
export function renderLimits(
  page: Page,
  { limits, profile }: Pick<ResultFooter, 'limits' | 'profile'>,
): readonly string[] {
  const section = (name: string, rows: readonly Row[] | undefined): readonly string[] =>
    rows === undefined || rows.length === 0
      ? []
      : [
          ...renderHeading(page, name, countOf(rows.length, name === 'Limits' ? 'limit' : 'behaviour')),
          ...rows.flatMap((row) => renderRow(page, row)),
        ];
  return [
    ...section(
      'Limits',
      limits?.map((limit) => limitRow(page, limit)),
    ),
    ...section(
      'Profile',
      profile?.map((value) => profileRow(page, value)),
    ),
  ];
}
