/** Processes items concurrently, at most `most` at a time; results are in the order of the items. */
export const mapAtOnce = async <Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  // All workers take items from one iterator.
  const queue = items.entries()
  const workThrough = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: most }, workThrough))
  return results
}
