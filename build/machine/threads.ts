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

/** Number of items from which threads are worth their cost. */
const MANY = 300

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
