import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapAtOnce } from './at-once.ts'

test.each([
  [1, 1],
  [3, 3],
  [8, 5],
])('at most %d at once -> all results, in the order of the items', async (most, busiest) => {
  let [busy, seen] = [0, 0]
  const results = await mapAtOnce([5, 1, 4, 2, 3], most, async (item) => {
    busy += 1
    seen = Math.max(seen, busy)
    await pause(item)
    busy -= 1
    return item * 10
  })
  expect(results).toEqual([50, 10, 40, 20, 30])
  expect(seen).toBe(busiest)
})

const refuseTwo = async (item: number): Promise<void> => {
  if (item === 2) throw new Error('two')
}

test('an error -> thrown', async () => {
  await expect(mapAtOnce([1, 2, 3], 2, refuseTwo)).rejects.toThrow('two')
})

test('no items -> no results', async () => {
  expect(await mapAtOnce([], 4, async () => 1)).toEqual([])
})
