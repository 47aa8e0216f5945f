import { Script, createContext } from 'node:vm'

const surroundings = createContext({ run: undefined })
const script = new Script('run()')

/** What a bounded call gave, or why it gave nothing, as the end of a sentence about a text. */
export type TimedResult<Result> = { result: Result } | { fault: string; isLate: boolean }

/** Milliseconds that the files of one skill may take: 35 times what the slowest of 1,080 real skills takes. */
export const SKILL_TIME = 5_000

/**
 * Calls `run`, and ends it after `limit` milliseconds wherever it is, in a regular expression too. `run` is synchronous, reads
 * and writes no file, and changes nothing that outlives it but caches: neither `catch` nor `finally` in it see the end. A call
 * costs .2 ms.
 */
export const runInTime = <Result>(limit: number, run: () => Result): TimedResult<Result> => {
  surroundings['run'] = run
  try {
    const result = script.runInContext(surroundings, { timeout: limit }) as Result
    if (result instanceof Promise) throw new TypeError('nothing ends what goes on after the call')
    return { result }
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return { fault: `takes longer than ${limit / 1_000} s to read`, isLate: true }
    // The stack is full, or a text has more characters than a string can have.
    if (error instanceof RangeError)
      return { fault: 'is nested too deeply, or becomes too long', isLate: false }
    throw error
  } finally {
    surroundings['run'] = undefined
  }
}

/** Items share one call; if that takes too long, each is tried alone. */
export const runEach = <Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Result,
): TimedResult<Result>[] => {
  const all = runInTime(limit, () => items.map((item) => work(item)))
  return 'result' in all
    ? all.result.map((result) => ({ result }))
    : items.map((item) => runInTime(limit, () => work(item)))
}
