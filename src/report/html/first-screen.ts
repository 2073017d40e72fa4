import type { Result, ResultFooter, Score } from '../../model/result.ts';
import { type Level, levels } from '../../model/rule.ts';
import { severity, type Verdict } from '../../model/verdict.ts';
import { countOf } from '../shared/layout.ts';
import { clockLegend, levelLegend } from '../shared/prose.ts';
import { countExpected } from '../shared/expected-prose.ts';
import { gapWords, lagWords } from '../shared/listening.ts';
import { renderSpan } from '../terminal/end.ts';
import { type Content, html, join, type Markup, nothing } from './markup.ts';
import { headlineOf, momentOf, verdictMark } from './words.ts';

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

/** One fraction with its bar; the bar is an ornament, the words say everything. */
function renderFraction([part, whole]: readonly [number, number], words: string, short: 'bad' | 'open'): Markup {
  const width = percentOf(part, whole);
  return html`<div class="fraction"><p><strong>${part}<span class="of">/${whole}</span></strong> ${words}</p><svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="2"/><rect class="${part < whole ? short : 'full'}" width="${width}" height="2"/></svg></div>`;
}

function renderFractions({ conforming, judged, applicable }: Score): Markup {
  return html`<div class="fractions" role="group" aria-label="Score of the required rules">${renderFraction([conforming, judged], 'required rules judged conform', 'bad')}${renderFraction([judged, applicable], 'required rules that apply were judged', 'open')}</div>`;
}

function renderCell({ conforming, judged, applicable }: Score, level: Level): Markup {
  if (applicable === 0) return html`<td class="none">–</td>`;
  const missed = level === 'required' ? 'bad' : 'warn';
  const tone = conforming < judged ? missed : judged < applicable ? 'open' : 'good';
  const gap = judged < applicable ? html` <span class="of">of ${applicable}</span>` : nothing;
  return html`<td class="s-${tone}"><span class="score">${conforming}/${judged}</span>${gap}</td>`;
}

function renderScores({ areas, score }: ResultFooter): Markup {
  const row = (name: Content, scores: Readonly<Record<Level, Score>>): Markup =>
    html`<tr><th scope="row">${name}</th>${levels.map((level) => renderCell(scores[level], level))}</tr>`;
  return html`<table class="scores"><caption>Conforming / judged <span class="of">of applicable, where not all were judged</span></caption><thead><tr><td></td>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead><tbody>${Object.entries(areas).map(([name, scores]) => row(html`<a href="#rules" data-area="${name}">${name}</a>`, scores))}</tbody><tfoot>${row('all areas', score)}</tfoot></table>`;
}

/** How many rules have which verdict, the worst first. */
export function countVerdicts(rules: Result['rules']): readonly (readonly [Verdict, number])[] {
  return severity.toReversed().flatMap((verdict) => {
    const count = rules.filter((rule) => rule.verdict === verdict).length;
    return count === 0 ? [] : [[verdict, count] as const];
  });
}

function renderSkew({ skew }: ResultFooter): readonly (readonly [string, Content])[] {
  if (skew === undefined) return [];
  const seconds = (milliseconds: number): string => (Math.abs(milliseconds) / 1000).toFixed(1);
  const direction = skew.offset < 0 ? 'behind' : 'ahead of';
  return [
    ['Carrier clock', `${seconds(skew.offset)} s ${direction} ours, give or take ${seconds(skew.uncertainty)} s`],
  ];
}

/** What was left at the carrier, and where and by how much we may have missed something of it. */
function renderListening({ left = [], gaps = [], receiverLag }: ResultFooter): readonly (readonly [string, Content])[] {
  return [
    ...left.map((words) => ['Left behind', words] as const),
    ...gaps.map((gap) => ['Gap', gapWords({ from: momentOf(gap.from), to: momentOf(gap.to) })] as const),
    ...(receiverLag === undefined ? [] : [['Our receiver', lagWords(receiverLag)] as const]),
  ];
}

