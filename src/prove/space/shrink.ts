/**
 * The smallest part of a list that still fails, as far as leaving out parts of it finds one (ddmin, Zeller and Hildebrandt
 * 2002): without any one of what it returns, nothing fails. `fails` holds of the whole list.
 */
export async function shrink<T>(
  list: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  if (await fails([])) return [];
  let left = list;
  let parts = 2;
  while (left.length > 1) {
    const found = await smaller(split(left, parts), parts, fails);
    if (found !== undefined) {
      left = found.list;
      parts = Math.max(2, Math.min(found.parts, left.length));
    } else if (parts >= left.length) break;
    else parts = Math.min(left.length, 2 * parts);
  }
  return left;
}

function split<T>(list: readonly T[], parts: number): readonly (readonly T[])[] {
  const at = (part: number): number => Math.round((part * list.length) / parts);
  return Array.from({ length: parts }, (_, part) => list.slice(at(part), at(part + 1)));
}

/** One of the parts, or all without one of them. */
async function smaller<T>(
  chunks: readonly (readonly T[])[],
  parts: number,
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<{ readonly list: readonly T[]; readonly parts: number } | undefined> {
  for (const chunk of chunks) if (await fails(chunk)) return { list: chunk, parts: 2 };
  if (parts === 2) return undefined;
  for (const left of chunks) {
    const rest = chunks.filter((chunk) => chunk !== left).flat();
    if (await fails(rest)) return { list: rest, parts: parts - 1 };
  }
  return undefined;
}
