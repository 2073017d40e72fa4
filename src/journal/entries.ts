import { forJson, isJsonObject, omitUndefined } from '../lib/json.ts';
import type { CaseResult, Contribution, Gap, Result, ResultFooter, ResultHeader } from '../model/result.ts';
import { resultError } from './parse-json.ts';
import { type EncryptedText, type JournalEnd, parseHeader, parsePart } from './schema.ts';

/** One line of a journal: header, gaps, cases with encrypted text between them, end, footer, in this order. */
export type JournalEntry =
  | { readonly kind: 'header'; readonly header: ResultHeader }
  | { readonly kind: 'resumed'; readonly gap: Gap }
  | { readonly kind: 'encrypted'; readonly text: EncryptedText }
  | { readonly kind: 'case'; readonly case: CaseResult; readonly contributed?: Contribution }
  | { readonly kind: 'end'; readonly end: JournalEnd }
  | { readonly kind: 'footer'; readonly footer: ResultFooter };

function entryMembers(entry: JournalEntry): object {
  switch (entry.kind) {
    case 'header':
      return entry.header;
    case 'resumed':
      return entry.gap;
    case 'encrypted':
      return entry.text;
    case 'case':
      return entry.contributed === undefined ? entry.case : { ...entry.case, contributed: entry.contributed };
    case 'end':
      return entry.end;
    case 'footer':
      return entry.footer;
  }
}

/** Text of a line, without its `chain` and line feed. */
export const entryText = (entry: JournalEntry): string => forJson({ kind: entry.kind, ...entryMembers(entry) });

/** Adds the digest that chains a line to those before it. */
export const chainedText = (text: string, chain: string): string => `${text.slice(0, -1)},"chain":"${chain}"}`;

const chainPattern = /^,"chain":"([0-9a-f]{64})"\}$/;
const chainLength = 76;

/** Text of a line without its `chain`, and that; undefined if the line has none. */
export function unchainedText(line: string): { readonly text: string; readonly chain: string } | undefined {
  const chain = chainPattern.exec(line.slice(-chainLength))?.[1];
  return chain === undefined ? undefined : { text: `${line.slice(0, -chainLength)}}`, chain };
}

/** Parses the JSON value of a line. Throws CarrierspecError with the position and the first mistake. */
export function parseEntry(value: unknown, place: string): JournalEntry {
  if (!isJsonObject(value)) throw resultError('result-broken', `${place}: a line of a journal is one JSON object`);
  const { kind, contributed, chain: _, ...members } = value;
  const line = contributed === undefined || kind === 'case' ? members : { ...members, contributed };
  if (kind === 'header') return { kind, header: parseHeader(line, place) };
  if (kind === 'case') {
    const found = { kind, case: parsePart('case', line, place) } as const;
    return contributed === undefined ? found : { ...found, contributed: parsePart('contributed', contributed, place) };
  }
  if (kind === 'end') return { kind, end: parsePart('end', line, place) };
  if (kind === 'footer') return { kind, footer: parsePart('footer', line, place) };
  if (kind === 'resumed') return { kind, gap: parsePart('gap', line, place) };
  if (kind === 'encrypted') return { kind, text: parsePart('encrypted', line, place) };
  throw resultError('result-broken', `${place}: a line of a journal is a header, a case, an end or a footer`);
}

/** Entries of a result after its header, as a merge writes them to the journal of the whole run. */
export function* entriesAfterHeader(result: Result): Iterable<JournalEntry> {
  const { cases, rules, invariants, unsolicited, contributions = {}, footer } = result;
  const ids: string[] = [];
  for (const one of cases) {
    ids.push(one.id);
    const contributed = Object.hasOwn(contributions, one.id) ? contributions[one.id] : undefined;
    yield { kind: 'case', case: one, ...omitUndefined({ contributed }) };
  }
  yield { kind: 'end', end: { cases: ids, rules, invariants, unsolicited } };
  if (footer !== undefined) yield { kind: 'footer', footer };
}
