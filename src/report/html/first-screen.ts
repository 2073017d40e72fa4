import { countOf } from '../../lib/lists.ts';
import { type Ending, endingOf } from '../../model/ending.ts';
import { isStale } from '../../model/expected.ts';
import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import type { Score } from '../../model/score.ts';
import { type Level, levels } from '../../model/rule.ts';
import { endingWords } from '../shared/ending-words.ts';
import { countExpected, staleWords } from '../shared/notes.ts';
import { clockLegend } from '../shared/prose.ts';
import {
  allAreasNote,
  capitalise,
  conclusionsInWords,
  declaredText,
  exploredText,
  replacedTexts,
  countVerdicts,
  gapWords,
  interfaceText,
  lagWords,
  outcomeWords,
  profileLegend,
  selectionText,
  skewWords,
  stopReasons,
  trafficText,
} from '../shared/run-prose.ts';
import { renderSpan } from '../shared/time.ts';
import { type Content, html, join, type Markup, nothing } from './markup.ts';
import { factList, momentOf, verdictMark } from './parts.ts';

type Labelled = readonly [label: string, value: Content | undefined];

interface Headline {
  readonly tone: 'good' | 'expected' | 'bad' | 'open';
  readonly word: string;
  readonly sentence: string;
}

const tones = { conformant: 'good', 'not conformant': 'bad', incomplete: 'open' } as const;

const headTones: Readonly<Record<Ending, Headline['tone']>> = {
  conformant: 'good',
  expected: 'expected',
  broken: 'bad',
  stale: 'bad',
  internal: 'open',
  incomplete: 'open',
  interrupted: 'open',
};

/** What expected.yaml makes of the outcome. */
const expectedly: Readonly<Partial<Record<Ending, string>>> = {
  expected: ', as expected',
  stale: ', but not as expected',
};

/** The outcome of a run as one word and one sentence. */
export function headlineOf(result: Pick<Result, 'footer' | 'rules'>): Headline {
  const { footer, rules } = result;
  if (footer === undefined) {
    return {
      tone: 'open',
      word: 'Cut off',
      sentence: 'The run did not reach its end: it has no outcome and no score.',
    };
  }
  const ending = endingOf(result);
  const word = `${capitalise(footer.outcome)}${expectedly[ending] ?? ''}`;
  return { tone: headTones[ending], word, sentence: `${capitalise(outcomeWords(footer, rules))}.` };
}

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

function renderScores({ areas, score }: ResultFooter, rules: readonly RuleResult[]): Markup {
  const note = allAreasNote(rules);
  const row = (name: Content, scores: Readonly<Record<Level, Score>>): Markup =>
    html`<tr><th scope="row">${name}</th>${levels.map((level) => renderCell(scores[level], level))}</tr>`;
  return html`<table class="scores"><caption>Conforming / judged <span class="of">of applicable, where not all were judged</span>${note === undefined ? nothing : html`<br>${note}`}</caption><thead><tr><td></td>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead><tbody>${Object.entries(areas).map(([name, scores]) => row(html`<a href="#rules" data-area="${name}">${name}</a>`, scores))}</tbody><tfoot>${row('all areas', score)}</tfoot></table>`;
}

/** The two verdicts, a line each, as far as either was selected. */
function renderConclusions({ conclusions = {} }: ResultFooter): Markup {
  const lines = conclusionsInWords(conclusions).map(({ name, words }) => {
    const tone = tones[conclusions[name]?.outcome ?? 'incomplete'];
    return html`<li class="s-${tone}"><strong>${capitalise(name)}</strong> ${words}</li>`;
  });
  return lines.length === 0 ? nothing : html`<ul class="conclusions" aria-label="Verdicts">${lines}</ul>`;
}

/** What cases left at the carrier, when the receiver was closed, and by how much it was late. */
function renderListening({ left = [], gaps = [], receiverLag }: ResultFooter): readonly Labelled[] {
  return [
    ...left.map((words) => ['Left behind', words] as const),
    ...gaps.map((gap) => ['Gap', gapWords({ from: momentOf(gap.from), to: momentOf(gap.to) })] as const),
    ['Our receiver', receiverLag === undefined ? undefined : lagWords(receiverLag)],
  ];
}

