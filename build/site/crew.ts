import { runJob } from './jobs.ts'
import type { Job, Reply, WorkerData } from './jobs.ts'
import { createPrinter } from './printer.ts'
import type { PrintTask, Press, Printed, SkillReading } from './printer.ts'
import { startThread } from './threads.ts'

/** Printers at work side by side. */
export interface Crew {
  read: (slugs: readonly string[], onStep: () => void) => Promise<SkillReading[]>
  /** Prints what `press` says; a skill is printed where it was read, which keeps its record. */
  print: (
    press: Press,
    tasks: readonly PrintTask[],
    onDone: (printed: readonly Printed[]) => void,
  ) => Promise<void>
  link: (from: string, to: string, names: readonly string[]) => Promise<void>
  close: () => Promise<void>
}

/** Skills that are handed over at a time. */
const BATCH = 50

/** Jobs a thread has before it, so that it never waits for the next. */
const AHEAD = 2

/** From this many skills on, threads are worth their start. */
const WORTH_THREADS = 250

const batch = <Item>(items: readonly Item[], size: number): Item[][] => {
  const batches: Item[][] = []
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size))
  return batches
}

interface Hand {
  run: (job: Job) => Promise<unknown[]>
  close: () => Promise<unknown>
}

const toReading = (slugs: string[]): Job => ({ kind: 'read', slugs })

/** Room for what is young in MiB: a page's tokens should die before they are moved. */
const YOUNG_ROOM = 64

const startHand = (content: string): Hand => {
  const data: WorkerData = { content }
  const worker = startThread('./worker.ts', data, { maxYoungGenerationSizeMb: YOUNG_ROOM })
  const waiting: { resolve: (results: unknown[]) => void; reject: (error: unknown) => void }[] = []
  worker.on('message', ({ results, fault: failed }: Reply) => {
    const next = waiting.shift()
    if (failed) next?.reject(Object.assign(new Error(failed.message), failed))
    else next?.resolve(results)
  })
  let fault: unknown
  worker.on('error', (error) => {
    fault = error
    for (const { reject } of waiting.splice(0)) reject(error)
  })
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (fault !== undefined) return reject(fault)
        waiting.push({ resolve, reject })
        worker.postMessage(job, [])
      }),
    close: () => worker.terminate(),
  }
}

const workHere = (content: string): Hand => {
  const printer = createPrinter(content)
  return {
    // Between two jobs the rest of the build, and the signals, have their turn.
    run: (job) => new Promise((resolve) => setImmediate(resolve)).then(() => runJob(printer, job)),
    close: () => Promise.resolve(),
  }
}

const work = async <Item, Result>(
  hands: readonly Hand[],
  shares: readonly (readonly Item[])[],
  jobOf: (items: Item[]) => Job,
  onDone: (results: Result[]) => void,
): Promise<void> => {
  const serve = async (hand: Hand, queue: Item[][]): Promise<void> => {
    for (let items = queue.shift(); items; items = queue.shift()) {
      onDone((await hand.run(jobOf(items))) as Result[])
    }
  }
  await Promise.all(
    hands.flatMap((hand, at) => {
      const queue = batch(shares[at] ?? [], BATCH)
      return Array.from({ length: AHEAD }, () => serve(hand, queue))
    }),
  )
}

/** Deals items out in batches; the same items fall to the same hand. */
const deal = <Item>(items: readonly Item[], hands: number): Item[][] => {
  const shares = Array.from({ length: hands }, (): Item[] => [])
  for (const [at, one] of batch(items, BATCH).entries()) shares[at % hands]?.push(...one)
  return shares
}

/** Gathers a crew for about `expected` skills; a few are quicker done in this thread. */
export const gatherCrew = (content: string, workers: number, expected: number): Crew => {
  const isAlone = workers < 2 || expected < WORTH_THREADS
  const hands = isAlone
    ? [workHere(content)]
    : Array.from({ length: workers }, () => startHand(content))
  const places = new Map<string, number>()
  // A change of the whole site is seen in no skill, and prints all of them.
  const callMore = (count: number): void => {
    if (hands.length > 1 || workers < 2 || count < WORTH_THREADS) return
    for (let more = 0; more < workers; more += 1) hands.push(startHand(content))
  }
  return {
    read: async (slugs, onStep) => {
      const shares = deal(slugs, hands.length)
      for (const [at, share] of shares.entries()) for (const slug of share) places.set(slug, at)
      const readings: SkillReading[] = []
      await work(hands, shares, toReading, (results: SkillReading[]) => {
        readings.push(...results)
        for (let done = 0; done < results.length; done += 1) onStep()
      })
      return readings
    },
    print: async (press, tasks, onDone) => {
      callMore(tasks.length)
      // This thread has the rest of the build to do, where others came.
      const first = hands.length > workers ? 1 : 0
      await Promise.all(hands.map((hand) => hand.run({ kind: 'prepare', press })))
      const shares = hands.map((): PrintTask[] => [])
      for (const [at, task] of tasks.entries()) {
        const dealt = first + (Math.floor(at / BATCH) % (hands.length - first))
        shares[places.get(task.slug) ?? dealt]?.push(task)
      }
      await work(hands, shares, (items): Job => ({ kind: 'print', tasks: items }), onDone)
    },
    link: async (from, to, names) => {
      callMore(names.length)
      const shares = deal(names, hands.length)
      const toJob = (items: string[]): Job => ({ kind: 'link', from, to, names: items })
      await work(hands, shares, toJob, () => undefined)
    },
    close: async () => void (await Promise.all(hands.map((hand) => hand.close()))),
  }
}
