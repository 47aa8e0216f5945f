import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { Pool } from './pool.ts'
import type { OddJobs } from './testing/odd-worker.ts'

const file = new URL('./testing/odd-worker.ts', import.meta.url)

/** Much longer than what is no loop takes, on a busy machine too. */
const DEADLINE = 3_000

const LATE = 'takes longer than 3 s'

const pools: Pool<OddJobs>[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

const openPool = (more: Partial<ConstructorParameters<typeof Pool>[0]> = {}): Pool<OddJobs> => {
  const pool = new Pool<OddJobs>({ file, deadline: DEADLINE, ...more })
  pools.push(pool)
  return pool
}

const runAll = async (
  pool: Pool<OddJobs>,
  name: 'echo' | 'read' | 'parse' | 'fail' | 'pid',
  items: readonly string[],
) => {
  const done: unknown[] = []
  const lost: [string, string][] = []
  await pool.run(name, items, {
    onDone: (result) => done.push(result),
    onLost: (item, reason) => lost.push([item, reason]),
  })
  return { done, lost }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const waitForEnd = async (pid: number): Promise<void> => {
  while (isRunning(pid)) await pause(50)
}

test('an item that loops -> is lost, the others are done', async () => {
  const { done, lost } = await runAll(openPool(), 'read', ['a', 'loop', 'b'])
  expect(done).toEqual(['a', 'b'])
  expect(lost).toEqual([['loop', LATE]])
})

test('an item that ends two processes -> is lost, the others are done', async () => {
  const { done, lost } = await runAll(openPool(), 'read', ['a', 'crash', 'b'])
  expect(done).toEqual(['a', 'b'])
  expect(lost).toEqual([['crash', 'ends the process that reads it (SIGSEGV)']])
})

test('a text that satteri takes minutes for -> is lost, though native code hears nothing', async () => {
  const text = '_a'.repeat(1_048_576)
  const { done, lost } = await runAll(openPool(), 'parse', ['# a', text, '# b\n\nc'])
  expect(done).toEqual([1, 2])
  expect(lost).toEqual([[text, LATE]])
})

test('after an item is lost -> the new process is prepared like the one before', async () => {
  const pool = openPool()
  pool.prepare('x')
  await runAll(pool, 'read', ['crash'])
  expect(await runAll(pool, 'echo', ['a'])).toEqual({ done: ['xa'], lost: [] })
  pool.prepare('y')
  expect(await runAll(pool, 'echo', ['a'])).toEqual({ done: ['ya'], lost: [] })
})

test.each([
  ['few items', 99, 1],
  ['many items', 100, 2],
])('%s -> as many processes as pay', async (_, count, processes) => {
  const { done } = await runAll(
    openPool({ size: 2, many: 100 }),
    'pid',
    Array<string>(count).fill(''),
  )
  expect(done).toHaveLength(count)
  expect(new Set(done).size).toBe(processes)
})

test('a job that fails -> the error keeps its code and path', async () => {
  await expect(runAll(openPool(), 'fail', ['a/b'])).rejects.toMatchObject({
    message: 'no such file',
    code: 'ENOENT',
    path: 'a/b',
  })
})

test('a process that somebody kills -> the item is tried again, and the run fails with a remedy', async () => {
  const pool = openPool({ deadline: 600_000 })
  const { done } = await runAll(pool, 'pid', [''])
  const reading = runAll(pool, 'read', Array<string>(100_000).fill('a'))
  process.kill(Number(done[0]), 'SIGTERM')
  await expect(reading).rejects.toThrow(
    /^A process that reads skills was ended \(SIGTERM\); it may have run out of memory: free some/,
  )
})

test('a program that cannot start -> the run fails with a remedy', async () => {
  const pool = openPool({ file: new URL('./testing/not-there.ts', import.meta.url) })
  await expect(runAll(pool, 'read', ['a', 'b'])).rejects.toThrow(
    /^A process that reads skills did not start \(exit code 1\); correct what it says above/,
  )
})

test('aborted during an item that loops -> the reason at once, and no process is left', async () => {
  const controller = new AbortController()
  const pool = openPool({ deadline: 600_000, signal: controller.signal })
  const { done } = await runAll(pool, 'pid', [''])
  const reading = runAll(pool, 'read', ['loop'])
  controller.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
  await waitForEnd(Number(done[0]))
})

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  '%s for a parent whose worker loops -> ends both at once',
  async (signal) => {
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL('./testing/stuck-parent.ts', import.meta.url))],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await pause(300)
    expect(isRunning(pid)).toBe(true)
    parent.kill(signal)
    await once(parent, 'exit')
    await waitForEnd(pid)
  },
)
