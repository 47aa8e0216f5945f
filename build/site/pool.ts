import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { hashText } from '../../src/search/format/bytes.ts'
import type { packEntries } from './search-index.ts'
import type { SkillPrinter } from './skill-files.ts'
import type { listModified } from './state.ts'
import { linkFile, writeCoded } from './tree.ts'
import type { Written } from './tree.ts'

/** A file to link into another folder. */
interface LinkTask {
  from: string
  to: string
  name: string
}

/** A file to precompress. */
interface CodeTask {
  folder: string
  name: string
}

/** What each job makes of an item. */
interface Jobs extends Pick<SkillPrinter, 'read' | 'prepare' | 'print'> {
  compare: (range: Parameters<typeof listModified>[1]) => string[]
  link: (task: LinkTask) => void
  pack: typeof packEntries
  code: (task: CodeTask) => Written
}

type JobName = keyof Jobs
type JobItem<Name extends JobName> = Parameters<Jobs[Name]>[0]
type JobResult<Name extends JobName> = ReturnType<Jobs[Name]>

/** Items of one job. */
interface Job {
  name: JobName
  items: readonly unknown[]
}

/** Lazy, so that threads for other jobs are ready 0.2 s sooner. */
const loadSkillJobs = async (content: string) => {
  const { SkillPrinter } = await import('./skill-files.ts')
  const printer = new SkillPrinter(content)
  const jobs: Pick<Jobs, 'read' | 'prepare' | 'print'> = {
    read: (slug) => printer.read(slug),
    prepare: (settings) => printer.prepare(settings),
    print: (task) => printer.print(task),
  }
  return jobs
}

/** Returns the function that runs jobs, in a thread or in the main thread. */
const createJobs = (content: string): ((job: Job) => Promise<unknown[]>) => {
  let skillJobs: ReturnType<typeof loadSkillJobs> | undefined
  const loadJobs = async (name: JobName): Promise<Partial<Jobs>> => {
    if (name === 'link') return { link: ({ from, to, name: file }) => linkFile(from, to, file) }
    if (name === 'compare') {
      const { listModified } = await import('./state.ts')
      return { compare: (range) => listModified(content, range) }
    }
    if (name === 'code') return { code: ({ folder, name: file }) => writeCoded(folder, file) }
    if (name === 'pack') return { pack: (await import('./search-index.ts')).packEntries }
    return (skillJobs ??= loadSkillJobs(content))
  }
  return async ({ name, items }) => {
    const jobs = await loadJobs(name)
    return items.map(jobs[name] as (item: unknown) => unknown)
  }
}

/** A thread's answer to a job. */
interface JobAnswer {
  results: unknown[]
  failure?: Pick<NodeJS.ErrnoException, 'message' | 'stack' | 'code' | 'path'>
}

/** Runs the jobs that a pool posts to this thread, in order. */
export const serveJobs = (port: MessagePort, content: string): void => {
  const doJob = createJobs(content)
  const answerJob = async (job: Job): Promise<JobAnswer> => {
    try {
      return { results: await doJob(job) }
    } catch (error) {
      // Errors lose `code` and `path` when posted to another thread.
      const { message, stack, code, path } = error as NodeJS.ErrnoException
      return { results: [], failure: { message, stack, code, path } as JobAnswer['failure'] & {} }
    }
  }
  let previous = Promise.resolve()
  port.on('message', (job: Job) => {
    previous = previous.then(async () => port.postMessage(await answerJob(job), []))
  })
}

interface PoolWorker {
  run: (job: Job) => Promise<unknown[]>
  close: () => Promise<unknown>
}

/** Size of V8's young generation in MiB: the garbage of one page should not reach the old generation. */
const YOUNG_GENERATION = 64

const startThread = (content: string): PoolWorker => {
  // Threads share the main thread's compile cache.
  const cache = getCompileCacheDir()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: content,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
  })
  const waiting: { resolve: (results: unknown[]) => void; reject: (error: unknown) => void }[] = []
  let crash: unknown
  worker.on('message', ({ results, failure }: JobAnswer) => {
    const next = waiting.shift()
    if (failure) next?.reject(Object.assign(new Error(failure.message), failure))
    else next?.resolve(results)
  })
  worker.on('error', (error) => {
    crash = error
    for (const { reject } of waiting.splice(0)) reject(error)
  })
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (crash !== undefined) return reject(crash)
        waiting.push({ resolve, reject })
        worker.postMessage(job, [])
      }),
    close: () => worker.terminate(),
  }
}

const workHere = (content: string): PoolWorker => {
  const doJob = createJobs(content)
  return {
    // Yield between jobs to the rest of the build and to signals.
    run: (job) => new Promise((resolve) => setImmediate(resolve)).then(() => doJob(job)),
    close: () => Promise.resolve(),
  }
}

/** Milliseconds per skill or file, measured on a real catalog. */
const COSTS: Record<JobName, number> = {
  compare: 0.012,
  read: 0.8,
  prepare: 0,
  print: 1.5,
  link: 0.02,
  pack: 0.04,
  code: 1.3,
}

/** Milliseconds of work from which threads, which take 150 ms each to start, pay off. */
const WORTH_THREADS = 300

/** Items per batch. */
const BATCH = 50

/** Batches queued per thread, so that it never idles. */
const AHEAD = 2

/** Runs jobs in this thread until there is enough work to start others. */
export class Pool {
  readonly #content: string
  readonly #size: number
  readonly #here: PoolWorker
  readonly #threads: PoolWorker[] = []

  constructor(content: string, size: number) {
    this.#content = content
    this.#size = size
    this.#here = workHere(content)
  }

  /**
   * Runs a job for each item; `count` is the number of skills or files. Items with the same key (`keyOf`) go to the same
   * worker; without keys, workers take turns. Results come in any order.
   */
  async run<Name extends JobName>(
    name: Name,
    items: readonly JobItem<Name>[],
    keyOf?: (item: JobItem<Name>) => string,
    onDone: (results: JobResult<Name>[]) => void = () => undefined,
    count = items.length,
  ): Promise<void> {
    const workers = this.#hire(count * COSTS[name], items.length)
    const shares = workers.map((): JobItem<Name>[] => [])
    for (const [at, item] of items.entries())
      shares[(keyOf ? hashText(keyOf(item)) : at) % workers.length]?.push(item)
    const serve = async (worker: PoolWorker, share: JobItem<Name>[]): Promise<void> => {
      while (share.length > 0)
        onDone((await worker.run({ name, items: share.splice(0, BATCH) })) as JobResult<Name>[])
    }
    await Promise.all(
      workers.flatMap((worker, at) =>
        Array.from({ length: AHEAD }, () => serve(worker, shares[at] ?? [])),
      ),
    )
  }

  /** Prepares the workers that will print `count` skills. */
  async prepare(settings: JobItem<'prepare'>, count: number): Promise<void> {
    const workers = this.#hire(count * COSTS.print, count)
    await Promise.all(workers.map((worker) => worker.run({ name: 'prepare', items: [settings] })))
  }

  linkFiles(from: string, to: string, names: readonly string[]): Promise<void> {
    const items = names.map((name) => ({ from, to, name }))
    return this.run('link', items)
  }

  #hire(work: number, items: number): readonly PoolWorker[] {
    if (this.#size < 2 || work < WORTH_THREADS) return [this.#here]
    while (this.#threads.length < Math.min(this.#size, items))
      this.#threads.push(startThread(this.#content))
    return this.#threads
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((worker) => worker.close()))
  }
}
