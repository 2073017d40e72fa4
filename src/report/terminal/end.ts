import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import { type Outcome, severity, type Verdict } from '../../model/verdict.ts';
import { countOf, type Page, renderFact, renderParagraph, type Tone } from '../shared/layout.ts';
import { capitalise, outcomeWords } from '../shared/prose.ts';
import { staleEndWords } from '../shared/expected-prose.ts';
import { gapWords, lagWords } from '../shared/listening.ts';
import { renderScore } from './scores.ts';

/** `0.3 s`, `4 min 3 s`, `2 h 5 min`. */
export function renderSpan(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `3 fail, 2 warn, 209 pass`, the worst first. */
function renderCounts(rules: readonly RuleResult[]): string {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of rules) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = severity.toReversed().flatMap((verdict) => {
    const count = counts.get(verdict);
    return count === undefined ? [] : [`${count} ${verdict}`];
  });
  return `${countOf(rules.length, 'rule')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function renderSkew({ skew }: ResultFooter): string | undefined {
  if (skew === undefined) return undefined;
  const seconds = (milliseconds: number): string => (Math.abs(milliseconds) / 1000).toFixed(1);
  const direction = skew.offset < 0 ? 'behind' : 'ahead of';
  return `the carrier's clock is ${seconds(skew.offset)} s ${direction} ours, give or take ${seconds(skew.uncertainty)} s`;
}

function renderFooterFacts(page: Page, footer: ResultFooter): readonly string[] {
  const {
    score,
    reasons,
    interrupted,
    exchanges,
    deliveries,
    wallMilliseconds,
    left = [],
    gaps = [],
    receiverLag,
  } = footer;
  const skew = renderSkew(footer);
  const stale = staleEndWords(footer.expected ?? []);
  const traffic = `${countOf(exchanges, 'exchange')}, ${countOf(deliveries, 'delivery', 'deliveries')}`;
  const facts = [
    { label: 'required', text: `${renderScore(score.required)} applicable` },
    ...(interrupted ? [{ label: 'stopped', text: 'the run was interrupted' }] : []),
    ...(stale === undefined ? [] : [{ label: 'expected', text: stale }]),
    ...reasons.map((text) => ({ label: 'rationale', text })),
    ...left.map((text) => ({ label: 'left', text })),
    ...gaps.map((gap) => ({ label: 'gap', text: gapWords(gap) })),
    ...(receiverLag === undefined ? [] : [{ label: 'receiver', text: lagWords(receiverLag) }]),
    ...(skew === undefined ? [] : [{ label: 'skew', text: skew }]),
    { label: 'took', text: `${renderSpan(wallMilliseconds)} of wall time, ${traffic}` },
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
