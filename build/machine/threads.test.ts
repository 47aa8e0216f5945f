import { availableParallelism } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { FAIL, JOIN } from './testing/odd-jobs.ts'
import { Threads, countThreads } from './threads.ts'

const opened: Threads[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))

const openThreads = (): Threads => {
  const threads = new Threads(new URL('./testing/odd-jobs.ts', import.meta.url), 2)
  opened.push(threads)
  return threads
}

const makeTexts = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at))

test.each([
  ['few items', 299, [0]],
  ['many items', 300, [expect.any(Number), expect.any(Number)]],
])('%s -> each is done once, in threads only if there are many', async (_, count, expected) => {
  const texts = makeTexts(count)
  const threads = new Set<number>()
  const done = new Map<string, string>()
  await openThreads().run(JOIN, texts, 'x', ({ text, thread }, item) => {
    threads.add(thread)
    done.set(item, text)
  })
  expect([...threads]).toEqual(expected)
  expect(done).toEqual(new Map(texts.map((text) => [text, `x${text}`])))
})

test.each([1, 300])(
  'a job of %d items that fails -> the error keeps its code and path',
  async (count) => {
    const failing = openThreads().run(FAIL, makeTexts(count), undefined, () => undefined)
    await expect(failing).rejects.toMatchObject({
      message: 'no such file',
      code: 'ENOENT',
      path: expect.any(String),
    })
  },
)

test('a build -> threads by itself only from 5,000 skills on', () => {
  expect([4_999, 5_000].map(countThreads)).toEqual([1, availableParallelism()])
})
