import type { Position } from '../../model/position.ts';
import type { Result } from '../../model/result.ts';
import { type Fact, findingFacts, renderCommand } from '../shared/facts.ts';
import { clauseOf, renderFinding } from '../shared/prose.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { stopReasons, outcomeWords, replacedTexts } from '../shared/run-prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { collect, type FoundBy, type Group, type Unjudged } from '../shared/collect.ts';
import { foldIds, groupBy, listIds, countOf } from '../../lib/lists.ts';

type Command = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly command: Command;
  readonly title: string;
  readonly position?: Position;
  readonly lines: readonly string[];
}

/** GitHub shows ten of each kind a step; the first one sums up, so nine are left. */
const shownOfKind = 9;
const lineLimit = 500;
const idLimit = 20;

/** As the runner reads it back: `%` first, or an escape would be escaped again. */
const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeMessage(forTerminal(text, lineLimit)).replaceAll(':', '%3A').replaceAll(',', '%2C');

function renderAnnotation({ command, title, position, lines }: Annotation): string {
  const place: Readonly<Record<string, string>> =
    position === undefined ? {} : { file: position.file, line: String(position.line), col: String(position.column) };
  const properties = Object.entries({ ...place, title }).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const message = escapeMessage(lines.map((line) => forTerminal(line, lineLimit)).join('\n'));
  return `::${command} ${properties.join(',')}::${message}\n`;
}

const renderFacts = (facts: readonly Fact[]): string[] => facts.map(({ label, text }) => `${label}: ${text}`);

function findingAnnotation(found: FoundBy, { rules, header }: Result): Omit<Annotation, 'command'> {
  const { finding, id, title, invariant } = found;
  const rule = rules.find((one) => one.id === finding.rule);
  return {
    title: `${renderRuleRef(finding)} (${id})`,
    position: finding.position,
    lines: [
      renderFinding(finding).summary,
      ...(rule === undefined ? [] : [`rule: ${rule.description} (${clauseOf(rule.clause)})`]),
      `${invariant === undefined ? 'case' : 'invariant'}: ${title}`,
      ...renderFacts(findingFacts(found, header.flags).filter(({ label }) => label !== 'where')),
    ],
  };
}

/** One finding of each rule before the second of any: a reader who is shown nine sees nine rules. */
function inTurns(groups: readonly Group[]): readonly FoundBy[] {
  const rounds = Math.min(shownOfKind, Math.max(0, ...groups.map(({ found }) => found.length)));
  return Array.from({ length: rounds }, (_, round) =>
    groups.map(({ found }) => found[round]).filter((one) => one !== undefined),
  ).flat();
}

function* findingAnnotations(
  command: 'error' | 'warning',
  groups: readonly Group[],
  result: Result,
): Iterable<Annotation> {
  if (groups.length === 0) return;
  const findings = groups.reduce((sum, { found }) => sum + found.length, 0);
  const names = listIds(foldIds(new Set(groups.map(({ ref }) => ref))), idLimit);
  const many = countOf(groups.length, command === 'error' ? 'required rule' : 'rule');
  const what = `${many} ${command === 'error' ? 'broken' : 'not followed, no outcome changed'}, ${countOf(findings, 'finding')}: ${names}`;
  const shown = Math.min(shownOfKind, findings);
  const note = findings > shown ? [`${shown} of them are annotated; the reports have all`] : [];
  yield { command, title: `carrierspec: ${result.header.target.name}`, lines: [what, ...note] };
  for (const one of inTurns(groups).slice(0, shownOfKind)) yield { command, ...findingAnnotation(one, result) };
}

function incomplete({ header, footer, rules }: Result): Annotation | undefined {
  const title = `carrierspec: ${header.target.name}`;
  if (footer === undefined) {
    return { command: 'notice', title, lines: ['cut off: the run did not reach its end, so it has no outcome'] };
  }
  if (footer.outcome !== 'incomplete' && !footer.interrupted) return undefined;
  const what = `${footer.outcome}: ${outcomeWords(footer, rules)}`;
  return { command: 'notice', title, lines: [what, ...stopReasons(footer)] };
}

/** Which cases are of a later run. */
function replaced({ header }: Result): Annotation | undefined {
  const lines = replacedTexts(header);
  return lines.length === 0 ? undefined : { command: 'notice', title: `carrierspec: ${header.target.name}`, lines };
}

/** Cases that say nothing about the carrier, one annotation a reason. */
function* stoppedAnnotations(stopped: readonly Unjudged[], flags: readonly string[]): Iterable<Annotation> {
  const reasons = [...groupBy(stopped, ({ verdict, reason }) => `${verdict}: ${reason}`)].slice(0, shownOfKind);
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

/**
 * The result as GitHub workflow commands, a line each: an error for what broke a required rule, a warning for what did not
 * follow a recommended one, a notice for what could not be judged. They point at the expectation in the suite.
 */
export function* renderAnnotations(result: Result): Iterable<string> {
  const { failures, warnings, stopped } = collect(result);
  const notices = [incomplete(result), replaced(result)].flatMap((one) => one ?? []);
  const all = [
    ...findingAnnotations('error', [...failures.values()], result),
    ...notices,
    ...findingAnnotations('warning', [...warnings.values()], result),
    ...stoppedAnnotations(stopped, result.header.flags),
  ];
  for (const annotation of all) yield renderAnnotation(annotation);
}
