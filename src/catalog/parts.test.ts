import { expect, test } from 'vitest'
import { findPartOfHeading } from './parts.ts'

test.each([
  ['Caveats', 'limitations'],
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
