import { isStale } from '../../verdict/expected.ts';
import { runHeadline } from '../../verdict/headline.ts';
import { peopleWords } from '../../model/person-act.ts';
import type { Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import {
  capitalise,
  interfaceText,
  outcomeWords,
  stopReasons,
  declaredText,
  gapWords,
  lagWords,
  passingWords,
  profileLegend,
  skewWords,
  trafficText,
} from '../shared/run-prose.ts';
import { staleWords, countExpected } from '../shared/notes.ts';
import { renderSpan } from '../shared/time.ts';
import { type HtmlContent, html, type Markup, nothing } from './links.ts';
import { renderMoment, factList } from './fragments.ts';
import { explainOutcome, joinedText, selectionText } from '../shared/meaning.ts';
import { renderAreas } from './areas.ts';
import { quoteWord } from '../../lib/shell.ts';
import { clockLegend } from '../shared/prose.ts';

/** Why the run ended as it did, and entries of expected.yaml to delete. */
const runReasons = (footer: ResultFooter | undefined): readonly string[] =>
  footer === undefined ? [] : [...stopReasons(footer), ...(footer.expected ?? []).filter(isStale).map(staleWords)];

function outcomeSentence({ header, footer, rules }: Result): string {
  return footer === undefined
    ? 'The run did not reach its end: it has no outcome and no score.'
    : `${capitalise(outcomeWords({ header, footer, rules }))}.`;
}

/** Period on the reader's clock: a virtual one ends on another day than the run did. */
function renderPeriod({ startedAt, clock }: ResultHeader, footer: ResultFooter | undefined): HtmlContent {
  const began = renderMoment(startedAt);
  if (footer === undefined) return `from ${began}`;
  return clock.kind === 'virtual'
    ? html`${began} <span class="quiet">took ${renderSpan(footer.wallMilliseconds)}</span>`
    : `${began} to ${renderMoment(footer.endedAt)}`;
}

/** Most sentences on the first screen. */
const maxSentences = 5;

/** First screen: carrier, interface, period, outcome and its meaning, its causes, and one mark for each rule. */
export function renderFirstScreen(result: Result, causes: Markup): Markup {
  const { header, footer, rules } = result;
  const { tone, words, limits } = runHeadline(result);
  const meaning = explainOutcome(result);
  const reasons = runReasons(footer).slice(0, Math.max(1, maxSentences - 1 - meaning.length));
  const identity = html`<dl class="identity"><div><dt>Carrier</dt><dd><strong>${header.target.name}</strong> <span class="wire">${header.target.issuer}</span></dd></div><div><dt>Interface</dt><dd>${interfaceText(header)}</dd></div><div><dt>Period</dt><dd>${renderPeriod(header, footer)}</dd></div></dl>`;
  const scope =
    limits.length === 0
      ? nothing
      : html`<ul class="scope" aria-label="What the verdict is limited to">${limits.map((limit) => html`<li>${limit}</li>`)}</ul>`;
  const listed =
    reasons.length === 0
      ? nothing
      : html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
  const areas = footer === undefined ? nothing : renderAreas(footer, rules);
  return html`<header class="first o-${tone}" id="summary"><div class="verdict">${identity}<h1><span class="word">${capitalise(words)}</span> <span class="sentence">${outcomeSentence(result)}</span></h1>${scope}<p class="meaning">${meaning.join(' ')}</p>${listed}${causes}</div><div class="beside">${areas}</div></header>`;
}

type LabelledFact = readonly [label: string, value: HtmlContent | undefined];

function listeningFacts({ left = [], gaps = [], receiverLag, people, passing }: ResultFooter): readonly LabelledFact[] {
  return [
    ...left.map((words) => ['Left behind', words] as const),
    ...gaps.map((gap) => ['Gap', gapWords({ from: renderMoment(gap.from), to: renderMoment(gap.to) })] as const),
    ['People', people && peopleWords(people)],
    ['Failures', passing && passingWords(passing)],
    ['Our receiver', receiverLag === undefined ? undefined : lagWords(receiverLag)],
  ];
}

function footerFacts(footer: ResultFooter): readonly LabelledFact[] {
  const { expected } = footer;
  return [
    ['Ended', html`${renderMoment(footer.endedAt)} <span class="quiet">on the run's clock</span>`],
    ['Took', `${renderSpan(footer.wallMilliseconds)} of wall time, ${trafficText(footer)}`],
    ...runReasons(footer).map((reason) => ['Reason', reason] as const),
    ['Carrier clock', skewWords(footer)],
    ...listeningFacts(footer),
    ['Expected failures', expected && html`<a href="#expected">${countExpected(expected)}</a>`],
  ];
}

function runFacts({ header, footer }: Result): readonly LabelledFact[] {
  const { target, clock, tool, flags, run, startedAt, shard } = header;
  const note = clock.note === '' ? '' : `. ${clock.note}`;
  return [
    ['Interface', interfaceText(header)],
    ['Target', html`${target.name} <span class="quiet">${target.file}</span>`],
    ['Issuer', html`<span class="wire">${target.issuer}</span>`],
    ['Clock', html`<span class="clock-${clock.kind}">${clockLegend[clock.kind]}${note}</span>`],
    ['Selection', selectionText(header)],
    ['Declared', declaredText(header)],
    ['Joined', joinedText(header)],
    ['Profile', profileLegend[header.profile]],
    ['Shard', shard && `${shard.index} of ${shard.of}`],
    ['Flags', flags.length === 0 ? undefined : html`<code>${flags.map(quoteWord).join(' ')}</code>`],
    ['Began', renderMoment(startedAt)],
    ...(footer === undefined ? [] : footerFacts(footer)),
    ['Tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
    ['Run', run],
  ];
}

/** Setup, target and times of the run, for readers who want to repeat or identify it. */
export const renderAbout = (result: Result): Markup =>
  html`<section class="about" id="about" aria-labelledby="about-title"><h2 id="about-title">About this run</h2>${factList(runFacts(result))}</section>`;
