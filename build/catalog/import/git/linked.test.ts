import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeContent, readSampleTree, sampleSkillMd } from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { runCommand } from '../../testing/run-command.ts'
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
  const repository = makeRepository(files)
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(repository.folder, path)), { recursive: true })
    symlinkSync(target, join(repository.folder, path))
  }
  const commit = repository.commit({}, '2026-01-02')
  return { ...repository, commit: repository.commit, head: commit }
}

/** Follows an address in a new catalog. */
const follow = async (address: string, ...options: readonly string[]) => {
  const content = makeContent()
  const call = (...args: readonly string[]) => runCommand(...args, '--content', content)
  await call('add', address, '--source', WEB, ...options)
  const tree = () => readSampleTree(content)
  const records = () =>
    Object.entries(readSampleTree(content)).flatMap(([path, text]) =>
      path.endsWith('skill.json') ? JSON.parse(String(text)) : [],
    )
  const slugs = () =>
    Object.keys(readSampleTree(content)).flatMap(
      (path) => /^skills\/(.+)\/skill\.json$/.exec(path)?.[1] ?? [],
    )
  return { call, tree, records, slugs }
}

describe('a folder of links to skills', () => {
  test.each([
    ['--include', 'skills/*', ['plan', 'research']],
    ['--include', 'plan', ['plan']],
    ['--include', '.claude/skills/*', ['plan', 'research']],
    ['--exclude', 'skills/*', ['notes']],
    ['--exclude', '.claude/**', ['notes', 'plan', 'research']],
  ])('%s %s -> the skills by both names of their folders', async (option, glob, expected) => {
    const { address } = makeLinked(THREE, { ...LISTED, '.claude/skills': '../skills' })
    const { slugs } = await follow(address, option, glob)
    expect(slugs().sort()).toEqual(expected)
  })

  test('as the followed folder -> the links’ targets are the sources', async () => {
    const { address, head } = makeLinked(THREE, {
      ...LISTED,
      'skills/near': '../far',
      far: 'notes',
    })
    const { records } = await follow(`${address}/tree/main/skills`)
    const urls = records().map(({ source }) => source.url)
    expect(urls.sort()).toEqual(
      ['notes', 'plan', 'research'].map((name) => `${WEB}/tree/${head}/${name}`),
    )
  })

  test('as the followed folder, with a link to the root -> the root is its source', async () => {
    const { address, head } = makeLinked(
      { ...RESEARCH, 'SKILL.md': sampleSkillMd('whole') },
      { 'skills/whole': '..', 'skills/other.md': '../SKILL.md' },
    )
    const { records } = await follow(`${address}/tree/main/skills`)
    expect(records().map(({ source }) => source.url)).toEqual([`${WEB}/tree/${head}`])
  })
})

describe('a skill with links to files outside of it', () => {
  const FILES: SampleFiles = {
    ...RESEARCH,
    'docs/map.md': 'Map',
    'shared/parse.py': 'print(1)',
    'other.md': 'x',
  }
  const LINKS = {
    'research/docs': '../docs',
    'research/scripts/parse.py': '../../near/parse.py',
    near: 'shared',
  }

  test('-> the day on which one of its files changed last, linked or not', async () => {
    const repository = makeLinked(FILES, LINKS)
    const { call, records } = await follow(repository.address)
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
      expect(records().map((record) => record.updated)).toEqual([updated])
    }
  })

  test('behind a link in the followed folder -> copied and dated as well', async () => {
    const repository = makeLinked(FILES, { ...LINKS, 'skills/research': '../research' })
    const { call, tree, records } = await follow(`${repository.address}/tree/main/skills`)
    repository.commit({ 'shared/parse.py': 'print(2)' }, '2026-02-02')
    await call('update')
    expect(records().map(({ updated }) => updated)).toEqual(['2026-02-02'])
    expect(tree()['skills/research/scripts/parse.py']).toBe('print(2)')
  })
})
