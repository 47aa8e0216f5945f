import { describe, expect, test } from 'vitest'
import { dropTriggers, readTriggers } from './triggers.ts'

describe('trigger phrases of a description', () => {
  test.each<[string, string[]]>([
    ['Use when asked to "review code" or "find bugs".', ['review code', 'find bugs']],
    ['Says “add tests” or ‘run tests’.', ['add tests', 'run tests']],
    ['Use for "ad copy," "ROAS," or "hero image."', ['ad copy', 'ROAS', 'hero image']],
    ["Users say 'what's wrong' or 'fix it'.", ["what's wrong", 'fix it']],
    ["The users' files and the author's notes.", []],
    ['"Fix it," "fix it" or "mend it"', ['fix it', 'mend it']],
    ['The "Three Things" rule.', []],
    ['用户说"画板"、"做一张图"时使用', ['画板', '做一张图']],
    // Text that nobody would say.
    ['"model.md" "snake_case" "--fork" ".xlsx" "/h" "a()" "{id}" "C" "x = 1" "a | b"', []],
    ['"why is a_b slow?" "fix A/B"', ['why is a_b slow?', 'fix A/B']],
    ['`npm run build` is code.', []],
    [`"${'word '.repeat(13)}" "${'x'.repeat(81)}" "ok then" "go on"`, ['ok then', 'go on']],
    // Exclusions.
    ['Use for "plans". Do not use for "trips" or "tours". Also "maps".', ['plans', 'maps']],
    ['Use for "people do not use it" or "nobody comes".', ['people do not use it', 'nobody comes']],
    ['An unclosed "quote', []],
  ])('%j', (description, phrases) => {
    expect(readTriggers(description)).toEqual(phrases)
  })

  test('only the first twenty are read', () => {
    const many = Array.from({ length: 30 }, (_, at) => `"say ${at}"`).join(' ')
    expect(readTriggers(many)).toHaveLength(20)
  })

  test.each(['"', "'", " 'a", '“', "'a’", 'not for '])(
    '100,000 times %j -> read within 5 s of CPU time',
    (text) => {
      const began = process.cpuUsage().user
      readTriggers(text.repeat(100_000))
      expect(process.cpuUsage().user - began).toBeLessThan(5_000_000)
    },
  )
})

test('removing a phrase keeps the other phrases, and its words outside of quotation marks', () => {
  const text = 'Reviews code. Use for "review code," “Find bugs” or \'find bugs\'.'
  expect(dropTriggers(text, ['review code'])).toBe(
    "Reviews code. Use for   “Find bugs” or 'find bugs'.",
  )
  expect(dropTriggers(text, ['find bugs'])).toBe('Reviews code. Use for "review code,"   or  .')
  expect(dropTriggers('Never use 3" pipes. Say "fix it" now.', ['fix it'])).toBe(
    'Never use 3" pipes. Say   now.',
  )
})
