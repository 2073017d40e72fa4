import { countNoun, groupBy, listRanges } from '../../lib/lists.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { isStale } from '../../verdict/expected.ts';
import { renderPosition } from '../../model/rule.ts';
import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import { countByKind, type UnjudgedItem, type ReportModel } from '../shared/model.ts';
import { renderDelivery } from '../shared/facts.ts';
import { type Page, padText, wrapText, fitText, toneStyle, type Tone } from '../shared/layout.ts';
import {
  behaviourInWords,
  entryStateWords,
  countExpected,
  coverageWords,
  limitInWords,
  type MeasuredProse,
  rulesInBrackets,
  staleWords,
  summarizeUnsolicited,
} from '../shared/notes.ts';
import { verdictLegend } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { capitalise, recordedCount, endingWords, countRuleVerdicts, outcomeWords } from '../shared/run-prose.ts';
import { renderClockTime } from '../shared/time.ts';
import { countStandings } from '../../verdict/counts.ts';
import { runHeadline } from '../../verdict/headline.ts';
import { brokenRules, commonFacts } from '../shared/broken-rules.ts';
import { countCells } from '../../lib/cells.ts';

/** Maximum cases and deliveries shown before "and 7 more". */
const idLimit = 12;
const unsolicitedLimit = 5;

export function recordedLines(page: Page, rules: readonly RuleResult[]): readonly string[] {
  const recorded = recordedCount(rules);
  if (recorded === undefined) return [];
  return [
    ...page.heading('Recorded', recorded),
    ...page.paragraph('Values recorded beside the verdicts; result.json has them under each rule'),
  ];
}

export function attestedLines(page: Page, rules: readonly RuleResult[]): readonly string[] {
  const attested = rules.filter(({ verdict }) => verdict === 'attested');
  if (attested.length === 0) return [];
  return [
    ...page.heading('Attested', `${countNoun(attested.length, 'rule')} by the operator, counted as no pass`),
    ...attested.flatMap(({ id, reason = '' }) => page.fact(id, reason)),
  ];
}

/** Names every rule; cases only if no rule is among them, and then only some. */
function renderReason(page: Page, reason: string, same: readonly UnjudgedItem[]): readonly string[] {
  const { count, kind, names } = countByKind(same);
  const limit = kind === 'rule' ? names.length : idLimit;
  return [
    ...page.paragraph(reason),
    ...page.paragraph(`${count}: ${listRanges(names, limit)}`, { indent: 4, tone: page.paint.dim }),
  ];
}

/** Rules and cases that were not judged, one entry per reason. */
export function unjudgedLines(page: Page, unjudged: readonly UnjudgedItem[]): readonly string[] {
  if (unjudged.length === 0) return [];
  const rules = unjudged.filter(({ kind }) => kind === 'rule').length;
  return [
    ...page.heading('Not judged', rules === 0 ? countNoun(unjudged.length, 'case') : countNoun(rules, 'rule')),
    ...(['error', 'inconclusive', 'not-run', 'not-applicable'] as const).flatMap((verdict) => {
      const own = unjudged.filter((one) => one.verdict === verdict);
      return [...groupBy(own, ({ reason }) => reason)].flatMap(([reason, same]) =>
        renderReason(page, `${verdict}: ${reason}`, same),
      );
    }),
  ];
}

export function stoppedLines(page: Page, stopped: readonly UnjudgedItem[]): readonly string[] {
  return (['inconclusive', 'error', 'fail'] as const).flatMap((verdict) => {
    const ones = stopped.filter((one) => one.verdict === verdict);
    if (ones.length === 0) return [];
    return [
      ...page.heading(capitalise(verdict), `${ones.length}: ${verdictLegend[verdict]}`, page.paint.yellow.bold),
      ...[...groupBy(ones, ({ reason }) => reason)].flatMap(([reason, same]) => renderReason(page, reason, same)),
    ];
  });
}

export function unsolicitedLines(page: Page, result: Pick<Result, 'unsolicited' | 'footer'>): readonly string[] {
  const unsolicited = summarizeUnsolicited(result);
  if (unsolicited === undefined) return [];
  const { deliveries, words } = unsolicited;
  const rest = deliveries.length - unsolicitedLimit;
  return [
    ...page.heading('Unsolicited', words),
    ...deliveries.slice(0, unsolicitedLimit).flatMap((delivery) => {
      const label = renderClockTime(delivery.receivedAt);
      return page.fact(label, renderDelivery(delivery));
    }),
    ...(rest > 0 ? page.paragraph(`and ${rest} more`, { tone: page.paint.dim }) : []),
  ];
}

const nameWidth = 28;

/** A name with its text beside it; dim if nothing was seen. */
function renderRow(page: Page, { name, isSeen }: MeasuredProse, words: string): readonly string[] {
  const column = 2 + nameWidth;
  const label = `  ${page.paint.dim(padText(forTerminal(name, nameWidth), nameWidth))}`;
  return wrapText(words, page.width - column).map(
    (line, at) => (at === 0 ? label : ' '.repeat(column)) + (isSeen ? line : page.paint.dim(line)),
  );
}

