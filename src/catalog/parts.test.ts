import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PARTS, findPartOfHeading } from './parts.ts'

const POST = new URL('../../content/blog/writing-a-skill-that-is-found.md', import.meta.url)

test('the blog post for authors lists recognized headings for every part', () => {
  const rows = [
    ...readFileSync(POST, 'utf8').matchAll(/^\| ([^|]+) \| ([^|]+, [^|]+) \|$/gm),
  ].slice(1)
  expect(rows.map(([, part]) => part)).toEqual(PARTS.map(({ heading }) => heading))
  for (const [at, [, , headings = '']] of rows.entries())
    for (const heading of headings.split(', '))
      expect([heading, findPartOfHeading(heading)]).toEqual([heading, PARTS[at]?.name])
})

test.each([
  ['3. Prerequisites', 'prerequisites'],
  ['Phase 0: Setup', 'prerequisites'],
  ['Core Workflow', 'howItWorks'],
  ['Review workflow', 'howItWorks'],
  ['Output templates', 'outputs'],
  ['Output format for teams', 'outputs'],
  ['When to use Each Skill', 'whenToUse'],
  ['MUST and MUST NOT', undefined],
  ['Performance requirements', undefined],
  ['Setup errors', undefined],
  ['How the team reviews its own long workflow', undefined],
])('the heading %j is about %s', (heading, part) => {
  expect(findPartOfHeading(heading)).toBe(part)
})
