import { describe, expect, test } from 'vitest'
import { sampleDocument } from '../../../testing/sample-documents.ts'
import { DRAWN, sortIntoBatches, tryTriggers } from './try-triggers.ts'

const TOPICS = ['cake', 'boats', 'taxes', 'poems', 'chess', 'bees', 'maps']

/** Skills about other topics. */
const others = Array.from({ length: 59 }, (_, at) =>
  sampleDocument(at + 100, `other-${at}`, `Helps with ${TOPICS[at % 7]} number ${at}.`),
)

describe('the phrases of a skill, tried among 50 skills', () => {
  test('each finds the skill first, or the winner is reported', () => {
    const skill = sampleDocument(
      1,
      'pull-reviews',
      'Reviews pull requests. Use for "review my pull request", "boats number 8" or "zxqvw".',
    )
    const rivals = Array.from({ length: 49 }, (_, at) =>
      sampleDocument(at + 2, `boat-${at}`, 'Helps with boats number 8.'),
    )
    const results = tryTriggers([skill, ...rivals])
    expect([...results.keys()]).toEqual(['skill-1'])
    expect(results.get('skill-1')).toMatchObject({ phrases: 3, found: 1 })
    expect(results.get('skill-1')?.missed).toEqual([
      { phrase: 'boats number 8', winner: expect.stringMatching(/^skill-/) },
      { phrase: 'zxqvw', winner: undefined },
    ])
  })

  test('a phrase does not find the description that quotes it', () => {
    const found = ['Plays', 'Juggles'].map((verb) => {
      const skill = sampleDocument(1, 'a', `${verb}. Say "juggle the flumps" or "zxqvw".`)
      return tryTriggers([skill, ...others]).get('skill-1')?.found
    })
    expect(found).toEqual([0, 1])
  })

  test('no phrases -> no results', () => {
    expect(tryTriggers(others).size).toBe(0)
  })

  test('the same results in any order of the skills', () => {
    const quoting = others.map(({ listed: { id, name }, description }, at) =>
      sampleDocument(
        id,
        name,
        `${description} Say "help with ${TOPICS[(at + 1) % 7]}" or "number ${at}".`,
      ),
    )
    const [results, reversed] = [quoting, quoting.toReversed()].map((all) =>
      [...tryTriggers(all)].sort(),
    )
    expect(reversed).toEqual(results)
  })
})

describe('batches', () => {
  const skills = Array.from({ length: 5_000 }, (_, at) => ({ slug: `skill-${at}` }))

  test.each([50, 255, 256, 1_000, 5_000])('of %i skills have at least 50', (count) => {
    const sizes = Array.from(
      sortIntoBatches(skills.slice(0, count)).values(),
      ({ length }) => length,
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(DRAWN)
    expect(Math.max(...sizes)).toBeLessThan(400)
  })

  test('an added skill changes only one batch', () => {
    const before = sortIntoBatches(skills.slice(0, 4_500))
    const after = sortIntoBatches(skills.slice(0, 4_501))
    const changed = [...after].filter(
      ([number, batch]) => batch.length !== before.get(number)?.length,
    )
    expect(changed).toHaveLength(1)
  })
})
