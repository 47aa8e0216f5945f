import { afterEach, expect, test } from 'vitest'
import { parseArguments } from '../cli/command.ts'
import { makeFolder, removeFolders, skillMd } from '../../../testing/sample-folders.ts'
import { statsCommand } from './command.ts'

afterEach(removeFolders)

const record = (id: number, more: object = {}) =>
  JSON.stringify({
    id,
    author: 'ada',
    category: 'Writing',
    updated: '2026-01-02',
    source: { kind: 'own' },
    ...more,
  })

const makeContent = (): string =>
  makeFolder({
    'site.json': '{"name":"N","tagline":"T","description":"D"}',
    'skills/a/skill.json': record(1, { parts: { outputs: ['A table'] } }),
    'skills/a/SKILL.md': skillMd('a', 'Sorts. Use when words lie about.', '## Output\n\nWords.'),
    'skills/b/skill.json': record(2, { difficulty: 'Advanced' }),
    'skills/b/SKILL.md': skillMd('b', 'Sorts.', '## Output\n\nWords.'),
  })

const stats = async (...args: string[]): Promise<string> => {
  const printed: string[] = []
  await statsCommand.run(parseArguments(statsCommand, args), {
    print: (text) => void printed.push(text),
    stderr: { write: () => true },
    today: '2026-01-01',
  })
  return printed.join('\n')
}

test('catalog stats --json -> each part with count, share and origins', async () => {
  const found = JSON.parse(await stats('--json', '--content', makeContent()))
  expect(found).toMatchObject({
    skills: 2,
    difficulties: { Beginner: 1, Intermediate: 0, Advanced: 1 },
    categories: { Writing: 2, Coding: 0 },
  })
  expect(found.parts).toHaveLength(10)
  expect(found.parts).toContainEqual({
    part: 'outputs',
    found: 2,
    share: 1,
    origins: { author: 1, text: 1, 'front matter': 0, description: 0, scripts: 0, none: 0 },
  })
  expect(found.parts).toContainEqual(
    expect.objectContaining({ part: 'whenToUse', found: 1, share: 0.5 }),
  )
})

test('catalog stats -> a row a part', async () => {
  const lines = (await stats('--content', makeContent())).split('\n')
  expect(lines[0]).toBe('2 skills')
  expect(lines.find((line) => line.startsWith('whenToUse'))).toMatch(/ 1 +50\.0 % /)
  expect(lines.at(-2)).toBe('Difficulty: Beginner 1, Intermediate 0, Advanced 1')
})

test('catalog stats x -> refused', async () => {
  await expect(stats('x', '--content', makeContent())).rejects.toThrow(/takes no "x"/)
})
