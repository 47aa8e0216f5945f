import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { addCpu } from './progress.ts'
import type { JobAnswer, Jobs, JobTask } from './serve-jobs.ts'

/** A worker ended, and not because of an item; the message says how to go on. */
export class WorkerError extends Error {
  override name = 'WorkerError'
}

/** What was made of an item, or why its worker was ended. */
type Outcome<Result> = { result: Result } | { loss: string }

interface Waiting extends JobTask {
  /** How a process ended at it, where that may have had another cause: then it is tried again, alone. */
  ending?: string
  resolve: (outcome: Outcome<unknown>) => void
  reject: (error: unknown) => void
}

/** Milliseconds that one item may take. */
const DEADLINE = 30_000

/** The job that each process does first. */
const PREPARE = 'prepare'

/** Semi-space of V8 in MiB: the garbage of one page should not reach the old generation. */
const SEMI_SPACE = 16

const ignore = (): void => undefined

export interface PoolOptions {
  /** The program of the workers, which calls `serveJobs`. */
  file: URL
  argument?: string
  /** Milliseconds that one item may take. */
  deadline?: number
  /** Most workers; 1 by default. */
  size?: number
  /** Items from which more than one worker pays. */
  many?: number
  /** Ends the workers at once. */
  signal?: AbortSignal
}

/**
 * Works on one item after the other in a process, and starts another when that ends. An item is lost if it takes
 * too long or two processes end at it; the others are done.
 */
class Worker {
  readonly #options: Required<Pick<PoolOptions, 'file' | 'argument' | 'deadline'>>
  /** What the process has not answered, in order. */
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | undefined
  #isReady = false
  /** When the process turned to the first waiting item, at the earliest. */
  #since = 0
  #cpu = 0
  #prepared: unknown
  #end: unknown

  constructor({ file, argument = '', deadline = DEADLINE }: PoolOptions, prepared: unknown) {
    this.#options = { file, argument, deadline }
    this.#prepared = prepared
  }

