import { chainedText, entriesAfterHeader, unchainedText } from '../../journal/entries.ts';
import { chainDigest, sealEntries } from '../../journal/seal.ts';
import type { ResultDocument } from '../../journal/schema.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';

/** A journal's text with the chain that follows from its lines, as a careful forger would leave it. */
export function rechain(journal: string): string {
  let chain = '';
  const lines = journal.split('\n').map((line) => {
    if (!line.endsWith('}')) return line;
    const text = unchainedText(line)?.text ?? line;
    chain = chainDigest(chain, text);
    return chainedText(text, chain);
  });
  return lines.join('\n');
}

/** Result of a document's text, without a check of its form. */
export function parseDocument(text: string): Result {
  const parsed = JSON.parse(text) as ResultDocument;
  const { rules, invariants, cases, unsolicited, contributions, footer, ...header } = parsed;
  return { header, rules, invariants, cases, unsolicited, ...omitUndefined({ contributions, footer }) };
}

/** A result's text with the seal that follows from it, as a careful forger would leave it. */
export function reseal(text: string): string {
  const result = parseDocument(text);
  const entries = [...sealEntries([{ kind: 'header', header: result.header }, ...entriesAfterHeader(result)])];
  const last = entries.at(-1);
  if (last?.kind !== 'footer') throw new Error('the result has no footer');
  return JSON.stringify({ ...(JSON.parse(text) as object), footer: last.footer });
}
