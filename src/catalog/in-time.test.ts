import { expect, test } from 'vitest'
import { runEach, runInTime } from './in-time.ts'

const LATE = { fault: 'takes longer than 0.5 s to read', isLate: true }

const dive = (): number => dive() + 1

test.each<[string, () => unknown, unknown]>([
  ['a call that returns', () => 'a', { result: 'a' }],
  [
    'a loop that catches',
    () => {
      for (;;)
        try {
          for (;;);
        } catch {
          continue
        }
    },
    LATE,
  ],
  ['a regular expression', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`), LATE],
  ['a recursion', dive, { fault: 'is nested too deeply, or becomes too long', isLate: false }],
  ['a call within a call', () => runInTime(500, () => 'b'), { result: { result: 'b' } }],
])('%s', (_, run, expected) => {
  expect(runInTime(500, run)).toEqual(expected)
})

const fail = () => {
  throw new TypeError('a bug')
}

test('other errors are rethrown', () => {
  expect(() => runInTime(500, fail)).toThrow(new TypeError('a bug'))
})

test('an asynchronous function is refused', () => {
  expect(() => runInTime(500, async () => 1)).toThrow('a promise would escape the time limit')
})

test('the other items get results if an item never ends', () => {
  const results = runEach(1_000, ['a', 'loop', 'b'], (item) => {
    if (item === 'loop') for (;;);
    return item
  })
  const late = { fault: 'takes longer than 1 s to read', isLate: true }
  expect(results).toEqual([{ result: 'a' }, late, { result: 'b' }])
})

test('all items get results if they exceed the limit only together', () => {
  const items = ['a', 'b', 'c']
  let calls = 0
  const results = runEach(1_000, items, (item) => {
    calls += 1
    if (calls === items.length) for (;;);
    return item
  })
  expect(results).toEqual(items.map((result) => ({ result })))
})
