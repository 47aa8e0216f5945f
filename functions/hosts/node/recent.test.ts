import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

type Step = readonly ['get', string] | readonly ['set', string, number?]

test.each<[string, Step[], string]>([
  [
    'no room is left -> the oldest goes',
    [
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
      ['set', 'd'],
    ],
    'bcd',
  ],
  [
    'it was asked for -> it counts as new',
    [
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
      ['get', 'a'],
      ['set', 'd'],
    ],
    'acd',
  ],
  [
    'it was set again -> it counts as new, and once',
    [
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
      ['set', 'a'],
      ['set', 'd'],
    ],
    'acd',
  ],
  [
    'another was asked for -> it counts as old',
    [
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
      ['get', 'x'],
      ['set', 'd'],
    ],
    'bcd',
  ],
  [
    'one is large -> as many go as it needs',
    [
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
      ['set', 'd', 2],
    ],
    'cd',
  ],
  [
    'one grows -> others go',
    [
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
      ['set', 'b', 3],
    ],
    'b',
  ],
  [
    'one shrinks -> there is room again',
    [
      ['set', 'a', 3],
      ['set', 'a'],
      ['set', 'b'],
      ['set', 'c'],
    ],
    'abc',
  ],
  [
    'one goes -> there is room again',
    [
      ['set', 'a', 3],
      ['set', 'b'],
      ['set', 'c'],
      ['set', 'd'],
    ],
    'bcd',
  ],
])('with room for three, %s', (_words, steps, left) => {
  const recent = new Recent<string>(3)
  for (const [step, key, size] of steps)
    if (step === 'get') recent.get(key)
    else recent.set(key, key.toUpperCase(), size)
  const keys = [...'abcd'].filter((key) => recent.get(key) === key.toUpperCase())
  expect(keys.join('')).toBe(left)
})

/** The same as a list, the one used last at its end. */
const listRecent = (room: number, steps: readonly Step[]): string[] => {
  let kept: { key: string; size: number }[] = []
  for (const [step, key, size = 1] of steps) {
    const known = kept.find((one) => one.key === key)
    const now = step === 'set' ? { key, size } : known
    kept = [...kept.filter((one) => one !== known), ...(now ? [now] : [])]
    while (kept.reduce((sum, one) => sum + one.size, 0) > room) kept.shift()
  }
  return kept.map(({ key }) => key).sort()
}

const anyKey = fc.constantFrom(...'abcdefghijkl')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('get' as const), anyKey),
  fc.tuple(fc.constant('set' as const), anyKey, fc.integer({ min: 1, max: 9 })),
)

test('used in any way -> the same as a list', () =>
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