export function limitLines(
  page: Page,
  { limits = [], profile = [] }: Pick<ResultFooter, 'limits' | 'profile'>,
): readonly string[] {
  const limitRows = limits
    .map(limitInWords)
    .flatMap((one) => renderRow(page, one, `${one.found}${rulesInBrackets(one.rules)}`));
  const profileRows = profile
    .map(behaviourInWords)
    .flatMap((one) =>
      renderRow(page, one, `${one.about}: ${one.found}${one.isSeen ? rulesInBrackets(one.rules) : ''}`),
    );
  return [
    ...(limits.length === 0 ? [] : [...page.heading('Limits', countNoun(limits.length, 'limit')), ...limitRows]),
    ...(profile.length === 0
      ? []
      : [...page.heading('Profile', countNoun(profile.length, 'behaviour')), ...profileRows]),
  ];
}

function renderEntry(page: Page, entry: ExpectedResult): readonly string[] {
  const { what, name, reason, owner, expires } = entry;
  if (isStale(entry)) return page.paragraph(staleWords(entry), { tone: page.paint.red });
  const place = renderPosition(entry.position);
  const words = `${what} ${name} ${entryStateWords(entry)}: ${reason}`;
  return page.paragraph(`${words} (${owner}, until ${expires}; ${place})`);
}

/** Expected failures, their current state and findings; entries to delete come last. */
export function expectedLines(
  page: Page,
  { footer, rules }: Pick<Result, 'footer' | 'rules'>,
  tolerated: readonly string[],
): readonly string[] {
  const expected = footer?.expected;
  if (expected === undefined) return [];
  return [
    ...page.heading('Expected failures', countExpected(expected)),
    ...expected.filter((entry) => !isStale(entry)).flatMap((entry) => renderEntry(page, entry)),
    ...page.paragraph(coverageWords(rules)),
    ...tolerated,
    ...(tolerated.length > 0 && expected.some(isStale) ? [''] : []),
    ...expected.filter(isStale).flatMap((entry) => renderEntry(page, entry)),
  ];
}

type Run = Pick<Result, 'header' | 'footer' | 'rules'>;

export const endingTone = (page: Page, result: Run): Tone => toneStyle(page, runHeadline(result).tone);

export function outcomeLines(page: Page, result: Run): readonly string[] {
  const { header, footer, rules } = result;
  const verdicts = countRuleVerdicts(rules).map(([verdict, count]) => `${count} ${verdict}`);
  const counts = `${countNoun(rules.length, 'rule')}${verdicts.length === 0 ? '' : `: ${verdicts.join(', ')}`}`;
  const setting = { indent: 0, tone: endingTone(page, result) };
  if (footer === undefined) {
    const text = `Cut off: the run did not reach its end, so it has no outcome and no score. ${counts}.`;
    return ['', ...page.paragraph(text, setting)];
  }
  const { words, limits } = runHeadline(result);
  const sentence = `${capitalise(words)}: ${outcomeWords({ header, footer, rules })} (${counts}).`;
  return [
    '',
    ...page.paragraph(sentence, setting),
    ...page.fact('scope', limits.length === 0 ? undefined : limits.join('; ')),
  ];
}

/** Counts the rules beside the broken ones: those that do not count, and those with warnings. */
function otherLines(page: Page, { rules }: Result, isBesideBroken: boolean): readonly string[] {
  const { uncounted = 0, 'not followed': notFollowed = 0, unstable = 0 } = countStandings(rules);
  const words = [
    ...(uncounted === 0 ? [] : [`${countNoun(uncounted, 'rule')} broken, but not counted`]),
    ...(notFollowed === 0 ? [] : [`${countNoun(notFollowed, 'rule')} not followed, as warnings`]),
    ...(unstable === 0 ? [] : [`${countNoun(unstable, 'rule')} broken in one of two tries`]),
  ];
  return words.length === 0 ? [] : page.paragraph(`${isBesideBroken ? 'and ' : ''}${words.join('; ')}`);
}

/** Each broken rule on one line, the most important first, for readers of nothing else. */
export function brokenLines(page: Page, result: Result, model: ReportModel): readonly string[] {
  const broken = brokenRules(result, model);
  const counted = otherLines(page, result, broken.length > 0);
  if (broken.length === 0) return counted.length === 0 ? [] : ['', ...counted];
  const { paint, width } = page;
  const expected = broken.filter(({ isExpected }) => isExpected).length;
  const facts = commonFacts(model);
  const common = new Set(facts.flatMap(({ rules }) => rules));
  const others = broken.filter(({ ref }) => !common.has(ref.split('#')[0] ?? ref));
  const idWidth = Math.max(0, ...others.map(({ ref }) => countCells(forTerminal(ref)))) + 2;
  const lines = others.map(({ ref, summary, extent, isExpected }) => {
    const end = `  ${forTerminal(extent)}${isExpected ? ', expected' : ''}`;
    const space = Math.max(20, width - 2 - idWidth - countCells(end));
    const tone = isExpected ? paint.cyan : paint.red;
    return `  ${tone(padText(forTerminal(ref), idWidth))}${padText(fitText(forTerminal(summary), space), space)}${paint.dim(end)}`;
  });
  const count = `${broken.length}${expected === 0 ? '' : `, ${expected} of them expected`}`;
  const grouped = facts.flatMap(({ words, rules }) => [
    ...page.paragraph(`${forTerminal(words)}:`, { tone: paint.red }),
    ...page.paragraph(forTerminal(rules.join(', ')), { indent: 4 }),
  ]);
  return [...page.heading('Broken rules', count), ...grouped, ...lines.map((line) => line.trimEnd()), ...counted];
}

export const endingLines = (page: Page, result: Result): readonly string[] => [
  '',
  ...page.paragraph(capitalise(endingWords(result)), { indent: 0, tone: endingTone(page, result) }),
];
