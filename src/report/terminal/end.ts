import { countOf } from '../../lib/lists.ts';
import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import type { Outcome } from '../../model/verdict.ts';
import { type Page, renderFact, renderParagraph, type Tone } from '../shared/layout.ts';
import { staleEndWords } from '../shared/notes.ts';
import {
  capitalise,
  countVerdicts,
  gapWords,
  lagWords,
  outcomeWords,
  renderScore,
  skewWords,
  trafficText,
} from '../shared/run-prose.ts';
import { renderSpan } from '../shared/time.ts';

/** `3 fail, 2 warn, 209 pass`, the worst first. */
function renderCounts(rules: readonly RuleResult[]): string {
  const parts = countVerdicts(rules).map(([verdict, count]) => `${count} ${verdict}`);
  return `${countOf(rules.length, 'rule')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function renderFooterFacts(page: Page, footer: ResultFooter): readonly string[] {
  const { score, wallMilliseconds, left = [], gaps = [], receiverLag } = footer;
  const skew = skewWords(footer);
  const stale = staleEndWords(footer.expected ?? []);
  const facts = [
    { label: 'required', text: `${renderScore(score.required)} applicable` },
    ...(footer.interrupted ? [{ label: 'stopped', text: 'the run was interrupted' }] : []),
    ...(stale === undefined ? [] : [{ label: 'expected', text: stale }]),
    ...footer.reasons.map((text) => ({ label: 'because', text })),
    ...left.map((text) => ({ label: 'left', text })),
    ...gaps.map((gap) => ({ label: 'gap', text: gapWords(gap) })),
    ...(receiverLag === undefined ? [] : [{ label: 'receiver', text: lagWords(receiverLag) }]),
    ...(skew === undefined ? [] : [{ label: 'skew', text: `the carrier's clock is ${skew}` }]),
    { label: 'took', text: `${renderSpan(wallMilliseconds)} of wall time, ${trafficText(footer)}` },
  ];
  return facts.flatMap((fact) => renderFact(page, fact, { indent: 2 }));
}

function toneOf({ paint }: Page, outcome: Outcome): Tone {
  const tones: Readonly<Record<Outcome, Tone>> = {
    conformant: paint.green.bold,
    'not conformant': paint.red.bold,
    incomplete: paint.yellow.bold,
  };
  return tones[outcome];
}

/** The outcome in one sentence, with what it rests on. */
export function renderEnd(page: Page, { footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] {
  const counts = renderCounts(rules);
  if (footer === undefined) {
    const text = `Cut off: the run did not reach its end, so it has no outcome and no score. ${counts}.`;
    return ['', ...renderParagraph(page, text, { indent: 0, tone: page.paint.yellow.bold })];
  }
  const { outcome } = footer;
  const sentence = `${capitalise(outcome)}: ${outcomeWords(footer, rules)} (${counts}).`;
  return [
    '',
    ...renderParagraph(page, sentence, { indent: 0, tone: toneOf(page, outcome) }),
    ...renderFooterFacts(page, footer),
  ];
}
