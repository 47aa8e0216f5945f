import { expect, test } from 'vitest'
import { runEach, runInTime } from './in-time.ts'

const LATE = { fault: 'takes longer than 0.5 s to read', isLate: true }

const dive = (): number => dive() + 1

test.each<[string, () => unknown, unknown]>([
  ['what ends', () => 'a', { result: 'a' }],
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
  throw new TypeError('ours')
}

test('a fault of ours stays one', () => {
  expect(() => runInTime(500, fail)).toThrow(new TypeError('ours'))
})

test('what goes on after the call is refused', () => {
  expect(() => runInTime(500, async () => 1)).toThrow('nothing ends what goes on after the call')
})

test('an item that does not end -> the others of its group have their results', () => {
  const results = runEach(1_000, ['a', 'loop', 'b'], (item) => {
    if (item === 'loop') for (;;);
    return item
  })
  const late = { fault: 'takes longer than 1 s to read', isLate: true }
  expect(results).toEqual([{ result: 'a' }, late, { result: 'b' }])
})

const waitAndReturn = (item: string): string => {
  const end = performance.now() + 400
  while (performance.now() < end);
  return item
}

test('items that are late only together -> none is', () => {
  const items = ['a', 'b', 'c']
  expect(runEach(1_000, items, waitAndReturn)).toEqual(items.map((result) => ({ result })))
})