/** The way to what stands below beside the rules: what was measured, and which failures are known. */
function renderBeside({ limits = [], profile = [], expected }: ResultFooter): readonly (readonly [string, Content])[] {
  const measured = [
    ...(limits.length === 0 ? [] : [html`<a href="#limits">${countOf(limits.length, 'limit')}</a>`]),
    ...(profile.length === 0 ? [] : [html`<a href="#profile">${countOf(profile.length, 'behaviour')}</a>`]),
  ];
  return [
    ...(measured.length === 0 ? [] : [['Measured', join(measured, ', ')] as const]),
    ...(expected === undefined
      ? []
      : [['Expected failures', html`<a href="#expected">${countExpected(expected)}</a>`] as const]),
  ];
}

function factsOf({ header, footer }: Result): readonly (readonly [label: string, value: Content])[] {
  const { target, clock, suites, tool, selection, level, flags, run, startedAt, shard } = header;
  const digest = (text: string): Markup => html`<code class="digest">${text}</code>`;
  const note = clock.note === '' ? '' : `. ${clock.note}`;
  return [
    ['Target', html`${target.name} <span class="quiet">${target.file}</span>`],
    ['Issuer', html`<span class="wire">${target.issuer}</span>`],
    ['Clock', html`<span class="clock-${clock.kind}">${clockLegend[clock.kind]}${note}</span>`],
    ['Selection', `${selection.length === 0 ? 'everything' : selection.join(', ')}; ${levelLegend[level]}`],
    ...(shard === undefined ? [] : [['Shard', `${shard.index} of ${shard.of}`] as const]),
    ...(flags.length === 0 ? [] : [['Flags', html`<code>${flags.join(' ')}</code>`] as const]),
    ['Began', momentOf(startedAt)],
    ...(footer === undefined
      ? []
      : [
          ['Ended', html`${momentOf(footer.endedAt)} <span class="quiet">on the run's clock</span>`] as const,
          [
            'Took',
            `${renderSpan(footer.wallMilliseconds)} of wall time, ${countOf(footer.exchanges, 'exchange')}, ${countOf(footer.deliveries, 'delivery', 'deliveries')}`,
          ] as const,
          ...renderSkew(footer),
          ...renderListening(footer),
          ...renderBeside(footer),
        ]),
    ['Tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
    ['Run', run],
    ['Target digest', digest(target.fingerprint)],
    ['Rules digest', digest(suites.rules)],
    ['Suites digest', digest(suites.suites)],
  ];
}

const renderFacts = (facts: ReturnType<typeof factsOf>): Markup =>
  html`<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Outcome, score, what was run against whom: all that an operator reads before anything else. `aside` stands below the scores. */
export function renderFirstScreen(
  result: Result,
  { lists, recoveryRecord }: { lists: Content; recoveryRecord: Content },
): Markup {
  const { footer, rules, header } = result;
  const { tone, word, sentence } = headlineOf(result);
  const reasons =
    footer === undefined ? [] : [...(footer.interrupted ? ['the run was interrupted'] : []), ...footer.reasons];
  const counts = countVerdicts(rules).map(
    ([verdict, count]) =>
      html`<li><a href="#rules" data-verdict="${verdict}">${verdictMark(verdict)} ${count}</a></li>`,
  );
  return html`<header class="first o-${tone}"><div class="verdict"><p class="kicker">carrierspec report · ${header.target.name}</p><h1><span class="word">${word}</span> <span class="sentence">${sentence}</span></h1>${reasons.length === 0 ? nothing : html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}${footer === undefined ? nothing : renderFractions(footer.score.required)}<ul class="counts" aria-label="Rules by verdict">${counts}</ul>${lists}</div><div class="beside">${footer === undefined ? nothing : renderScores(footer)}${recoveryRecord}</div>${renderFacts(factsOf(result))}</header>`;
}
