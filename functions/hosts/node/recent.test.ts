import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

type Step = readonly ['get', string] | readonly ['set', string, number?]

/** The keys that a simple model keeps: a list with the most recently used value at its end. */
const listRecent = (capacity: number, steps: readonly Step[]): string[] => {
  let entries: { key: string; size: number }[] = []
  for (const [step, key, size = 1] of steps) {
    const known = entries.find((one) => one.key === key)
    const now = step === 'set' ? { key, size } : known
    entries = [...entries.filter((one) => one !== known), ...(now ? [now] : [])]
    while (entries.reduce((sum, one) => sum + one.size, 0) > capacity) entries.shift()
  }
  return entries.map(({ key }) => key).sort()
}

const anyKey = fc.constantFrom(...'abcdefghijkl')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('get' as const), anyKey),
  fc.tuple(fc.constant('set' as const), anyKey, fc.integer({ min: 1, max: 9 })),
)

test('any sequence of calls keeps the same keys as the model', () =>
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const recent = new Recent<string>(20)
      for (const [step, key, size] of steps)
        if (step === 'get') recent.get(key)
        else recent.set(key, key, size)
      const keys = [...'abcdefghijkl'].filter((key) => recent.get(key) !== undefined)
      expect(keys).toEqual(listRecent(20, steps))
    }),
  ))
