import { runHeadline } from '../../verdict/headline.ts';
import type { HeadlineTone } from '../../model/result.ts';
import { peopleWords } from '../../model/person-act.ts';
import type { Result, ResultFooter } from '../../model/result.ts';
import { type Score, type Level, levels } from '../../model/rule.ts';
import {
  type ConcludedRun,
  endingWords,
  allAreasNote,
  capitalise,
  declaredText,
  gapWords,
  interfaceText,
  lagWords,
  passingWords,
  outcomeWords,
  renderScore,
  stopReasons,
  trafficText,
  countedScore,
} from '../shared/run-prose.ts';
import { clockLegend } from '../shared/prose.ts';
import { joinedText, selectionText } from '../shared/meaning.ts';
import { renderSpan } from '../shared/time.ts';
import {
  codeSpan,
  plainMarkdown,
  groupSections,
  attestedSection,
  expectedSection,
  measuredSections,
  recordedSection,
  stoppedSection,
  unjudgedSection,
  unsolicitedSection,
} from './sections.ts';
import { createModel } from '../shared/model.ts';

const headlineSigns: Readonly<Record<HeadlineTone, string>> = {
  good: '✅',
  part: '⚪',
  none: '⚪',
  expected: '⚠️',
  bad: '❌',
  open: '❌',
};

/** Heading: green only for a complete conformant run, red whenever the exit code is not 0. */
function renderHeading(result: Run): string {
  const { tone, words } = runHeadline(result);
  return `# ${headlineSigns[tone]} carrierspec: ${plainMarkdown(words)}`;
}

type Run = Pick<Result, 'header' | 'footer' | 'rules'>;

function renderTitle({ header, footer, rules }: Run): readonly string[] {
  if (footer === undefined) {
    return [renderHeading({ header, rules }), 'The run did not reach its end, so it has no outcome and no score.'];
  }
  const run = { header, footer, rules };
  const sentences = [outcomeWords(run), endingWords(run)].map((words) => `${capitalise(plainMarkdown(words))}.`);
  return [renderHeading(run), sentences.join(' ')];
}

/** Reasons why the run ended before its time, in one list. */
function renderReasons(footer: ResultFooter | undefined): readonly string[] {
  const why = footer === undefined ? [] : stopReasons(footer);
  return why.length === 0 ? [] : [why.map((reason) => `- because ${codeSpan(reason)}`).join('\n')];
}

const listeningFacts = ({ left = [], gaps = [], receiverLag, people, passing }: ResultFooter): readonly string[] => [
  ...left.map((words) => `- left behind: ${codeSpan(words)}`),
  ...gaps.map((gap) => `- gap ${codeSpan(gapWords(gap))}`),
  ...(people === undefined ? [] : [`- people: ${codeSpan(peopleWords(people))}`]),
  ...(passing === undefined ? [] : [`- ${passingWords(passing)}`]),
  ...(receiverLag === undefined ? [] : [`- our receiver was ${lagWords(receiverLag)}`]),
];

function renderFacts({ header, footer }: Pick<Result, 'header' | 'footer'>): string {
  const { target, clock, suites, tool, run, startedAt, shard } = header;
  const joined = joinedText(header);
  const declared = declaredText(header);
  const note = clock.note === '' ? '' : ` ${codeSpan(clock.note)}`;
  return [
    `- interface ${codeSpan(interfaceText(header))}`,
    `- target ${codeSpan(target.name)} (${codeSpan(target.file)}), issuer ${codeSpan(target.issuer)}`,
    ...(declared === undefined ? [] : [`- declared ${codeSpan(declared)}`]),
    ...(joined === undefined ? [] : [`- joined ${codeSpan(joined)}`]),
    `- clock ${clockLegend[clock.kind]}.${note}`,
    `- selection ${codeSpan(selectionText(header))}${shard === undefined ? '' : `; shard ${shard.index} of ${shard.of}`}`,
    `- run ${codeSpan(run)}, started ${codeSpan(startedAt)}, ${codeSpan(`${tool.name} ${tool.version}`)} on node ${codeSpan(tool.node)}`,
    `- rules ${codeSpan(suites.rules)}, suites ${codeSpan(suites.suites)}, target ${codeSpan(target.fingerprint)}`,
    `- program ${codeSpan(tool.digest)}`,
    ...(footer === undefined ? [] : listeningFacts(footer)),
  ].join('\n');
}

const scoreCell = (score: Score): string => (score.applicable === 0 ? '–' : renderScore(score));

const renderRow = (name: string, scores: Readonly<Record<Level, Score>>): string =>
  `| ${[name, ...levels.map((level) => scoreCell(scores[level]))].join(' | ')} |`;

function renderScores(run: ConcludedRun): readonly string[] {
  const { footer, rules } = run;
  const { areas, score, wallMilliseconds } = footer;
  const { limits } = runHeadline(run);
  const counted = countedScore(run);
  const note = allAreasNote(rules);
  const table = [
    `| rules by area | ${levels.join(' | ')} |`,
    '|---|---|---|---|',
    ...Object.entries(areas).map(([name, scores]) => renderRow(plainMarkdown(name), scores)),
    renderRow('**all areas**', score),
  ];
  return [
    ...(limits.length === 0 ? [] : [plainMarkdown(capitalise(limits.join(' · ')))]),
    ...(counted === undefined ? [] : [`Score: ${counted}.`]),
    table.join('\n'),
    ...(note === undefined ? [] : [`${note}.`]),
    `Conforming/judged of applicable. Took ${renderSpan(wallMilliseconds)} of wall time: ${trafficText(footer)}.`,
  ];
}

/** Maximum size in bytes: GitHub limits a step's summary to 1 MiB and shows nothing of a longer one. */
const sizeLimit = 900 * 1024;

/** Joins the last section with as many whole sections before it as fit, and a line that counts the others. */
function fitSections(sections: readonly string[], last: string): string {
  let size = Buffer.byteLength(last);
  const fitting: string[] = [];
  for (const section of sections) {
    size += Buffer.byteLength(section) + 2;
    if (size > sizeLimit) break;
    fitting.push(section);
  }
  const left = sections.length - fitting.length;
  const note = left === 0 ? [] : [`*${left} more sections are left out here: see the other reports.*`];
  return `${[...fitting, ...note, last].join('\n\n')}\n`;
}

/** Scope, scores, target and digests, which are read after the findings. */
function renderRun(result: Result): string {
  const { header, footer, rules } = result;
  return [
    '## The run',
    ...(footer === undefined ? [] : renderScores({ header, footer, rules })),
    renderFacts(result),
  ].join('\n\n');
}

/** The result as a GitHub Markdown summary for `$GITHUB_STEP_SUMMARY`, at most 900 KiB; it begins with what is broken. */
export function renderMarkdown(result: Result): string {
  const model = createModel(result);
  const sections = [
    renderTitle(result).join('\n\n'),
    ...groupSections('failures', model),
    ...renderReasons(result.footer),
    ...expectedSection(result),
    ...groupSections('expected', model),
    ...stoppedSection(model.stopped),
    ...groupSections('uncounted', model),
    ...groupSections('warnings', model),
    ...attestedSection(result.rules),
    ...unjudgedSection(model.unjudged),
    ...(result.footer === undefined ? [] : measuredSections(result.footer)),
    ...unsolicitedSection(result),
    ...recordedSection(result.rules),
  ];
  return fitSections(sections, renderRun(result));
}
