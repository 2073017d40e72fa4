import { type Ending, endingOf } from '../../model/ending.ts';
import { isStale } from '../../model/expected.ts';
import type { Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import type { Score } from '../../model/score.ts';
import { endingWords } from '../shared/ending-words.ts';
import { staleWords } from '../shared/notes.ts';
import {
  capitalise,
  conclusionsInWords,
  countedWords,
  countVerdicts,
  emptyWords,
  interfaceText,
  outcomeWords,
  renderScore,
  stopReasons,
} from '../shared/run-prose.ts';
import { renderSpan } from '../shared/time.ts';
import { type Content, html, type Markup, nothing } from './markup.ts';
import { momentOf, verdictMark } from './parts.ts';
import { meaningOf } from '../shared/meaning.ts';
import { renderAreas } from './areas.ts';

interface Headline {
  /** `none`: nothing required was judged, so that there is neither praise nor blame. */
  readonly tone: 'good' | 'expected' | 'bad' | 'open' | 'none';
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
  const isEmpty = ending === 'conformant' && footer.score.required.judged === 0;
  return { tone: isEmpty ? 'none' : headTones[ending], word, sentence: `${capitalise(outcomeWords(footer, rules))}.` };
}

/** Required rules: those that conform, those that do not, and those without a verdict; an ornament, the words say everything. */
function renderBar({ conforming, judged, applicable }: Score): Markup {
  if (applicable === 0) return nothing;
  const [good, known] = [conforming, judged].map((part) => Math.round((part / applicable) * 1000) / 10);
  // One broken rule of many is to be seen.
  const bad = judged > conforming ? Math.max(1.5, (known ?? 0) - (good ?? 0)) : 0;
  const from = Math.min(good ?? 0, 100 - bad);
  return html`<svg class="bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="3"/><rect class="full" width="${from}" height="3"/>${bad === 0 ? nothing : html`<rect class="bad" x="${from}" width="${bad}" height="3"/>`}</svg>`;
}

/** The two verdicts, a line each, as far as either was selected. */
function renderConclusions({ conclusions = {}, score }: ResultFooter): Markup {
  const lines = conclusionsInWords(conclusions).map(({ name, words }) => {
    const concluded = conclusions[name];
    const isEmpty = concluded !== undefined && emptyWords(concluded) !== undefined;
    const tone = isEmpty ? 'none' : tones[concluded?.outcome ?? 'incomplete'];
    const bar = concluded === undefined ? nothing : renderBar(concluded.score);
    return html`<li class="s-${tone}"><strong>${capitalise(name)}</strong> ${words}${bar}</li>`;
  });
  const counted = countedWords({ conclusions, score });
  const note = counted === undefined ? nothing : html`<p class="counted quiet">${counted}.</p>`;
  if (lines.length > 0) return html`<ul class="conclusions" aria-label="Verdicts">${lines}</ul>${note}`;
  return score.required.applicable === 0
    ? nothing
    : html`<p class="conclusions">${renderScore(score.required)} required rules${renderBar(score.required)}</p>`;
}

/** From when to when, on the run's clock, and how long that was. */
function periodOf({ startedAt }: ResultHeader, footer: ResultFooter | undefined): Content {
  const began = momentOf(startedAt);
  if (footer === undefined) return `from ${began}`;
  const length = Date.parse(footer.endedAt) - Date.parse(startedAt);
  if (!Number.isFinite(length)) return `${began} to ${momentOf(footer.endedAt)}`;
  return html`${began} to ${momentOf(footer.endedAt)} <span class="quiet">${renderSpan(length)}${footer.wallMilliseconds < length / 2 ? ` on the run's clock, ${renderSpan(footer.wallMilliseconds)} of wall time` : ''}</span>`;
}

function renderIdentity({ header, footer }: Result): Markup {
  const onVirtualClock =
    header.clock.kind === 'virtual'
      ? html` <span class="clock-virtual">virtual clock: certifies a test carrier only</span>`
      : nothing;
  return html`<dl class="identity"><div><dt>Carrier</dt><dd><strong>${header.target.name}</strong> <span class="wire">${header.target.issuer}</span></dd></div><div><dt>Interface</dt><dd>${interfaceText(header)}</dd></div><div><dt>Period</dt><dd>${periodOf(header, footer)}${onVirtualClock}</dd></div></dl>`;
}

/** Whom, against what, when, with what outcome, and what that means: all that is read first. */
export function renderFirstScreen(
  result: Result,
  { problems, unjudged }: { problems: Content; unjudged: Content },
): Markup {
  const { footer, rules } = result;
  const { tone, word, sentence } = headlineOf(result);
  const stale = (footer?.expected ?? []).filter(isStale).map(staleWords);
  const reasons = footer === undefined ? [] : [...stopReasons(footer), ...stale];
  const counts = countVerdicts(rules).map(
    ([verdict, count]) =>
      html`<li><a href="#rules" data-verdict="${verdict}">${verdictMark(verdict)} ${count}</a></li>`,
  );
  const listed =
    reasons.length === 0
      ? nothing
      : html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
  const areas = footer === undefined ? nothing : renderAreas(footer, rules);
  return html`<header class="first o-${tone}" id="summary"><div class="verdict">${renderIdentity(result)}<h1><span class="word">${word}</span> <span class="sentence">${sentence}</span></h1><p class="meaning">${meaningOf(result).join(' ')}</p><p class="ending">${capitalise(endingWords(result))}</p>${listed}${footer === undefined ? nothing : renderConclusions(footer)}<ul class="counts" aria-label="Rules by verdict">${counts}</ul></div><div class="beside">${areas}${unjudged}</div>${problems}</header>`;
}
