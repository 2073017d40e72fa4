/** Does a task for each of a list, so many at the same time, the first first. Gives the results in the order in which they came. */
export async function inWindow<Item, Result>(
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
