import { levels, type Score } from '../../model/rule.ts';
import type { Result, ResultFooter, ResultHeader, RuleResult } from '../../model/result.ts';
import { countCells } from '../../lib/cells.ts';
import { createPage, fitText, padText, type Page, type Tone } from '../shared/layout.ts';
import { clockLegend } from '../shared/prose.ts';
import {
  allAreasNote,
  declaredText,
  gapWords,
  interfaceText,
  lagWords,
  passingWords,
  profileLegend,
  renderScore,
  rootFacts,
  skewWords,
  trafficText,
  countedScore,
} from '../shared/run-prose.ts';
import { joinedText, selectionText } from '../shared/meaning.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { peopleWords } from '../../model/person-act.ts';
import { staleEndWords } from '../shared/notes.ts';
import { renderSpan } from '../shared/time.ts';
import { renderBrief, renderQuiet } from './brief.ts';
import { createModel, type ReportModel } from '../shared/model.ts';
import {
  brokenLines,
  endingLines,
  outcomeLines,
  attestedLines,
  expectedLines,
  limitLines,
  recordedLines,
  stoppedLines,
  unjudgedLines,
  unsolicitedLines,
} from './sections.ts';
import { type DetailLevel, renderFailures, renderTolerated, renderWarnings, renderUncounted } from './findings.ts';

/** First twelve digits of `sha256:3f2a91c0d4e5...`. */
const digestPrefix = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);

function renderHead(page: Page, header: ResultHeader): readonly string[] {
  const { tool, run, target, clock, suites, startedAt, shard } = header;
  const clockTone = clock.kind === 'virtual' ? page.paint.yellow : page.paint.reset;
  const facts: readonly { readonly label: string; readonly text: string | undefined; readonly tone?: Tone }[] = [
    { label: 'interface', text: interfaceText(header) },
    { label: 'target', text: `${target.name} (${target.file})` },
    { label: 'issuer', text: target.issuer },
    {
      label: 'clock',
      text: `${clockLegend[clock.kind]}${clock.note === '' ? '' : `. ${clock.note}`}`,
      tone: clockTone,
    },
    { label: 'suites', text: `rules ${digestPrefix(suites.rules)}, suites ${digestPrefix(suites.suites)}` },
    { label: 'program', text: digestPrefix(tool.digest) },
    { label: 'selection', text: selectionText(header) },
    { label: 'declared', text: declaredText(header) },
    { label: 'joined', text: joinedText(header) },
    { label: 'profile', text: profileLegend[header.profile] },
    { label: 'shard', text: shard && `${shard.index} of ${shard.of}` },
    { label: 'started', text: startedAt },
  ];
  return [
    `${page.paint.bold(`${tool.name} ${forTerminal(tool.version, 40)}`)}  ${page.paint.dim(`run ${forTerminal(run, 60)}`)}`,
    '',
    ...facts.flatMap(({ label, text, tone }) => page.fact(label, text, { tone })),
  ];
}

const nameWidth = 18;

function scoreTone({ paint }: Page, { conforming, judged, applicable }: Score): Tone {
  if (applicable === 0) return paint.dim;
  if (conforming < judged) return paint.red;
  return judged < applicable ? paint.yellow : paint.green;
}

function renderCell(page: Page, score: Score, width: number): string {
  const text = score.applicable === 0 ? '-' : renderScore(score);
  return scoreTone(page, score)(text) + ' '.repeat(Math.max(0, width - countCells(text)));
}

/** One line per area: conforming out of judged, judged out of applicable. */
function renderAreas(page: Page, footer: ResultFooter, rules: readonly RuleResult[]): readonly string[] {
  const width = Math.floor((page.width - nameWidth - 2) / levels.length);
  const rows = [...Object.entries(footer.areas), ['all areas', footer.score] as const];
  const line = (name: string, cells: readonly string[]): string =>
    `  ${padText(fitText(forTerminal(name, 200), nameWidth - 2), nameWidth)}${cells.join('')}`.trimEnd();
  return [
    ...page.heading('Rules by area', 'conforming/judged of applicable'),
    page.paint.dim(
      line(
        '',
        levels.map((level) => padText(level, width)),
      ),
    ),
    ...rows.map(([name, scores]) =>
      line(
        name,
        levels.map((level) => renderCell(page, scores[level], width)),
      ),
    ),
    ...page.paragraph(allAreasNote(rules), { tone: page.paint.dim }),
  ];
}

function renderFooterFacts(page: Page, header: ResultHeader, footer: ResultFooter): readonly string[] {
  const { wallMilliseconds, left = [], gaps = [], receiverLag, people, passing } = footer;
  const skew = skewWords(footer);
  const facts = [
    { label: 'score', text: countedScore({ header, footer }) },
    { label: 'stopped', text: footer.interrupted ? 'the run was interrupted' : undefined },
    { label: 'expected', text: staleEndWords(footer.expected ?? []) },
    ...rootFacts(footer.root),
    ...footer.reasons.map((text) => ({ label: 'because', text })),
    ...left.map((text) => ({ label: 'left', text })),
    ...gaps.map((gap) => ({ label: 'gap', text: gapWords(gap) })),
    { label: 'people', text: people && peopleWords(people) },
    { label: 'failures', text: passing === undefined ? undefined : passingWords(passing) },
    { label: 'receiver', text: receiverLag === undefined ? undefined : lagWords(receiverLag) },
    { label: 'skew', text: skew && `the carrier's clock is ${skew}` },
    { label: 'took', text: `${renderSpan(wallMilliseconds)} of wall time, ${trafficText(footer)}` },
  ];
  return facts.flatMap(({ label, text }) => page.fact(label, text));
}

/** Everything but the outcome: the setup of the run first, then failures before warnings. */
function renderBody(page: Page, result: Result, model: ReportModel): readonly string[] {
  const { stopped, unjudged } = model;
  const { footer } = result;
  return [
    ...renderHead(page, result.header),
    ...(footer === undefined ? [] : renderAreas(page, footer, result.rules)),
    ...recordedLines(page, result.rules),
    ...(footer === undefined ? [] : limitLines(page, footer)),
    ...attestedLines(page, result.rules),
    ...unjudgedLines(page, unjudged),
    ...unsolicitedLines(page, result),
    ...stoppedLines(page, stopped),
    ...renderFailures(page, model),
    ...expectedLines(page, result, renderTolerated(page, model)),
    ...renderUncounted(page, model),
    ...renderWarnings(page, model),
  ];
}

/** `detail` defaults to `whole`. */
interface TerminalOptions {
  readonly colour: boolean;
  readonly width: number;
  readonly detail?: DetailLevel;
  /** File that has the result, for the next command. */
  readonly file?: string;
}

/** The final report as lines of text. */
export function renderTerminal(result: Result, { detail = 'whole', file, ...setting }: TerminalOptions): string {
  const page = createPage(setting, result.header.flags);
  const { footer } = result;
  const model = createModel(result);
  const source = { model, file };
  const lines =
    detail === 'brief'
      ? renderBrief(page, result, source)
      : detail === 'quiet'
        ? renderQuiet(page, result, source)
        : [
            ...renderBody(page, result, model),
            ...outcomeLines(page, result),
            ...(footer === undefined ? [] : renderFooterFacts(page, result.header, footer)),
            ...brokenLines(page, result, model),
            ...endingLines(page, result),
          ];
  return `${lines.join('\n')}\n`;
}
