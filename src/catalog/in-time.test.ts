import { expect, test } from 'vitest'
import { runInTime } from './in-time.ts'

const LATE = { fault: 'takes longer than 0.1 s to read', isLate: true }

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
  ['a recursion', dive, { fault: 'is nested too deeply', isLate: false }],
  ['a call within a call', () => runInTime(100, () => 'b'), { result: { result: 'b' } }],
])('%s', (_, run, expected) => {
  expect(runInTime(100, run)).toEqual(expected)
})

const fail = () => {
  throw new TypeError('ours')
}

test('a fault of ours stays one', () => {
  expect(() => runInTime(100, fail)).toThrow(new TypeError('ours'))
})
