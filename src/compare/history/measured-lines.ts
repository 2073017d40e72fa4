import { type AllowedOf, standingOf } from '../../model/allowed.ts';
import { type LimitResult, limitValueOf, type ProfileValue } from '../../model/limit.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { areApart } from '../measured.ts';
import { shapeText } from '../rows.ts';
import type { HistoryEntry, LimitLine, ProfileLine } from './lines.ts';

/** What one run has of a thing. */
interface Seen<T> {
  readonly at: number;
  readonly entry: HistoryEntry;
  readonly one: T;
}

function byKey<T>(
  entries: readonly HistoryEntry[],
  listOf: (entry: HistoryEntry) => readonly T[] | undefined,
  keyOf: (one: T) => string,
): readonly (readonly Seen<T>[])[] {
  const found = new Map<string, Seen<T>[]>();
  for (const [at, entry] of entries.entries()) {
    for (const one of listOf(entry) ?? []) {
      const key = keyOf(one);
      const before = found.get(key);
      if (before === undefined) found.set(key, [{ at, entry, one }]);
      else before.push({ at, entry, one });
    }
  }
  return [...found.values()];
}

/** Neighbours that are not the same, where both are known. */
const pairsOf = <T>(seen: readonly Seen<T>[]): readonly (readonly [before: Seen<T>, after: Seen<T>])[] =>
  seen.slice(1).flatMap((after, index) => {
    const before = seen[index];
    return before === undefined ? [] : [[before, after] as const];
  });

function limitLine(seen: readonly Seen<LimitResult>[], runs: number, allowedOf: AllowedOf): readonly LimitLine[] {
  const newest = seen.at(-1);
  if (newest === undefined) return [];
  const { name, title, unit } = newest.one;
  const allowed = allowedOf(newest.entry.header.interface, name);
  const known = seen.filter(({ one }) => one.state !== 'unmeasured');
  return [
    {
      name,
      title,
      unit,
      rules: [...new Set(seen.flatMap(({ one }) => one.rules.map(renderRuleRef)))],
      ...(allowed === undefined ? {} : { allowed }),
      points: Array.from({ length: runs }, (_, run) => {
        const one = seen.find(({ at }) => at === run)?.one;
        return one && { ...limitValueOf(one), standing: standingOf(one, allowed) };
      }),
      changes: pairsOf(known).flatMap(([before, after]) => (areApart(before.one, after.one) ? [after.at] : [])),
    },
  ];
}

/** The limits that runs measured; the same name of another thing is another limit. */
export function limitLines(entries: readonly HistoryEntry[], allowedOf: AllowedOf): readonly LimitLine[] {
  const lines = byKey(
    entries,
    ({ footer }) => footer?.limits,
    ({ name, title, unit }) => JSON.stringify([name, title, unit]),
  );
  return lines.flatMap((seen) => limitLine(seen, entries.length, allowedOf));
}

/** Addresses, ids and moments of each run are no change. */
function profileLine(seen: readonly Seen<ProfileValue>[]): readonly ProfileLine[] {
  const first = seen[0];
  if (first === undefined) return [];
  const known = seen.flatMap(({ at, entry, one: { value } }) =>
    value === undefined ? [] : [{ at, entry, one: { value, shape: shapeText(value, entry.header) } }],
  );
  const newest = known.at(-1);
  const { name, description, case: id } = first.one;
  return [
    {
      name,
      description,
      case: id,
      ...(newest === undefined ? {} : { newest: { value: newest.one.value, at: newest.at } }),
      changes: pairsOf(known).flatMap(([before, after]) =>
        before.one.shape === after.one.shape
          ? []
          : [{ before: before.at, at: after.at, from: before.one.value, to: after.one.value }],
      ),
    },
  ];
}

/** The profile of a carrier over its runs. */
export function profileLines(entries: readonly HistoryEntry[]): readonly ProfileLine[] {
  const lines = byKey(
    entries,
    ({ footer }) => footer?.profile,
    ({ name, description, case: id }) => JSON.stringify([name, description, id]),
  );
  return lines.flatMap(profileLine);
}
