import { at, type Cursor, text, texts } from '../suite/yaml/cursor.ts';
import { parseDuration } from '../lib/duration.ts';
import { suggestion } from '../lib/suggest.ts';
import type { Reader } from '../target/reader.ts';

/** What a subscriber does with a request by himself. */
export interface ApprovalRule {
  readonly client?: string;
  readonly subscriber?: string;
  readonly context?: RegExp;
  readonly act: 'approve' | 'deny' | 'ignore';
  /** Seconds. */
  readonly after: number;
  readonly scopes?: readonly string[];
}

const acts = ['approve', 'deny', 'ignore'] as const;

/** `Order-*`: an asterisk is anything, all else is itself. */
const patternOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`, 's');

type Known = Readonly<Record<'client' | 'subscriber', readonly string[]>>;

function nameAt(kind: 'client' | 'subscriber', cursor: Cursor, known: Known, reader: Reader): string | undefined {
  const place = at(cursor, kind);
  const name = text(place);
  if (name === undefined || known[kind].includes(name)) return name;
  const hint = suggestion(name, known[kind]);
  return reader.complain(
    place,
    'unknown-name',
    `there is no ${kind} "${name}"${hint === undefined ? '' : `; ${hint}`}`,
  );
}

/** One entry of `approvals`. */
export function loadApproval(cursor: Cursor, known: Known, reader: Reader): ApprovalRule | undefined {
  const [act, ...others] = acts.filter((one) => at(cursor, one).value !== undefined);
  if (act === undefined || others.length > 0) {
    return reader.complain(cursor, 'verb-count', 'an approval is one of approve, deny and ignore');
  }
  const how = at(cursor, act);
  if (how.value === false) reader.complain(how, 'bad-value', `"${act}" must be true, not false: leave it out`);
  const [client, subscriber] = [nameAt('client', cursor, known, reader), nameAt('subscriber', cursor, known, reader)];
  const [context, scopes] = [text(at(cursor, 'context')), texts(at(how, 'scopes'))];
  return {
    act,
    after: parseDuration(text(at(how, 'after')) ?? '') ?? 0,
    ...(client === undefined ? {} : { client }),
    ...(subscriber === undefined ? {} : { subscriber }),
    ...(context === undefined ? {} : { context: patternOf(context) }),
    ...(scopes === undefined ? {} : { scopes }),
  };
}
