import { Tinypool } from 'tinypool'
import { workInGroups } from './groups.ts'

/** What is done with a group of items; the settings are the same for all. */
export interface Job<Item, Settings, Result> {
  name: string
  work: (
    items: readonly Item[],
    settings: Settings,
  ) => readonly Result[] | Promise<readonly Result[]>
}

/** Items from which threads pay. */
const MANY = 300

/** Makes the default export of a file of jobs. Errors lose `code` and `path` on their way from a thread. */
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

/** Does the jobs of a file, in at most so many threads if there are many items. */
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
