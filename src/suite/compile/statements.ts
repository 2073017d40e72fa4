import { at, type Cursor, cursorText as textOf } from '../yaml/document.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import type { ReadValue } from '../grammar/grammar.ts';
import { reportAt, reportAtKey } from '../context.ts';
import type { rulesFile } from '../rules.ts';

/** Text of the interface that the rules of a folder quote. */
export interface QuotableText {
  /** Name in messages. */
  readonly label: string;
  readonly text: string;
}

type StatementReport = (problem: Problem) => void;

/** Statement from a standard, with its section: `RFC 7519 §4.1.4: what has expired is refused`. */
const standardPattern = /^(?:RFC [0-9]+|OIDC (?:Core|Discovery)|CIBA Core) §[0-9]+(?:\.[0-9]+)*: \S/;

/** Whether a statement names a standard and a section. Any other statement is a quotation. */
export const citesStandard = (statement: string): boolean => standardPattern.test(statement);

/** Minimum words of a quotation: a single word occurs in any text. */
const minQuotedWords = 3;

const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

const wordSet = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

/** Returns the sentence or table cell that shares the most words with a text, relative to its length. */
function findNearestSentence(wanted: string, text: string): string | undefined {
  const words = wordSet(wanted);
  let best: string | undefined;
  let most = 1;
  const parts = text.replaceAll('\n\n', '|').split('|');
  for (const part of parts.flatMap((one) => one.split(/(?<=[.;:])\s/))) {
    const found = wordSet(part);
    const shared = [...words].filter((word) => found.has(word)).length;
    const share = shared / Math.sqrt(found.size);
    if (shared < 2 || share <= most) continue;
    best = collapseSpaces(part);
    most = share;
  }
  return best;
}

/** Reports a statement that quotes neither the interface nor a standard. */
function checkStatement(
  cursor: Cursor,
  { label, text, words }: QuotableText & { readonly words: string },
  report: StatementReport,
): void {
  const statement = collapseSpaces(textOf(cursor) ?? '');
  if (citesStandard(statement)) return;
  const isQuoted = words.includes(statement);
  if (isQuoted && statement.split(' ').length >= minQuotedWords) return;
  const message = isQuoted
    ? `"${statement}" is too short to say anything: a quotation has at least ${minQuotedWords} words`
    : `"${statement}" does not stand in ${label}, nor does it begin with a standard and its section (RFC 7519 §4.1.4: ...)`;
  const near = isQuoted ? undefined : findNearestSentence(statement, text);
  const hint = near === undefined ? undefined : `did you mean "${near}"?`;
  reportAt(cursor, { report }, { code: 'bad-value', message, ...omitUndefined({ hint }) });
}

type StatedRule = NonNullable<ReadValue<typeof rulesFile>['rules']>[number];

/** Yields a rule and its aspects, each with its statements. */
function* listStatedParts({ id, level, states, aspects = [], cursor }: StatedRule) {
  const name = (id && textOf(id)) ?? 'the rule';
  yield { name, level, states, cursor };
  for (const [aspect, part] of aspects) {
    yield { name: `${name}#${aspect}`, level: part.level, states: part.states ?? states, cursor: part.cursor };
  }
}

/** Reports required rules and aspects without a statement, and statements that are not quotations. */
export function checkStatements(rules: readonly StatedRule[], quotable: QuotableText, report: StatementReport): void {
  const worded = { ...quotable, words: collapseSpaces(quotable.text) };
  for (const { name, level, states, cursor } of rules.flatMap((rule) => [...listStatedParts(rule)])) {
    for (const statement of states ?? []) checkStatement(statement, worded, report);
    if (level !== 'required' || states !== undefined) continue;
    const message = `${name} is required: "states" must quote the words of ${quotable.label}, or name the standard, that make it so`;
    reportAtKey(at(cursor, 'level'), { report }, { code: 'reason-missing', message });
  }
}
