import { Worker } from 'node:worker_threads'

/** What a worker does, by name. */
export type Jobs = Record<string, (item: never) => unknown>

/** An item for a job. */
export interface JobTask {
  name: string
  item: unknown
}

/** What a worker sends; `cpu` is the time that it has used so far, in microseconds. */
export interface JobAnswer {
  isReady?: true
  result?: unknown
  failure?: Pick<NodeJS.ErrnoException, 'message' | 'stack' | 'code' | 'path'>
  cpu?: number
}

/** Starts the thread that ends this process at the deadline; the count is odd while an item is worked on. */
const startWatchdog = (deadline: number): Int32Array => {
  const count = new Int32Array(new SharedArrayBuffer(4))
  new Worker(new URL('./watchdog.ts', import.meta.url), {
    workerData: { count, deadline, parent: process.ppid },
  }).unref()
  return count
}

/** Serves the jobs of a worker process to the pool that started it, one item after the other. */
export const serveJobs = (jobs: Jobs): void => {
  const count = startWatchdog(Number(process.argv[2]))
  const work = async ({ name, item }: JobTask): Promise<JobAnswer> => {
    try {
      return { result: await jobs[name]?.(item as never) }
    } catch (error) {
      // Errors lose `code` and `path` on their way to another process.
      const { message, stack, code, path } = error as NodeJS.ErrnoException
      return { failure: { message, stack, code, path } as JobAnswer['failure'] & {} }
    }
  }
  const answer = async (task: JobTask): Promise<void> => {
    Atomics.add(count, 0, 1)
    const done = await work(task)
    Atomics.add(count, 0, 1)
    const { user, system } = process.cpuUsage()
    // Only when the answer has left does the next item begin, so the first unanswered one is the one that hangs.
    await new Promise((resolve) => process.send?.({ ...done, cpu: user + system }, resolve))
  }
  let previous = Promise.resolve()
  process.on('message', (task: JobTask) => {
    previous = previous.then(() => answer(task))
  })
  process.once('disconnect', () => process.exit())
  process.send?.({ isReady: true })
}
