import { brokenCauses } from '../../verdict/standing.ts';
import { runEnding } from '../../verdict/ending.ts';
import { isStale } from '../../verdict/expected.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import { type Position, renderRuleRef } from '../../model/rule.ts';
import type { Result } from '../../model/result.ts';
import { type EvidenceLine, findingFacts, renderCommand } from '../shared/facts.ts';
import { entryStateWords, staleWords } from '../shared/notes.ts';
import { findingHeadline } from '../shared/broken-rules.ts';
import { renderClause, ruleSentence } from '../shared/prose.ts';
import { capitalise, stopReasons, outcomeWords, brokenNoun } from '../shared/run-prose.ts';
import { forLog } from '../shared/gate.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { expectedWords } from '../shared/consequences.ts';
import {
  createModel,
  type LocatedFinding,
  type FindingGroup,
  type UnjudgedItem,
  type FindingSection,
  type ReportModel,
  countSection,
} from '../shared/model.ts';
import { countNoun, groupBy, listRanges, listIds } from '../../lib/lists.ts';

type Command = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly command: Command;
  readonly title: string;
  readonly position?: Position;
  readonly lines: readonly string[];
}

/** GitHub shows ten annotations of each kind per step; the first is a summary, so nine are left. */
const maxPerKind = 9;
const lineLimit = 500;
const idLimit = 20;

