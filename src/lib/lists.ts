interface IdRange {
  readonly prefix: string;
  readonly first: string;
  last: string;
  count: number;
}

const numberedId = /^(.*\D|)(\d+)$/su;

const continuesRange = (range: IdRange, prefix: string, digits: string): boolean =>
  range.prefix === prefix && range.last.length === digits.length && Number(digits) === Number(range.last) + 1;

function groupRanges(ids: Iterable<string>): readonly IdRange[] {
  const ranges: IdRange[] = [];
  for (const id of ids) {
    const [, prefix = id, digits = ''] = numberedId.exec(id) ?? [];
    const before = ranges.at(-1);
    if (before !== undefined && digits !== '' && continuesRange(before, prefix, digits)) {
      before.last = digits;
      before.count += 1;
    } else ranges.push({ prefix, first: digits, last: digits, count: 1 });
  }
  return ranges;
}

const renderRange = ({ prefix, first, last }: IdRange): string =>
  first === last ? prefix + first : `${prefix}${first}..${last}`;

/** Lists at most `limit` runs of consecutive ids, `REQ-001..003, REQ-007`, then the number of further ids. */
export function listRanges(ids: Iterable<string>, limit: number): string {
  const ranges = groupRanges(ids);
  const shown = ranges.slice(0, limit).map(renderRange).join(', ');
  const rest = ranges.slice(limit).reduce((sum, { count }) => sum + count, 0);
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Lists at most `limit` ids, then the number of further ids. */
export function listIds(ids: readonly string[], limit: number): string {
  const shown = ids.slice(0, limit).join(', ');
  return ids.length > limit ? `${shown} and ${ids.length - limit} more` : shown;
}

/** Groups values by key, in the order in which the keys first occur. */
export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** `1 case`, `3 cases`. */
export const countNoun = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** Runs a task for each item in order, at most `size` at a time. Results come in order of completion. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  size: number,
  task: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) results.push(await task(item));
  };
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, work));
  return results;
}

/** Makes a value when it is first read, and keeps it. */
export function readOnce<T>(read: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

/** Makes a value when it is read, and keeps it as long as others do. */
export function readWhileHeld<T extends object>(read: () => T): () => T {
  let kept: WeakRef<T> | undefined;
  return () => {
    const held = kept?.deref();
    if (held !== undefined) return held;
    const made = read();
    kept = new WeakRef(made);
    return made;
  };
}

/** Memoizes a function of an object for the object's lifetime. */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
