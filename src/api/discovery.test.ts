import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleFacts, sampleSkill } from '../../testing/sample-facts.ts'
import { isInstallable } from '../catalog/skill.ts'
import type { Skill } from '../catalog/skill.ts'
import { joinDiscovery, makeEntry, renderDiscovery } from './discovery.ts'

const SKILL = sampleSkill({
  ...sampleFacts(12, { slug: 'csv-clean', description: 'Cleans CSV files.', tokens: 900 }),
  licence: undefined,
})

const ZIP = { size: 5_000, sha256: 'a'.repeat(64) }

const entryOf = (skill: Partial<Skill>, paths: readonly string[] = ['SKILL.md']) =>
  makeEntry(
    { ...SKILL, ...skill },
    ZIP,
    paths.map((path) => ({ path, size: 1, sha256: 'b'.repeat(64) })),
  )

test('an entry has the zip, its digest and its files, and no unknown values', () => {
  expect(JSON.parse(renderDiscovery([entryOf({})]))).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'csv-clean',
        type: 'archive',
        description: 'Cleans CSV files.',
        url: '/api/skills/download/12',
        digest: `sha256:${'a'.repeat(64)}`,
        files: [{ path: 'SKILL.md', size: 1, sha256: 'b'.repeat(64) }],
        size: 5_000,
        tokens: 900,
        author: 'ann',
        safety: 'No findings',
        category: 'Coding',
      },
    ],
  })
})

test('indexes are joined as if their entries were rendered together', () => {
  const entries = ['a', 'b', ']}', '"]}\n'].map((description) => entryOf({ description }))
  for (const some of [[], entries.slice(0, 1), entries])
    expect(joinDiscovery(some.map((entry) => renderDiscovery([entry])))).toBe(renderDiscovery(some))
})

test('a description of any length and script is one line of 1 to 1,024 UTF-16 units', () => {
  const letters = fc.constantFrom('a', ' ', '漢', '🙂', '.')
  const texts = fc
    .array(letters, { minLength: 1, maxLength: 2_500 })
    .map((all) => `x${all.join('')}`)
  fc.assert(
    fc.property(texts, (description) => {
      const { length } = entryOf({ description }).description
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThanOrEqual(1_024)
    }),
  )
  expect(entryOf({ description: '🙂'.repeat(1_024) }).description).toHaveLength(1_023)
  expect(entryOf({ description: 'x'.repeat(1_024) }).description).toHaveLength(1_024)
  expect(entryOf({ description: ' A\r\n  B\n\nC ' }).description).toBe('A B C')
})

test('a listed-only skill, or one with a slug of more than 64 characters, has no index', () => {
  expect(isInstallable({ slug: 'a'.repeat(64), tokens: 0 })).toBe(true)
  expect(isInstallable({ slug: 'a'.repeat(65), tokens: 0 })).toBe(false)
  expect(isInstallable({ slug: 'a', tokens: undefined })).toBe(false)
})