/** Links to the sections that stand beside the rules: what was measured, and which failures are expected. */
function sectionLinks({ limits = [], profile = [], expected }: ResultFooter): readonly Labelled[] {
  const measured = [
    ...(limits.length === 0 ? [] : [html`<a href="#limits">${countOf(limits.length, 'limit')}</a>`]),
    ...(profile.length === 0 ? [] : [html`<a href="#profile">${countOf(profile.length, 'behaviour')}</a>`]),
  ];
  return [
    ['Measured', measured.length === 0 ? undefined : join(measured, ', ')],
    ['Expected failures', expected && html`<a href="#expected">${countExpected(expected)}</a>`],
  ];
}

/** What the end of a run adds to the facts. */
function footerFacts(footer: ResultFooter): readonly Labelled[] {
  return [
    ['Ended', html`${momentOf(footer.endedAt)} <span class="quiet">on the run's clock</span>`],
    ['Took', `${renderSpan(footer.wallMilliseconds)} of wall time, ${trafficText(footer)}`],
    ['Carrier clock', skewWords(footer)],
    ...renderListening(footer),
    ...sectionLinks(footer),
  ];
}

function factsOf({ header, footer }: Result): readonly Labelled[] {
  const { target, clock, suites, tool, flags, run, startedAt, shard } = header;
  const digest = (text: string): Markup => html`<code class="digest">${text}</code>`;
  const note = clock.note === '' ? '' : `. ${clock.note}`;
  return [
    ['Interface', interfaceText(header)],
    ['Target', html`${target.name} <span class="quiet">${target.file}</span>`],
    ['Issuer', html`<span class="wire">${target.issuer}</span>`],
    ['Clock', html`<span class="clock-${clock.kind}">${clockLegend[clock.kind]}${note}</span>`],
    ['Selection', selectionText(header)],
    ['Declared', declaredText(header)],
    ['Explored', exploredText(header)],
    ...replacedTexts(header).map((text) => ['Replaced', text] as const),
    ['Profile', header.profile && profileLegend[header.profile]],
    ['Shard', shard && `${shard.index} of ${shard.of}`],
    ['Flags', flags.length === 0 ? undefined : html`<code>${flags.join(' ')}</code>`],
    ['Began', momentOf(startedAt)],
    ...(footer === undefined ? [] : footerFacts(footer)),
    ['Tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
    ['Run', run],
    ['Program digest', tool.digest && digest(tool.digest)],
    ['Target digest', digest(target.fingerprint)],
    ['Rules digest', digest(suites.rules)],
    ['Suites digest', digest(suites.suites)],
  ];
}

/** Outcome, score, what was run against whom: all that an operator reads first. `unjudged` stands below the scores. */
export function renderFirstScreen(
  result: Result,
  { problems, unjudged }: { problems: Content; unjudged: Content },
): Markup {
  const { footer, rules, header } = result;
  const { tone, word, sentence } = headlineOf(result);
  const stale = (footer?.expected ?? []).filter(isStale).map(staleWords);
  const reasons = footer === undefined ? [] : [...stopReasons(footer), ...stale];
  const counts = countVerdicts(rules).map(
    ([verdict, count]) =>
      html`<li><a href="#rules" data-verdict="${verdict}">${verdictMark(verdict)} ${count}</a></li>`,
  );
  return html`<header class="first o-${tone}"><div class="verdict"><p class="kicker">carrierspec report · ${header.target.name}</p><h1><span class="word">${word}</span> <span class="sentence">${sentence}</span></h1><p class="ending">${capitalise(endingWords(result))}</p>${reasons.length === 0 ? nothing : html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}${footer === undefined ? nothing : html`${renderFractions(footer.score.required)}${renderConclusions(footer)}`}<ul class="counts" aria-label="Rules by verdict">${counts}</ul>${problems}</div><div class="beside">${footer === undefined ? nothing : renderScores(footer, rules)}${unjudged}</div>${factList(factsOf(result))}</header>`;
}
