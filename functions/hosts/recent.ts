/** Values made once and kept while they are among the most recently asked for. */
export interface Recent<Value> {
  find(key: string, make: () => Value): Value
}

/** Keeps the last `limit` values by key; a Map remembers the order its keys were set in. */
export const createRecent = <Value>(limit: number): Recent<Value> => {
  const kept = new Map<string, Value>()
  return {
    find: (key, make) => {
      const value = kept.get(key) ?? make()
      kept.delete(key)
      kept.set(key, value)
      const [oldest] = kept.keys()
      if (kept.size > limit && oldest !== undefined) kept.delete(oldest)
      return value
    },
  }
}
