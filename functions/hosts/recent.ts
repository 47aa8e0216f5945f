/** Values that took work to make, kept while they are among the most recently asked for. */
export interface Recent<Value> {
  find(key: string, make: () => Promise<Value>): Promise<Value>
}

/** Keeps the last `limit` values by key; a Map remembers the order its keys were set in. */
export const createRecent = <Value>(limit: number): Recent<Value> => {
  const kept = new Map<string, Promise<Value>>()
  const keep = (key: string, value: Promise<Value>): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest)
  }
  return {
    find: async (key, make) => {
      const value = kept.get(key) ?? make()
      keep(key, value)
      try {
        return await value
      } catch (error) {
        // A failure is not kept: the next reader tries again.
        kept.delete(key)
        throw error
      }
    },
  }
}
