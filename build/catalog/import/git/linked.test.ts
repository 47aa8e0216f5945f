import { expect, test } from 'vitest'
import { loadCatalog } from '../../../../src/catalog/load.ts'
import { makeContent, sampleSkillMd } from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { followAddress } from '../../update/testing/followed.ts'
import { MIT_TEXT, WEB, makeRepository } from '../testing/sample-repository.ts'

const RESEARCH = { LICENSE: MIT_TEXT, 'research/SKILL.md': sampleSkillMd('research') }
const THREE: SampleFiles = {
  ...RESEARCH,
  'plan/SKILL.md': sampleSkillMd('plan'),
  'notes/SKILL.md': sampleSkillMd('notes'),
}
const LISTED = { 'skills/research': '../research', 'skills/plan': '../plan' }

/** Makes a repository with links, given by their paths. */
const makeLinked = (files: SampleFiles, links: Readonly<Record<string, string>>) => {
  const repository = makeRepository(files, { links })
  return { ...repository, head: repository.git('rev-parse', 'HEAD') }
}

/** The sources of the skills in a catalog. */
const sourcesIn = (content: string) =>
  loadCatalog(content).skills.map(({ source }) => (source.kind === 'own' ? '' : source.url))

test.each([
  ['--include', '.claude/skills/*', ['plan', 'research']],
  ['--exclude', 'skills/*', ['notes']],
  ['--exclude', '.claude/**', ['notes', 'plan', 'research']],
])(
  'a folder of links to skills, %s %s -> the skills by both names of their folders',
  async (option, glob, expected) => {
    const { address } = makeLinked(THREE, { ...LISTED, '.claude/skills': '../skills' })
    const { slugs } = await followAddress(makeContent(), address, option, glob)
    expect(slugs().sort()).toEqual(expected)
  },
)

const MORE = { 'docs/map.md': 'Map', 'shared/parse.py': 'print(1)', 'other.md': 'x' }
const FILES: SampleFiles = { ...RESEARCH, ...MORE }
const LINKS = {
  'research/docs': '../docs',
  'research/scripts/parse.py': '../../near/parse.py',
  near: 'shared',
}

test('a folder of links as the followed folder -> the links’ targets are the sources, and what these link to is copied and dated', async () => {
  const links = { ...LINKS, ...LISTED, 'skills/near': '../far', far: 'notes' }
  const repository = makeLinked({ ...THREE, ...FILES }, links)
  const address = `${repository.address}/tree/main/skills`
  const { content, call, read, recordOf } = await followAddress(makeContent(), address)
  expect(sourcesIn(content).toSorted()).toEqual(
    ['notes', 'plan', 'research'].map((name) => `${WEB}/tree/${repository.head}/${name}`),
  )
  repository.commit({ 'shared/parse.py': 'print(2)' }, '2026-02-02')
  await call('update')
  expect(recordOf('research').updated).toBe('2026-02-02')
  expect(read('skills/research/scripts/parse.py')).toBe('print(2)')
})

test('a folder of links as the followed folder, with a link to the root -> the root is its source', async () => {
  const { address, head } = makeLinked(
    { ...RESEARCH, 'SKILL.md': sampleSkillMd('whole') },
    { 'skills/whole': '..', 'skills/other.md': '../SKILL.md' },
  )
  const { content } = await followAddress(makeContent(), `${address}/tree/main/skills`)
  expect(sourcesIn(content)).toEqual([`${WEB}/tree/${head}`])
})

test('a skill with links to files outside of it -> the day on which one of its files changed last, linked or not', async () => {
  const repository = makeLinked(FILES, LINKS)
  const { call, recordOf } = await followAddress(makeContent(), repository.address)
  const changes: [SampleFiles, day: string, updated: string][] = [
    [{ 'docs/map.md': 'More' }, '2026-02-01', '2026-02-01'],
    [{ 'docs/new.md': 'New' }, '2026-02-03', '2026-02-03'],
    [{ 'shared/parse.py': 'print(2)' }, '2026-02-05', '2026-02-05'],
    [{ 'other.md': 'y', 'research/x.md': 'x' }, '2026-02-07', '2026-02-07'],
    [{ 'other.md': 'z' }, '2026-02-09', '2026-02-07'],
  ]
  for (const [files, day, updated] of changes) {
    repository.commit(files, day)
    await call('update')
    expect(recordOf('research').updated).toBe(updated)
  }
})
