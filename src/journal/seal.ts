import { hash } from 'node:crypto';
import type { CaseResult, Result, ResultFooter, Seal } from '../model/result.ts';
import { entriesAfterHeader, entryText, type JournalEntry } from './entries.ts';

/** Digest of a line and, by the digest of the line before it, of all lines before it. */
export const chainDigest = (previous: string, text: string): string => hash('sha256', previous + hash('sha256', text));

/** Hexadecimal digits that tell one case's digest from another's: they only say where a result was changed. */
const caseDigits = 8;

/** Entry as it is written: a footer with the seal of the result. */
interface WrittenEntry {
  readonly entry: JournalEntry;
  /** Line of the journal, without its `chain`. */
  readonly text: string;
}

/** Takes the entries of a run in the order of its journal, and seals the footer. */
export function createSealer(): (entry: JournalEntry) => WrittenEntry {
  let [header, end] = ['', ''];
  let order: readonly string[] = [];
  const cases = new Map<string, string>();
  const sealOf = (footer: ResultFooter, at: string): Seal => {
    const digests = order.map((id) => cases.get(id) ?? '');
    const last = hash('sha256', entryText({ kind: 'footer', footer }));
    return {
      at,
      digest: `sha256:${hash('sha256', [header, ...digests, end, last, at].join(' '))}`,
      caseDigests: digests.map((digest) => digest.slice(0, caseDigits)).join(''),
    };
  };
  return (given) => {
    if (given.kind === 'footer') {
      const { seal, ...footer } = given.footer;
      const at = seal?.at ?? new Date().toISOString();
      const entry: JournalEntry = { kind: 'footer', footer: { ...footer, seal: sealOf(footer, at) } };
      return { entry, text: entryText(entry) };
    }
    const text = entryText(given);
    if (given.kind === 'header') header = hash('sha256', text);
    else if (given.kind === 'case') cases.set(given.case.id, hash('sha256', text));
    else if (given.kind === 'end') [end, order] = [hash('sha256', text), given.end.cases];
    return { entry: given, text };
  };
}

/** Seals the footer of a run whose entries are all there. */
export function* sealEntries(entries: Iterable<JournalEntry>): Iterable<JournalEntry> {
  const seal = createSealer();
  for (const entry of entries) yield seal(entry).entry;
}

/** Seal that follows from a result's contents; its cases are read one at a time. */
function followingSeal(result: Result): Seal | undefined {
  const seal = createSealer();
  let last = seal({ kind: 'header', header: result.header });
  for (const entry of entriesAfterHeader(result)) last = seal(entry);
  return last.entry.kind === 'footer' ? last.entry.footer.seal : undefined;
}

const firstDifferent = (stated: string, follows: string): number => {
  for (let at = 0; at * caseDigits < Math.max(stated.length, follows.length); at += 1) {
    const from = at * caseDigits;
    if (stated.slice(from, from + caseDigits) !== follows.slice(from, from + caseDigits)) return at;
  }
  return -1;
};

function idAt(cases: Iterable<CaseResult>, wanted: number): string | undefined {
  let at = 0;
  for (const { id } of cases) {
    if (at === wanted) return id;
    at += 1;
  }
  return undefined;
}

/** Reports where a result is not as its run wrote it; undefined if its seal follows from its contents. */
export function findSealFlaw(result: Result): string | undefined {
  const stated = result.footer?.seal;
  const follows = followingSeal(result);
  if (stated === undefined || follows === undefined)
    return 'it has no seal, which a run writes into the footer of its result';
  const at = firstDifferent(stated.caseDigests, follows.caseDigests);
  if (at >= 0) {
    const id = idAt(result.cases, at);
    const what =
      id === undefined ? 'a case at its end was taken out' : `the case ${id} was changed, or moved, or is new`;
    return `it is not as its run wrote it: ${what}`;
  }
  if (stated.digest === follows.digest) return undefined;
  return 'it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were changed';
}
