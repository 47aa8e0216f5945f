import { Script, createContext } from 'node:vm'

const context = createContext({ run: undefined })
const script = new Script('run()')

/** The result of a bounded call, or its failure as a predicate: "[the file] takes longer than 5 s to read". */
export type TimedResult<Result> = { result: Result } | { fault: string; isLate: boolean }

/** Time limit for the files of one skill, in milliseconds: 35 times the slowest of 1,080 real skills. */
export const SKILL_TIME = 5_000

/** The limit of an import: half, so that a skill that came in does not end a build on a slower or busier machine. */
export const IMPORT_TIME = SKILL_TIME / 2

/**
 * Calls `run` and stops it after `limit` milliseconds, even inside a regular expression. Its `catch` and `finally`
 * blocks do not run then, so `run` must be synchronous, read and write no files, and change no state except caches. A
 * call costs 0.2 ms.
 */
export const runInTime = <Result>(limit: number, run: () => Result): TimedResult<Result> => {
  context['run'] = run
  try {
    const result = script.runInContext(context, { timeout: limit }) as Result
    if (result instanceof Promise) throw new TypeError('a promise would escape the time limit')
    return { result }
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return { fault: `takes longer than ${limit / 1_000} s to read`, isLate: true }
    // Stack overflow, or a string that exceeds the maximum length.
    if (error instanceof RangeError)
      return { fault: 'is nested too deeply, or becomes too long', isLate: false }
    throw error
  } finally {
    context['run'] = undefined
  }
}

/**
 * Processes all items in one bounded call; if that takes longer than `together`, processes each in a call of its own,
 * with `isAlone` set.
 */
export const runEach = <Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item, isAlone: boolean) => Result,
  together = limit,
): TimedResult<Result>[] => {
  const all = runInTime(together, () => items.map((item) => work(item, false)))
  return 'result' in all
    ? all.result.map((result) => ({ result }))
    : items.map((item) => runInTime(limit, () => work(item, true)))
}
