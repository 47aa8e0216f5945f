import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { runCommand } from '../testing/run-command.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'

afterEach(removeFolders)

const TEXT = Array.from({ length: 90 }, (_, at) => `word${at}`).join(' ')

const record = (id: number, more: object = {}) =>
  JSON.stringify({
    id,
    author: 'ada',
    category: 'Writing',
    updated: '2026-01-02',
    source: { kind: 'own' },
    ...more,
  })

const upstream = (status: string) => ({
  name: 'b',
  description: 'Sorts words.',
  source: {
    kind: 'upstream',
    url: 'https://example.com/c',
    status,
    checked: '2026-01-01',
    seen: '2026-01-01',
  },
})

const makeContent = (): string =>
  makeSampleFolder({
    'site.json': '{"name":"N","tagline":"T","description":"D"}',
    'skills/a/skill.json': record(12),
    'skills/a/SKILL.md': sampleSkillMd('a', 'Sorts words.', TEXT),
    'skills/b/skill.json': record(3),
    'skills/b/SKILL.md': sampleSkillMd('b', 'Sorts words.', TEXT),
    'skills/c/skill.json': record(5, upstream('copied')),
    'skills/c/SKILL.md': sampleSkillMd('c', 'Sorts words.', `${TEXT} more`),
    'skills/d/skill.json': record(6),
    'skills/d/SKILL.md': sampleSkillMd('d', 'Counts.', 'Count.'),
  })

const families = async (content: string, ...args: string[]): Promise<string> =>
  (await runCommand('families', '--content', content, ...args)).stdout.trimEnd()

const readCopies = (content: string): string => readFileSync(join(content, 'copies.json'), 'utf8')

describe('catalog families', () => {
  test('--dry-run -> the exact change, and nothing is written', async () => {
    const content = makeContent()
    const before = readSampleTree(content)
    expect(await families(content, '--dry-run')).toBe(
      [
        '+ c is a copy of b',
        '+ a is a copy of b',
        `2 copies in 1 family among 4 skills; would write copies.json in ${content}`,
      ].join('\n'),
    )
    expect(readSampleTree(content)).toEqual(before)
  })

  test('writes a file that loads, sorted by id, and no other file', async () => {
    const content = makeContent()
    const before = readSampleTree(content)
    await families(content)
    expect(readCopies(content)).toBe('{\n  "5": 3,\n  "12": 3\n}\n')
    expect(loadCatalog(content).copies).toEqual({ 5: 3, 12: 3 })
    expect(readSampleTree(content)).toEqual({ ...before, 'copies.json': readCopies(content) })
  })

  test('run twice -> the file is not touched', async () => {
    const content = makeContent()
    await families(content)
    const { mtimeMs, ino } = statSync(join(content, 'copies.json'))
    expect(JSON.parse(await families(content, '--json'))).toMatchObject({
      skills: 4,
      families: 1,
      copies: [
        { copy: 'c', original: 'b' },
        { copy: 'a', original: 'b', overlap: 1 },
      ],
      added: [],
      removed: [],
      written: [],
    })
    const after = statSync(join(content, 'copies.json'))
    expect([after.mtimeMs, after.ino]).toEqual([mtimeMs, ino])
  })

  test('installs decide the original; gone and removed skills drop out', async () => {
    const content = makeContent()
    await families(content)
    addFiles(content, {
      'counters.json': '{"12": {"views": 0, "installs": 7}}',
      'skills/c/skill.json': record(5, upstream('gone')),
    })
    rmSync(join(content, 'skills/d'), { recursive: true })
    expect((await families(content)).split('\n')).toEqual([
      '- id 5 is no longer a copy of b',
      '- a is no longer a copy of b',
      '+ b is a copy of a',
      `1 copy in 1 family among 2 skills; wrote copies.json in ${content}`,
    ])
  })

  test.each(['{', '{"99": 3}', '{"3": 3}', '[]'])(
    'repairs a file that contains %s',
    async (text) => {
      const content = makeContent()
      writeFileSync(join(content, 'copies.json'), text)
      await families(content)
      expect(loadCatalog(content).copies).toEqual({ 5: 3, 12: 3 })
    },
  )

  test('no copies and no file -> no file is created', async () => {
    const content = makeContent()
    for (const slug of ['b', 'c']) rmSync(join(content, 'skills', slug), { recursive: true })
    expect(await families(content)).toContain(
      '0 copies in 0 families among 2 skills; copies.json is already up to date',
    )
    expect(Object.keys(readSampleTree(content))).not.toContain('copies.json')
  })

  test.each([
    ['counters.json', '{"x": 1}'],
    ['skills/a/skill.json', '{}'],
  ])('an invalid %s -> reported, and the old file stays', async (path, text) => {
    const content = makeContent()
    await families(content)
    const before = readCopies(content)
    addFiles(content, { [path]: text })
    const { code, stderr } = await runCommand('families', '--content', content)
    expect([code, stderr.startsWith(path)]).toEqual([1, true])
    expect(readCopies(content)).toBe(before)
  })
})