  run(name: string, item: unknown): Promise<Outcome<unknown>> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end)
      if (this.#waiting.length === 0) this.#since = performance.now()
      const isFree = this.#waiting.every(({ ending }) => ending === undefined)
      this.#waiting.push({ name, item, resolve, reject })
      if (!this.#child) this.#start()
      else if (isFree) this.#child.send({ name, item }, ignore)
    })
  }

  prepare(item: unknown): void {
    this.#prepared = item
    if (this.#child) this.run(PREPARE, item).catch(ignore)
  }

  #start(): void {
    const { file, argument, deadline } = this.#options
    const cache = getCompileCacheDir()
    const child = fork(file, [String(deadline), argument], {
      serialization: 'advanced',
      execArgv: [`--max-semi-space-size=${SEMI_SPACE}`],
      env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
    })
    child.on('message', (answer: JobAnswer) => this.#take(answer))
    child.on('error', (error) => this.stop(error))
    // Unlike `exit`, it comes after the last message.
    child.on('close', (code, signal) => this.#replace(signal ?? `exit code ${code}`))
    this.#child = child
    this.#isReady = false
    this.#cpu = 0
    this.#since = performance.now()
    if (this.#prepared !== undefined && this.#waiting[0]?.name !== PREPARE)
      this.#waiting.unshift({
        name: PREPARE,
        item: this.#prepared,
        resolve: ignore,
        reject: ignore,
      })
    for (const { name, item, ending } of this.#waiting) {
      child.send({ name, item }, ignore)
      if (ending !== undefined) break
    }
  }

  #take({ isReady, result, failure, cpu = 0 }: JobAnswer): void {
    if (isReady) return void (this.#isReady = true)
    addCpu((cpu - this.#cpu) / 1e6)
    this.#cpu = cpu
    this.#since = performance.now()
    const task = this.#waiting.shift()
    if (task?.ending !== undefined) {
      const remedy = 'it may have run out of memory: free some, and run the command again'
      this.stop(
        new WorkerError(`A process that reads skills was ended (${task.ending}); ${remedy}`),
      )
      return task.reject(this.#end)
    }
    if (failure) task?.reject(Object.assign(new Error(failure.message), failure))
    else task?.resolve({ result })
  }

  #replace(ending: string): void {
    this.#child = undefined
    const [task] = this.#waiting
    if (!task) return
    if (!this.#isReady || task.name === PREPARE) {
      const remedy = 'correct what it says above, or free some memory, and run the command again'
      return this.stop(
        new WorkerError(`A process that reads skills did not start (${ending}); ${remedy}`),
      )
    }
    const { deadline } = this.#options
    // Half, since this process may have been busy when the answer before came.
    const isLate = ending === 'SIGKILL' && performance.now() - this.#since > deadline / 2
    if (isLate || task.ending !== undefined) {
      const loss = isLate
        ? `takes longer than ${deadline / 1_000} s`
        : `ends the process that reads it (${ending})`
      this.#waiting.shift()
      task.resolve({ loss })
    } else task.ending = ending
    if (this.#waiting.length > 0) this.#start()
  }

  /** Kills the process and rejects what waits for it. */
  stop(reason: unknown): void {
    this.#end = reason
    this.#child?.kill('SIGKILL')
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
  }

  /** Ends the process, unless it has nothing to do: then it stays until this process ends. */
  async release(): Promise<boolean> {
    const child = this.#child
    if (child?.connected && this.#waiting.length === 0 && this.#end === undefined) {
      this.#hold(false)
      return true
    }
    this.stop(new Error('the pool is closed'))
    const isRunning = child?.pid !== undefined && child.exitCode === null && !child.signalCode
    if (isRunning) await once(child, 'exit')
    return false
  }

  /** Takes up a released worker again. */
  resume(prepared: unknown): void {
    this.#hold(true)
    if (prepared === undefined) this.#prepared = undefined
    else this.prepare(prepared)
  }

  /** Ends a released worker, which saves its compile cache. */
  end(): void {
    this.#hold(true)
    if (this.#child?.connected) this.#child.disconnect()
  }

  /** Whether this process waits for that one before it ends. */
  #hold(isHeld: boolean): void {
    const change = isHeld ? 'ref' : 'unref'
    for (const one of [this.#child, this.#child?.channel]) one?.[change]()
  }
}

/** Released workers, by their options: a process takes a third of a second to start, and tests build 500 times. */
const released = new Map<string, Worker[]>()

process.once('beforeExit', () => {
  for (const worker of [...released.values()].flat()) worker.end()
})

const nameOptions = ({ file, argument, deadline }: PoolOptions): string =>
  [file.href, argument, deadline].join(' ')

type JobName<Done extends Jobs> = keyof Done & string
type JobItem<Done extends Jobs, Name extends keyof Done> = Parameters<Done[Name]>[0]
type JobResult<Done extends Jobs, Name extends keyof Done> = Awaited<ReturnType<Done[Name]>>

interface RunOptions<Item, Result> {
  onDone: (result: Result, item: Item) => void
  /** Is told why an item could not be done, as the end of a sentence about it. */
  onLost: (item: Item, reason: string) => void
}

/** Items from which a second process pays: for 1,000 it takes half the CPU time more and saves a tenth of the wall time. */
const MANY = 3_000

/** Items sent ahead to each worker, so that it never idles. */
const AHEAD = 16

/** Does jobs that read what strangers wrote, in processes that can be ended. */
export class Pool<Done extends Jobs> {
  readonly #options: PoolOptions
  readonly #workers: Worker[] = []
  #prepared: unknown

  constructor(options: PoolOptions) {
    this.#options = options
    options.signal?.addEventListener('abort', () => {
      for (const worker of this.#workers) worker.stop(options.signal?.reason)
    })
  }

  /** Does a job for each item; results come in any order. */
  async run<Name extends JobName<Done>>(
    name: Name,
    items: readonly JobItem<Done, Name>[],
    { onDone, onLost }: RunOptions<JobItem<Done, Name>, JobResult<Done, Name>>,
  ): Promise<void> {
    const workers = this.#hire(items.length)
    // Each takes the next one when it is free.
    const queue = items.values()
    const serve = async (worker: Worker): Promise<void> => {
      for (const item of queue) {
        const outcome = await worker.run(name, item)
        if ('loss' in outcome) onLost(item, outcome.loss)
        else onDone(outcome.result as JobResult<Done, Name>, item)
      }
    }
    const ahead = Array.from({ length: AHEAD })
    await Promise.all(workers.flatMap((worker) => ahead.map(() => serve(worker))))
  }

  /** Does the job `prepare` in each process, also in those that are started later. */
  prepare(item: JobItem<Done, typeof PREPARE>): void {
    this.#prepared = item
    for (const worker of this.#workers) worker.prepare(item)
  }

  #hire(items: number): readonly Worker[] {
    const { signal, size: most = 1, many = MANY } = this.#options
    signal?.throwIfAborted()
    const size = items < many ? 1 : most
    while (this.#workers.length < size) {
      const known = released.get(nameOptions(this.#options))?.pop()
      known?.resume(this.#prepared)
      this.#workers.push(known ?? new Worker(this.#options, this.#prepared))
    }
    return this.#workers
  }

  async close(): Promise<void> {
    const key = nameOptions(this.#options)
    for (const worker of this.#workers.splice(0))
      if (await worker.release()) released.set(key, [...(released.get(key) ?? []), worker])
  }
}
