import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderProblem } from '../../../../src/catalog/problems.ts'
import {
  addFiles,
  addLinks,
  importNew,
  makeSampleFolder,
  readSampleTree,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { readCopied } from '../../store/write.ts'
import { makeRepository, runGitFor } from '../testing/sample-repository.ts'

const SECRET = 'token = s3cret'

const TRACKED: SampleFiles = {
  'skills/a/SKILL.md': sampleSkillMd('a'),
  'skills/a/references/own.md': 'own',
  'docs/guide.md': 'guide',
  'docs/more/deep.md': 'deep',
}

/** Files added to the folder after it was cloned. */
const UNTRACKED: SampleFiles = {
  '.env': SECRET,
  '.git/config': `[core]\n\tbare = false\n[http]\n\textraheader = ${SECRET}\n`,
  '.git/logs/HEAD': SECRET,
  'docs/draft.md': SECRET,
  'private/notes.md': SECRET,
  'skills/a/.env': SECRET,
}

/** Creates a repository with links, given by path. */
const makeLinked = (
  links: Readonly<Record<string, string>>,
  isRepository = true,
  tracked = TRACKED,
): string => {
  const folder = isRepository
    ? makeRepository(tracked, { links }).folder
    : makeSampleFolder(tracked)
  if (!isRepository) addLinks(folder, links)
  const isLeft = ([path]: [string, unknown]): boolean => isRepository || !path.startsWith('.git/')
  addFiles(folder, Object.fromEntries(Object.entries(UNTRACKED).filter(isLeft)))
  return folder
}

const isNews = ([path]: [string, string]): boolean =>
  path.startsWith('skills/') && !/skill\.json$|SKILL\.md$|own\.md$/.test(path)

/** Imports a folder and returns the report and the files copied through links. */
const importFolder = async (folder: string) => {
  const { content, warnings, skipped, failed } = await importNew(folder)
  expect(failed).toEqual([])
  const messages = [
    // Reports also list files that are always left out.
    ...warnings.filter(({ rule }) => rule !== 'environment-file').map(renderProblem),
    ...skipped.map(renderProblem),
  ]
  const tree = readSampleTree(content)
  expect(JSON.stringify(tree)).not.toContain(SECRET)
  return { messages, news: Object.fromEntries(Object.entries(tree).filter(isNews)) }
}

const LINK = 'skills/a/references/config.md'

test.each<[string, Readonly<Record<string, string>>]>([
  ['git settings', { [LINK]: '../../../.git/config' }],
  ['.env', { [LINK]: '../../../.env' }],
  ['an untracked file beside tracked files', { [LINK]: '../../../docs/draft.md' }],
  ['behind a tracked link', { [LINK]: '../../../docs/x.md', 'docs/x.md': '../.git/config' }],
  ['a tracked path behind another link', { [LINK]: '../../../more/config', more: '.git' }],
  ['a folder without tracked files', { [LINK]: '../../../private' }],
  ['a hidden file of the skill', { [LINK]: '../.env' }],
  ['absolute', { [LINK]: '/proc/self/environ' }],
])(
  'a link to a file that git does not track, %s -> left out, and reported by name',
  async (_, links) => {
    const { messages, news } = await importFolder(makeLinked(links))
    expect(news).toEqual({})
    const words = /^skills\/a\/references\/config\.md: left out: a symlink .* — /
    expect(messages).toEqual([expect.stringMatching(words)])
  },
)

test('a link to a folder with tracked files -> only the tracked files; an untracked SKILL.md -> no skill', async () => {
  const links = { 'skills/a/docs': '../../docs', 'b/SKILL.md': '../private/notes.md' }
  const { messages, news } = await importFolder(makeLinked(links))
  expect(news).toEqual({
    'skills/a/docs/guide.md': 'guide',
    'skills/a/docs/more/deep.md': 'deep',
  })
  expect(messages).toEqual([
    expect.stringMatching(/^skills\/a\/docs\/draft\.md: left out: .*not track/),
    expect.stringMatching(/^b\/SKILL\.md: .*symlink/),
  ])
})

test('a skill that is a whole repository -> its own files, without .git', async () => {
  const links = { 'references/c.md': '../.git/config', 'references/d.md': '../docs/guide.md' }
  const files = { 'SKILL.md': sampleSkillMd('a'), 'docs/guide.md': 'guide' }
  const { messages, news } = await importFolder(makeLinked(links, true, files))
  const paths = ['.keep', 'docs/guide.md', 'references/d.md'].map((path) => `skills/a/${path}`)
  expect(Object.keys(news)).toEqual(paths)
  const words = /references\/c\.md: left out: .*not track/
  expect(messages).toContainEqual(expect.stringMatching(words))
})

const LINKS = { [LINK]: '../../../docs/guide.md', 'skills/b': '../docs/b', 'docs/b/x.md': '../x' }
const FILES = { ...TRACKED, 'docs/x': 'x', 'docs/b/SKILL.md': sampleSkillMd('b') }
const NEWS = { 'skills/a/references/config.md': 'guide', 'skills/b/x.md': 'x' }

test('links to files that git tracks -> their texts are copied, also from a worktree, whose .git is a file', async () => {
  const folder = makeLinked(LINKS, true, FILES)
  const place = join(makeSampleFolder(), 'tree')
  runGitFor(folder, ['worktree', 'add', '--quiet', '--detach', place])
  for (const from of [folder, place])
    expect(await importFolder(from)).toEqual({ messages: [], news: NEWS })
})

test('links from a folder in a repository -> targets in that folder', async () => {
  const links = { [LINK]: '../../b/x.md', 'skills/a/references/out.md': '../../../docs/guide.md' }
  const files = { ...TRACKED, 'skills/b/x.md': 'x' }
  const folder = makeLinked(links, true, files)
  const { messages, news } = await importFolder(join(folder, 'skills'))
  expect(news).toEqual({ [LINK]: 'x' })
  expect(messages).toEqual([expect.stringMatching(/^a\/references\/out\.md: left out: /)])
})

test('links in a folder that is not a repository -> left out', async () => {
  const files = { ...TRACKED, 'skills/b/SKILL.md': sampleSkillMd('b') }
  const targets = ['../../../docs/guide.md', '../../../.env', '../../b/SKILL.md']
  const links = targets.map((target, at) => [`skills/a/references/${at}.md`, target] as const)
  const folder = makeLinked(Object.fromEntries(links), false, files)
  const { messages, news } = await importFolder(folder)
  expect(news).toEqual({})
  expect(messages.toSorted()).toEqual(
    links.map(([path]) => expect.stringContaining(`${path}: left out: a symlink out of the`)),
  )
})

test('repository settings that name programs -> no program is run', async () => {
  const folder = makeLinked({ [LINK]: '../../../docs/guide.md' })
  const marker = join(makeSampleFolder(), 'ran')
  const program = join(folder, 'run.sh')
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
  writeFileSync(
    join(folder, '.git/config'),
    `[core]\n\tbare = false\n\tfsmonitor = ${program}\n\thooksPath = ${folder}\n\tpager = ${program}
[alias]\n\tls-files = !${program}\n[pager]\n\tls-files = ${program}\n[core]\n\tworktree = /\n`,
  )
  writeFileSync(join(folder, 'post-index-change'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
  expect((await importFolder(folder)).news).toEqual({ [LINK]: 'guide' })
  expect(existsSync(marker)).toBe(false)
})

test('an index with a missing tree, for which git would run a program named in the repository -> not run', async () => {
  const links = { [LINK]: '../../../docs/guide.md' }
  const folder = makeLinked(links, true, { ...TRACKED, 'far/away/x.md': 'x' })
  const git = (...args: string[]): string => runGitFor(folder, args)
  git('checkout', '--quiet', '.')
  git('sparse-checkout', 'init', '--cone', '--sparse-index')
  git('sparse-checkout', 'set', 'skills', 'docs')
  const tree = git('rev-parse', 'HEAD:far')
  rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
  const marker = join(makeSampleFolder(), 'ran')
  git('config', 'core.repositoryFormatVersion', '1')
  git('config', 'extensions.partialClone', 'origin')
  git('config', 'remote.origin.url', folder)
  git('config', 'remote.origin.uploadpack', `touch ${marker};`)
  expect((await importFolder(folder)).news).toEqual({ [LINK]: 'guide' })
  expect(existsSync(marker)).toBe(false)
})

test('a file that became a link after it was checked -> not read', () => {
  const folder = makeSampleFolder({ secret: SECRET })
  symlinkSync('secret', join(folder, 'x'))
  expect(() => readCopied(join(folder, 'x'))).toThrow(/ELOOP|EMLINK/)
})
