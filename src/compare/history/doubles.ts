import type { Json } from '../../lib/json.ts';
import { canonicalText } from '../rows.ts';
import { compareTexts, nameOf } from './carriers.ts';
import type { History, HistoryEntry } from './lines.ts';

/** A result with the digest of what it says. */
export interface Dated {
  readonly entry: HistoryEntry;
  readonly digest: string;
}

/** What a result says of a run, whatever file it stands in: a journal and its result.json have the same. */
export function digestOf({ header, footer, rules }: HistoryEntry): string {
  // What was read from JSON is JSON.
  const value = JSON.parse(JSON.stringify([header, footer ?? null, rules])) as Json;
  return nameOf(canonicalText(value));
}

/** By the moment at which the run began, on its clock; then by the digest. */
const inOrder = (one: Dated, other: Dated): number =>
  Date.parse(one.entry.header.startedAt) - Date.parse(other.entry.header.startedAt) ||
  compareTexts(one.digest, other.digest) ||
  compareTexts(one.entry.file, other.entry.file);

/** The results without the parts of those that were joined from them. */
export function withoutParts(dated: readonly Dated[]): {
  readonly kept: readonly Dated[];
  readonly parts: History['parts'];
} {
  const wholes = new Map(
    dated.flatMap(({ entry: { header, file } }) => (header.joined ?? []).map(({ run }) => [run, file] as const)),
  );
  const wholeOf = ({ entry: { header } }: Dated): string | undefined =>
    header.shard === undefined ? undefined : wholes.get(header.run);
  const parts = dated.flatMap((one) => {
    const whole = wholeOf(one);
    return whole === undefined ? [] : [{ file: one.entry.file, whole }];
  });
  return { kept: dated.filter((one) => wholeOf(one) === undefined), parts };
}

/** The results in the order of time, each once. */
export function withoutDoubles(dated: readonly Dated[]): {
  readonly kept: readonly Dated[];
  readonly doubled: History['doubled'];
} {
  const first = new Map<string, Dated>();
  const doubled: { file: string; same: string }[] = [];
  for (const one of dated.toSorted(inOrder)) {
    const same = first.get(one.digest);
    if (same === undefined) first.set(one.digest, one);
    else doubled.push({ file: one.entry.file, same: same.entry.file });
  }
  return { kept: [...first.values()], doubled };
}
