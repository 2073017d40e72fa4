import { defined } from '../../lib/optional.ts';
import type { Problem } from '../../model/problem.ts';
import type { Read } from '../grammar/grammar.ts';
import { at, type Cursor, text as textOf } from '../yaml/cursor.ts';
import { reportAt, reportAtKey } from './context.ts';
import type { rulesFile } from './rules.ts';

/** The text of an interface, as the rules of a folder quote it. */
export interface Quotable {
  /** How messages name it. */
  readonly label: string;
  readonly text: string;
}

type Report = (problem: Problem) => void;

/** What a standard has, with the section: `RFC 7519 §4.1.4: what has expired is refused`. */
const ofStandard = /^(?:RFC [0-9]+|OIDC (?:Core|Discovery)|CIBA Core) §[0-9]+(?:\.[0-9]+)*: \S/;

/** Whether it names a standard and a section; anything else is a quotation. */
export const citesStandard = (statement: string): boolean => ofStandard.test(statement);

/** Words, of which a quotation has some: one alone stands in any text. */
const fewestWords = 3;

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

/** The sentence or cell that has most of these words. */
function nearestIn(wanted: string, text: string): string | undefined {
  const words = wordsOf(wanted);
  let best: string | undefined;
  let most = 1;
  for (const part of text.split(/(?<=[.;:])\s+|\s*\|\s*|\n{2,}/)) {
    const found = wordsOf(part);
    const shared = [...words].filter((word) => found.has(word)).length;
    const share = shared / Math.sqrt(found.size);
    if (shared < 2 || share <= most) continue;
    best = flat(part);
    most = share;
  }
  return best;
}

/** Reports the required rules and aspects for which no sentence stands, and the statements that are no quotation. */
export function checkStatements(
  read: Read<typeof rulesFile> | undefined,
  { label, text }: Quotable,
  report: Report,
): void {
  const whole = flat(text);
  const check = (cursor: Cursor): void => {
    const statement = flat(textOf(cursor) ?? '');
    if (citesStandard(statement)) return;
    const isQuoted = whole.includes(statement);
    if (isQuoted && statement.split(' ').length >= fewestWords) return;
    const message = isQuoted
      ? `"${statement}" is too short to say anything: a quotation has at least ${fewestWords} words`
      : `"${statement}" does not stand in ${label}, nor does it begin with a standard and its section (RFC 7519 §4.1.4: ...)`;
    const near = isQuoted ? undefined : nearestIn(statement, text);
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    reportAt(cursor, { report }, { code: 'bad-value', message, ...defined({ hint }) });
  };
  const missing = (cursor: Cursor, what: string): void => {
    const message = `${what} is required: "states" must quote the words of ${label}, or name the standard, that make it so`;
    reportAtKey(at(cursor, 'level'), { report }, { code: 'reason-missing', message });
  };
  for (const { id, level, states, aspects = [], cursor } of read?.rules ?? []) {
    const name = (id && textOf(id)) ?? 'the rule';
    states?.forEach(check);
    if (level === 'required' && states === undefined) missing(cursor, name);
    for (const [aspect, part] of aspects) {
      part.states?.forEach(check);
      if (part.level === 'required' && (part.states ?? states) === undefined) missing(part.cursor, `${name}#${aspect}`);
    }
  }
}
