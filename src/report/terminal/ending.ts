import { countOf } from '../../lib/lists.ts';
import { headlineOfRun } from '../../model/headline.ts';
import type { Result, RuleResult } from '../../model/result.ts';
import { brokenRules } from '../shared/broken.ts';
import type { Collected } from '../shared/collect.ts';
import { endingWords } from '../shared/ending-words.ts';
import { countCells } from '../../lib/cells.ts';
import { fitText, headlineTone, padText, type Page, type Tone } from '../shared/layout.ts';
import { capitalise, countVerdicts, outcomeWords } from '../shared/run-prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

type Run = Pick<Result, 'header' | 'footer' | 'rules'>;

/** `3 fail, 2 warn, 209 pass`, the worst first. */
function renderCounts(rules: readonly RuleResult[]): string {
  const parts = countVerdicts(rules).map(([verdict, count]) => `${count} ${verdict}`);
  return `${countOf(rules.length, 'rule')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

const endingTone = (page: Page, result: Run): Tone => headlineTone(page, headlineOfRun(result).tone);

/** The outcome in one sentence. */
export function renderOutcome(page: Page, result: Run): readonly string[] {
  const { header, footer, rules } = result;
  const counts = renderCounts(rules);
  const setting = { indent: 0, tone: endingTone(page, result) };
  if (footer === undefined) {
    const text = `Cut off: the run did not reach its end, so it has no outcome and no score. ${counts}.`;
    return ['', ...page.paragraph(text, setting)];
  }
  const { words, limits } = headlineOfRun(result);
  const sentence = `${capitalise(words)}: ${outcomeWords({ header, footer, rules })} (${counts}).`;
  return [
    '',
    ...page.paragraph(sentence, setting),
    ...page.fact('scope', limits.length === 0 ? undefined : limits.join('; ')),
  ];
}

/** How many other rules have warnings; a violation that only one of two tries showed is named as that. */
function renderWarned(page: Page, { warnings }: Collected, broken: ReadonlySet<string>): readonly string[] {
  const groups = [...warnings.values()].filter(({ rule }) => !broken.has(rule));
  const rulesOf = (some: typeof groups): number => new Set(some.map(({ rule }) => rule)).size;
  const unstable = groups.filter(({ found }) => found.some(({ finding }) => finding.unstable === true));
  if (groups.length === 0) return [];
  const seen =
    unstable.length === 0 ? '' : `; ${countOf(rulesOf(unstable), 'required rule')} of them broken in one of two tries`;
  const more = broken.size === 0 ? '' : 'and ';
  return page.paragraph(`${more}${countOf(rulesOf(groups), 'rule')} not followed, as warnings${seen}`);
}

/** Each broken rule on one line, the most important first, for whoever reads nothing else. */
export function renderBroken(page: Page, result: Result, collected: Collected): readonly string[] {
  const broken = brokenRules(result, collected);
  const counted = renderWarned(page, collected, new Set(broken.map(({ ref }) => ref.split('#')[0] ?? ref)));
  if (broken.length === 0) return counted.length === 0 ? [] : ['', ...counted];
  const { paint, width } = page;
  const expected = broken.filter(({ isExpected }) => isExpected).length;
  const idWidth = Math.max(...broken.map(({ ref }) => countCells(forTerminal(ref)))) + 2;
  const lines = broken.map(({ ref, summary, extent, isExpected }) => {
    const end = `  ${forTerminal(extent)}${isExpected ? ', expected' : ''}`;
    const space = Math.max(20, width - 2 - idWidth - countCells(end));
    const tone = isExpected ? paint.cyan : paint.red;
    return `  ${tone(padText(forTerminal(ref), idWidth))}${padText(fitText(forTerminal(summary), space), space)}${paint.dim(end)}`;
  });
  const count = `${broken.length}${expected === 0 ? '' : `, ${expected} of them expected`}`;
  return [...page.heading('Broken rules', count), ...lines.map((line) => line.trimEnd()), ...counted];
}

/** The last line, which says what the process ends with. */
export const renderLast = (page: Page, result: Result): readonly string[] => [
  '',
  ...page.paragraph(capitalise(endingWords(result)), { indent: 0, tone: endingTone(page, result) }),
];
