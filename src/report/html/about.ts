import { quoteWord } from '../../lib/shell.ts';
import type { Result, ResultFooter } from '../../model/result.ts';
import { countExpected } from '../shared/notes.ts';
import { clockLegend } from '../shared/prose.ts';
import {
  declaredText,
  gapWords,
  interfaceText,
  lagWords,
  profileLegend,
  skewWords,
  trafficText,
} from '../shared/run-prose.ts';
import { joinedText, selectionText } from '../shared/scope.ts';
import { renderSpan } from '../shared/time.ts';
import { type Content, html, type Markup } from './markup.ts';
import { factList, momentOf } from './parts.ts';

type Labelled = readonly [label: string, value: Content | undefined];

/** What cases left at the carrier, when the receiver was closed, and by how much it was late. */
function listeningFacts({ left = [], gaps = [], receiverLag }: ResultFooter): readonly Labelled[] {
  return [
    ...left.map((words) => ['Left behind', words] as const),
    ...gaps.map((gap) => ['Gap', gapWords({ from: momentOf(gap.from), to: momentOf(gap.to) })] as const),
    ['Our receiver', receiverLag === undefined ? undefined : lagWords(receiverLag)],
  ];
}

/** What the end of a run adds to the facts. */
function footerFacts(footer: ResultFooter): readonly Labelled[] {
  const { expected } = footer;
  return [
    ['Ended', html`${momentOf(footer.endedAt)} <span class="quiet">on the run's clock</span>`],
    ['Took', `${renderSpan(footer.wallMilliseconds)} of wall time, ${trafficText(footer)}`],
    ['Carrier clock', skewWords(footer)],
    ...listeningFacts(footer),
    ['Expected failures', expected && html`<a href="#expected">${countExpected(expected)}</a>`],
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
    ['Joined', joinedText(header)],
    ['Profile', profileLegend[header.profile]],
    ['Shard', shard && `${shard.index} of ${shard.of}`],
    ['Flags', flags.length === 0 ? undefined : html`<code>${flags.map(quoteWord).join(' ')}</code>`],
    ['Began', momentOf(startedAt)],
    ...(footer === undefined ? [] : footerFacts(footer)),
    ['Tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
    ['Run', run],
    ['Program digest', digest(tool.digest)],
    ['Target digest', digest(target.fingerprint)],
    ['Rules digest', digest(suites.rules)],
    ['Suites digest', digest(suites.suites)],
  ];
}

/** With what, against whom and when it was run: what somebody needs who wants to run it again, or to check that it is the run. */
export const renderAbout = (result: Result): Markup =>
  html`<section class="about" id="about" aria-labelledby="about-title"><h2 id="about-title">About this run</h2>${factList(factsOf(result))}</section>`;
