import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OWN_RECORD, SITE } from '../../src/catalog/testing/content.ts'
import { makeSampleFolder, readSampleTree, sampleSkillMd } from '../../testing/sample-folders.ts'
import { runCommand } from './testing/run-command.ts'

const RECORD = JSON.stringify(OWN_RECORD)

const makeCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': RECORD,
    'skills/a/SKILL.md': sampleSkillMd('a'),
  })

describe('links in a catalog never lead to writes outside of it', () => {
  test('import into a skill with a linked folder -> the link is removed', async () => {
    const [content, outside] = [makeCatalog(), makeSampleFolder({ 'a.md': 'precious' })]
    symlinkSync(outside, join(content, 'skills/a/references'))
    const source = makeSampleFolder({
      'a/SKILL.md': sampleSkillMd('a'),
      'a/references/a.md': 'new',
    })
    const args = ['import', source, '--own', '--author', OWN_RECORD.author, '--into', content]
    expect(await runCommand(...args)).toMatchObject({ code: 0 })
    expect(readSampleTree(outside)).toEqual({ 'a.md': 'precious' })
    expect(readFileSync(join(content, 'skills/a/references/a.md'), 'utf8')).toBe('new')
  })

  test('import into a linked skill folder -> refused', async () => {
    const [content, outside] = [
      makeCatalog(),
      makeSampleFolder({ 'skill.json': JSON.stringify({ ...OWN_RECORD, id: 2 }) }),
    ]
    symlinkSync(outside, join(content, 'skills/b'))
    const source = makeSampleFolder({ 'b/SKILL.md': sampleSkillMd('b') })
    const { code, text } = await runCommand('import', source, '--own', '--into', content)
    expect(code).toBe(1)
    expect(text).toMatch(/skills\/b.*is a symlink/)
    expect(Object.keys(readSampleTree(outside))).toEqual(['skill.json'])
  })
})