/** Escapes a message for the runner: `%` first, so that no escape is escaped again. No line becomes a command. */
const escapeMessage = (text: string): string =>
  forLog(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeMessage(forTerminal(text, lineLimit)).replaceAll(':', '%3A').replaceAll(',', '%2C');

function renderAnnotation({ command, title, position, lines }: Annotation): string {
  const place: Readonly<Record<string, string>> =
    position === undefined ? {} : { file: position.file, line: String(position.line), col: String(position.column) };
  const properties = Object.entries({ ...place, title }).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const message = escapeMessage(lines.map((line) => forTerminal(line, lineLimit)).join('\n'));
  return `::${command} ${properties.join(',')}::${message}\n`;
}

const renderFacts = (facts: readonly EvidenceLine[]): string[] => facts.map(({ label, text }) => `${label}: ${text}`);

function findingAnnotation(found: LocatedFinding, { rules, header }: Result): Omit<Annotation, 'command'> {
  const { finding, id, title, invariant, entry } = found;
  const rule = rules.find((one) => one.id === finding.rule);
  return {
    title: `${renderRuleRef(finding)} (${id})`,
    position: finding.position,
    lines: [
      findingHeadline(found),
      ...(entry === undefined ? [] : [expectedWords(entry)]),
      ...(rule === undefined
        ? []
        : [`rule: ${ruleSentence(rule, renderRuleRef(finding))} (${renderClause(rule.clause)})`]),
      `${invariant === undefined ? 'case' : 'invariant'}: ${title}`,
      ...renderFacts(findingFacts(found, header.flags).filter(({ label }) => label !== 'where')),
    ],
  };
}

/** Interleaves findings, one per rule and round, so that a reader who is shown nine sees nine rules. */
function interleaveFindings(groups: readonly FindingGroup[]): readonly LocatedFinding[] {
  const rounds = Math.min(maxPerKind, Math.max(0, ...groups.map(({ found }) => found.length)));
  return Array.from({ length: rounds }, (_, round) =>
    groups.map(({ found }) => found[round]).filter((one) => one !== undefined),
  ).flat();
}

/** Groups of one section; `most` of their findings are annotated. */
interface AnnotatedSection {
  readonly command: Command;
  readonly noun: string;
  readonly said: string;
  readonly of: FindingSection;
  readonly most?: number;
}

function* findingAnnotations(section: AnnotatedSection, result: Result, model: ReportModel): Iterable<Annotation> {
  const { command, noun, said, of, most = maxPerKind } = section;
  const groups = [...model[of].values()];
  if (groups.length === 0) return;
  const findings = groups.reduce((sum, { found }) => sum + found.length, 0);
  const names = listRanges(new Set(groups.map(({ ref }) => ref)), idLimit);
  const what = `${countNoun(countSection(result.rules, of), noun)} ${said}, ${countNoun(findings, 'finding')}: ${names}`;
  const shown = Math.min(most, findings);
  const note = findings > shown ? [`${shown} of them are annotated; the reports have all`] : [];
  yield { command, title: `carrierspec: ${result.header.target.name}`, lines: [what, ...note] };
  for (const one of interleaveFindings(groups).slice(0, most)) yield { command, ...findingAnnotation(one, result) };
}

/** Explains a red run if no finding and no entry of expected.yaml does. */
function unfinishedAnnotations(result: Result): readonly Annotation[] {
  const { header, footer, rules } = result;
  const title = `carrierspec: ${header.target.name}`;
  if (footer === undefined) {
    return [{ command: 'error', title, lines: ['cut off: the run did not reach its end, so it has no outcome'] }];
  }
  const ending = runEnding(result);
  const isOpen = footer.outcome === 'incomplete' || ending === 'incomplete' || ending === 'internal';
  if (!isOpen && !footer.interrupted) return [];
  const what = `${resultHeadlineLine(result)}: ${outcomeWords({ header, footer, rules })}`;
  return [{ command: 'error', title, lines: [what, ...stopReasons(footer)] }];
}

/** Verdict of a run that is not red. */
function headlineAnnotations(result: Result): readonly Annotation[] {
  const ending = runEnding(result);
  if (ending !== 'conformant' && ending !== 'unjudged') return [];
  return [
    {
      command: 'notice',
      title: `carrierspec: ${result.header.target.name}`,
      lines: [capitalise(resultHeadlineLine(result))],
    },
  ];
}

/** Entries of expected.yaml that no longer hold, each at its position. */
const staleAnnotations = ({ footer }: Result): readonly Annotation[] =>
  (footer?.expected ?? []).filter(isStale).map((entry) => ({
    command: 'error',
    title: `${entry.what} ${entry.name} ${entryStateWords(entry)}`,
    position: entry.position,
    lines: [staleWords(entry)],
  }));

/** Cases without a verdict on the carrier, one annotation per reason. */
function* stoppedAnnotations(stopped: readonly UnjudgedItem[], flags: readonly string[]): Iterable<Annotation> {
  const reasons = [...groupBy(stopped, ({ verdict, reason }) => `${verdict}: ${reason}`)].slice(0, maxPerKind);
  for (const [reason, same] of reasons) {
    const first = same.find(({ kind }) => kind === 'case');
    yield {
      command: 'notice',
      title: listIds(
        same.map(({ id }) => id),
        3,
      ),
      lines: [reason, ...(first === undefined ? [] : [`run again: ${renderCommand(first.id, flags)}`])],
    };
  }
}

/** The result as GitHub workflow commands, one per line, which point at the expectation in the suite. */
export function* renderAnnotations(result: Result): Iterable<string> {
  const model = createModel(result);
  const { uncounted, warnings, stopped } = model;
  const required = { noun: brokenNoun(brokenCauses(result.rules)) };
  // Both are warnings, and share the room for them.
  const most = uncounted.size > 0 && warnings.size > 0 ? Math.floor(maxPerKind / 2) : maxPerKind;
  const all = [
    ...findingAnnotations({ ...required, command: 'error', said: 'broken', of: 'failures' }, result, model),
    ...staleAnnotations(result),
    ...unfinishedAnnotations(result),
    ...headlineAnnotations(result),
    ...findingAnnotations(
      { ...required, command: 'notice', said: 'broken, as expected', of: 'expected' },
      result,
      model,
    ),
    ...findingAnnotations(
      { ...required, command: 'warning', said: 'broken, but not counted', of: 'uncounted', most },
      result,
      model,
    ),
    ...findingAnnotations(
      { command: 'warning', noun: 'rule', said: 'not followed, no outcome changed', of: 'warnings', most },
      result,
      model,
    ),
    ...stoppedAnnotations(stopped, result.header.flags),
  ];
  for (const annotation of all) yield renderAnnotation(annotation);
}
