import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PARTS } from '../../catalog/parts.ts'
import { normalizeHeading, partOfHeading } from './sections.ts'

test.each([
  ['When to Use This Skill', 'whenToUse'],
  ['## 3. ⚠️ Known Limitations:'.slice(3), 'limitations'],
  ['When NOT to use', 'whenNotToUse'],
  ['Core Workflow (the short form)', 'howItWorks'],
  ['Required Inputs', 'inputs'],
  ['Expected Output Format', 'outputs'],
  ['Prerequisites for this skill', 'prerequisites'],
  ['Key Capabilities', 'capabilities'],
  ['Trigger phrases', 'activation'],
  ['Example Prompts', 'examples'],
  ['工作流程', 'howItWorks'],
  ['Best practices', undefined],
  ['constructor', undefined],
  ['', undefined],
])('%s -> %s', (heading, part) => {
  expect(partOfHeading(heading)).toBe(part)
})

test('no heading carries two parts', () => {
  const headings = PARTS.flatMap((part) => part.headings.split('|')).map((heading) =>
    heading.replace(/\s+/g, ' ').trim(),
  )
  expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([])
  for (const part of PARTS) {
    for (const heading of part.headings.split('|')) expect(partOfHeading(heading)).toBe(part.name)
  }
})

const asOthers = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('a heading in ASCII is read as every other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      expect(normalizeHeading(text)).toBe(asOthers(text))
    }),
    { numRuns: 1_000 },
  )
})

test('a heading of brackets that never end is read in time that grows with it', () => {
  for (const bracket of ['(', '（']) {
    expect(partOfHeading(`Workflow ${bracket.repeat(600_000)}`)).toBe('howItWorks')
  }
})
