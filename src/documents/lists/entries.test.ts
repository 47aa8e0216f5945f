import { expect, test } from 'vitest'
import { showCount } from './entries.ts'

test.for([
  [0, '0'],
  [999, '999'],
  [1_000, '1000+'],
  [1_299, '1200+'],
  [12_999, '12000+'],
  [3_277_534, '3200000+'],
] as const)('%s -> %s', ([count, shown]) => {
  expect(showCount(count)).toBe(shown)
})
