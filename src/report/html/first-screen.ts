import { isStale } from '../../verdict/expected.ts';
import { runHeadline, runScope } from '../../verdict/headline.ts';
import { peopleWords } from '../../model/person-act.ts';
import type { Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import type { Score } from '../../model/rule.ts';
import {
  capitalise,
  countRuleVerdicts,
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
import { renderMoment, verdictMark, factList } from './fragments.ts';
import { explainOutcome, joinedText, selectionText } from '../shared/meaning.ts';
import { renderAreas } from './areas.ts';
import { quoteWord } from '../../lib/shell.ts';
import { clockLegend } from '../shared/prose.ts';

function outcomeSentence({ header, footer, rules }: Result): string {
  return footer === undefined
    ? 'The run did not reach its end: it has no outcome and no score.'
    : `${capitalise(outcomeWords({ header, footer, rules }))}.`;
}

/** Bar of conforming, broken and unjudged required rules. An ornament: the words say everything. */
function renderBar({ conforming, judged, applicable }: Score): Markup {
  if (applicable === 0) return nothing;
  const [good, known] = [conforming, judged].map((part) => Math.round((part / applicable) * 1000) / 10);
  // One broken rule among many must be visible.
  const bad = judged > conforming ? Math.max(1.5, (known ?? 0) - (good ?? 0)) : 0;
  const from = Math.min(good ?? 0, 100 - bad);
  return html`<svg class="bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="3"/><rect class="full" width="${from}" height="3"/>${bad === 0 ? nothing : html`<rect class="bad" x="${from}" width="${bad}" height="3"/>`}</svg>`;
}

/** Bar of the rules that count; the sentence above it has the figures. That of a partial run covers all rules that count. */
function renderScoreLine(header: ResultHeader, footer: ResultFooter): Markup {
  const { required } = footer.score;
  if (required.applicable === 0) return nothing;
  const covered = runScope(header).isPartial ? { ...required, applicable: footer.whole } : required;
  return html`<p class="counted">${renderBar(covered)}</p>`;
}

function renderPeriod({ startedAt, clock }: ResultHeader, footer: ResultFooter | undefined): HtmlContent {
  const began = renderMoment(startedAt);
  if (footer === undefined) return `from ${began}`;
  if (clock.kind === 'virtual')
    return html`${began} <span class="quiet">took ${renderSpan(footer.wallMilliseconds)}</span>`;
  const length = Date.parse(footer.endedAt) - Date.parse(startedAt);
  if (!Number.isFinite(length)) return `${began} to ${renderMoment(footer.endedAt)}`;
  return html`${began} to ${renderMoment(footer.endedAt)} <span class="quiet">${renderSpan(length)}${footer.wallMilliseconds < length / 2 ? ` on the run's clock, ${renderSpan(footer.wallMilliseconds)} of wall time` : ''}</span>`;
}

/** First screen: carrier, interface, period, outcome and its meaning. */
export function renderFirstScreen(
  result: Result,
  { problems, unjudged }: { problems: HtmlContent; unjudged: HtmlContent },
): Markup {
  const { header, footer, rules } = result;
  const { tone, words, limits } = runHeadline(result);
  const stale = (footer?.expected ?? []).filter(isStale).map(staleWords);
  const reasons = footer === undefined ? [] : [...stopReasons(footer), ...stale];
  const identity = html`<dl class="identity"><div><dt>Carrier</dt><dd><strong>${header.target.name}</strong> <span class="wire">${header.target.issuer}</span></dd></div><div><dt>Interface</dt><dd>${interfaceText(header)}</dd></div><div><dt>Period</dt><dd>${renderPeriod(header, footer)}</dd></div></dl>`;
  const scope =
    limits.length === 0
      ? nothing
      : html`<ul class="scope" aria-label="What the verdict is limited to">${limits.map((limit) => html`<li>${limit}</li>`)}</ul>`;
  const counts = countRuleVerdicts(rules).map(
    ([verdict, count]) =>
      html`<li><a href="#rules" data-verdict="${verdict}">${verdictMark(verdict)} ${count}</a></li>`,
  );
  const listed =
    reasons.length === 0
      ? nothing
      : html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
  const areas = footer === undefined ? nothing : renderAreas(footer, rules);
  return html`<header class="first o-${tone}" id="summary"><div class="verdict">${identity}<h1><span class="word">${capitalise(words)}</span> <span class="sentence">${outcomeSentence(result)}</span></h1>${scope}<p class="meaning">${explainOutcome(result).join(' ')}</p>${listed}${footer === undefined ? nothing : renderScoreLine(header, footer)}<ul class="counts" aria-label="Rules by verdict">${counts}</ul></div><div class="beside">${areas}${unjudged}</div>${problems}</header>`;
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
    ['Carrier clock', skewWords(footer)],
    ...listeningFacts(footer),
    ['Expected failures', expected && html`<a href="#expected">${countExpected(expected)}</a>`],
  ];
}

function runFacts({ header, footer }: Result): readonly LabelledFact[] {
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
    ['Joined', joinedText(header)],
    ['Profile', profileLegend[header.profile]],
    ['Shard', shard && `${shard.index} of ${shard.of}`],
    ['Flags', flags.length === 0 ? undefined : html`<code>${flags.map(quoteWord).join(' ')}</code>`],
    ['Began', renderMoment(startedAt)],
    ...(footer === undefined ? [] : footerFacts(footer)),
    ['Tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
    ['Run', run],
    ['Program digest', digest(tool.digest)],
    ['Target digest', digest(target.fingerprint)],
    ['Rules digest', digest(suites.rules)],
    ['Suites digest', digest(suites.suites)],
  ];
}

/** Setup, target and times of the run, for readers who want to repeat or identify it. */
export const renderAbout = (result: Result): Markup =>
  html`<section class="about" id="about" aria-labelledby="about-title"><h2 id="about-title">About this run</h2>${factList(runFacts(result))}</section>`;
