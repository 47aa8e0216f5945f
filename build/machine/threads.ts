import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import { workInGroups } from './groups.ts'

/** Work on a group of items, with the same settings for all groups. */
export interface Job<Item, Settings, Result> {
  name: string
  work: (
    items: readonly Item[],
    settings: Settings,
  ) => readonly Result[] | Promise<readonly Result[]>
}

/** Number of items from which a build that may use threads shares them out. */
const MANY = 300

/**
 * Number of skills from which a build uses threads by itself. Clean builds of real texts on a quiet machine with two
 * cores, in one process and with two threads, each of which loads and compiles the code again:
 *
 *     skills   CPU s           wall s        peak MB
 *        300   9.4    12.1     7.4    7.0  304   424
 *      1,000   22.8   28.0    19.0   15.7  420   630
 *      3,000   54.9   70.2    47.9   38.8  571   792
 *     10,000   161.2  177.4  146.1   98.4  858 1,090
 */
const THREADED = 5_000

/** Chooses the number of threads for a catalog: one for each core if it is large. */
export const countThreads = (skills: number): number =>
  skills < THREADED ? 1 : availableParallelism()

/** Makes the default export of a file of jobs. Returns errors, because thrown errors would lose `code` and `path`. */
export const serveJobs =
  (jobs: readonly Job<never, never, unknown>[]) =>
  async ({ name, items, settings }: { name: string; items: never; settings: never }) => {
    try {
      return { results: await jobs.find((job) => job.name === name)!.work(items, settings) }
    } catch (error) {
      const { message, stack, code, path } = error as NodeJS.ErrnoException
      return { failure: { message, stack, code, path } }
    }
  }

/** Runs the jobs of a file. If there are many items, it uses at most `most` threads. */
export class Threads {
  readonly #file: URL
  readonly #most: number
  #pool: Tinypool | undefined

  constructor(file: URL, most: number) {
    this.#file = file
    this.#most = most
  }

  async run<Item, Settings, Result>(
    { name, work }: Job<Item, Settings, Result>,
    items: readonly Item[],
    settings: Settings,
    onDone: (result: Result, item: Item) => void,
  ): Promise<void> {
    const most = items.length < MANY ? 1 : this.#most
    if (most === 1) return workInGroups(items, (group) => work(group, settings), onDone)
    const options = { filename: this.#file.href, minThreads: most, maxThreads: most }
    const pool = (this.#pool ??= new Tinypool(options))
    const workInThread = async (group: readonly Item[]): Promise<readonly Result[]> => {
      const { results, failure } = await pool.run({ name, items: group, settings })
      if (failure) throw Object.assign(new Error(failure.message), failure)
      return results
    }
    return workInGroups(items, workInThread, onDone, 2 * most)
  }

  async close(): Promise<void> {
    await this.#pool?.destroy()
  }
}
