import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { SITE } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeOnce,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { runGitFor } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'
import { followInGit } from './testing/followed.ts'
import { digestVersion, loadVersion } from './version.ts'

const skill = (slug: string, words: string, path = slug) => ({
  [`skills/${path}/SKILL.md`]: sampleSkillMd(slug, 'Sorts words.', `${words}\n`),
  [`skills/${path}/notes.md`]: `${words}\n`,
})

const ACCEPTED = { rule: 'pipe-to-shell', file: 'SKILL.md', digest: 'a'.repeat(64) }

/** What a curator wrote into the record of a skill. */
const WRITTEN = {
  category: 'Design',
  deprecated: { since: '2026-01-01', reason: 'Old.' },
  parts: { examples: ['Sort my words'] },
  accepted: [{ ...ACCEPTED, by: 'bo', when: '2026-01-01', why: 'Ours.' }],
}

/** A catalog in git that follows two skills, after some steps. */
const followTwo = (steps = '', isKept = false) =>
  makeOnce(JSON.stringify(['two', steps, isKept]), async () => {
    const world = await open()
    if (isKept) {
      const versions = { since: world.registry.git('rev-parse', 'HEAD') }
      addFiles(world.content, { 'site.json': { ...SITE, versions } })
    }
    for (const step of steps.split(', ').filter(Boolean)) await STEPS[step]!(world)
    return world
  })

const open = async () => {
  const world = await followInGit({ ...skill('calm', 'one'), ...skill('bold', 'one') })
  const { source, registry, content, call, recordOf } = world
  /** Takes a new version of a skill in, without a commit. */
  const take = async (slug: string, words: string): Promise<void> => {
    source.commit(skill(slug, words), '2026-02-02')
    await call('update')
    registry.git('add', '--all')
  }
  const write = (slug: string): void => {
    addFiles(content, { [`skills/${slug}/skill.json`]: { ...recordOf(slug), ...WRITTEN } })
  }
  /** The words of a skill's version. */
  const words = (slug: string): string => world.read(`skills/${slug}/notes.md`).trim()
  return { ...world, take, write, words }
}

type World = Awaited<ReturnType<typeof open>>

const STEPS: Readonly<Record<string, (world: World) => unknown>> = {
  two: ({ take }) => take('calm', 'two'),
  three: ({ take }) => take('calm', 'three'),
  save: ({ save }) => save(),
  branch: ({ registry }) => registry.git('checkout', '-q', '-b', 'update'),
  merge: ({ registry: { git } }) => {
    git('checkout', '-q', 'main')
    git('merge', '-q', '--no-ff', '--no-edit', 'update')
  },
  move: ({ call }) => call('move', 'calm', 'quiet'),
  reject: ({ call }) => call('reject', 'calm'),
  unlicense: async ({ source, call }) => {
    source.commit({}, '2026-02-02', ['LICENSE'])
    await call('update')
  },
}

test.each([
  ['two', 'one'],
  ['branch, two, save, merge', 'one'],
  ['two, save, three, save, reject, save', 'one'],
  ['unlicense', 'one'],
  ['two, save, move, save', 'one', 'quiet'],
  ['move, save, two', 'one', 'quiet'],
])('%s, reject -> version %s, and what the curator wrote', async (steps, was, slug = 'calm') => {
  const before = await followTwo()
  const { id, source, added, updated } = before.recordOf('calm')
  removeFolders()
  const world = await followTwo(steps)
  const { call, words, write, save, content, registry, recordOf } = world
  write(slug)
  const { code, stdout } = await call('reject', 'calm')
  const line = `^${slug}: as in [0-9a-f]{7,} again; this version is not offered again\n$`
  expect([code, stdout]).toEqual([0, expect.stringMatching(line)])
  expect(words(slug)).toBe(was)
  const dated = was === 'one' ? { source, added, updated } : {}
  expect(recordOf(slug)).toMatchObject({ id, ...WRITTEN, ...dated })
  expect(registry.git('diff', '--name-only')).toBe('')
  save()
  // The source is read again.
  world.source.commit({}, '2026-02-09')
  const { 'sources.lock': _old, ...kept } = readSampleTree(content)
  await call('update')
  const { 'sources.lock': _lock, ...after } = readSampleTree(content)
  expect(after).toEqual(kept)
})

test('a rejected version -> as git has it, byte for byte; not offered from another folder; undone -> offered again', async () => {
  const { call, take: takeIn, words, save, source, registry } = await followTwo()
  await call('set', 'calm', 'category=Design')
  save()
  await takeIn('calm', 'two')
  await call('reject', 'calm')
  expect(registry.git('diff', '--cached', '--name-only')).toBe('content/sources.lock')
  source.commit(skill('calm', 'two', 'calmer'), '2026-02-03', ['skills/calm'])
  await call('update')
  source.commit(skill('calm', 'two'), '2026-02-04', ['skills/calmer'])
  await call('update')
  expect(words('calm')).toBe('one')
  expect(await call('reject', '--undo', 'calm')).toMatchObject({
    stdout: 'calm: rejection undone; the next update offers it again\n',
  })
  await call('update')
  expect(words('calm')).toBe('two')
  const again = await call('reject', '--undo', 'calm')
  expect(again).toMatchObject({ code: 1, stderr: 'No version of calm was rejected.\n' })
  const unknown = await call('reject', 'clam')
  expect(unknown).toMatchObject({ code: 1, stderr: 'No skill "clam"; did you mean "calm"?\n' })
})

test('a version that version 1.0.0 rejected -> not offered; undone by a later slug -> offered', async () => {
  const { call, take: takeIn, words, save, content, registry } = await followTwo()
  await takeIn('calm', 'two')
  const { opened } = loadVersion(content, 'calm', readSkillBits(content))
  const rejected = digestVersion(opened, opened.record!).slice(0, 16)
  registry.git('reset', '-q', '--hard')
  addFiles(content, { 'sources.lock': { address: 'unknown', rejected, slug: 'calm' } })
  await call('update')
  expect(words('calm')).toBe('one')
  await call('move', 'calm', 'quiet')
  save()
  expect(await call('reject', '--undo', 'quiet')).toMatchObject({ code: 0 })
  await call('update')
  expect(words('quiet')).toBe('two')
})

test.each([
  [false, 'removed', []],
  [true, 'retired, since it had no other version; its slug and id are never reused', ['next']],
])('a new skill, committed: %s -> %s, and not offered again', async (isSaved, done, retired) => {
  const { call, take: takeIn, save, content, registry } = await followTwo()
  await takeIn('next', 'one')
  if (isSaved) save()
  const stdout = `next: ${done}; this version is not offered again\n`
  expect(await call('reject', 'next')).toMatchObject({ code: 0, stdout })
  expect(registry.git('diff', '--name-only')).toBe('')
  await call('update')
  const found = loadCatalog(content)
  expect(found.skills.map(({ slug }) => slug)).toEqual(['bold', 'calm'])
  expect(found.retired.map(({ slug }) => slug)).toEqual(retired)
  await takeIn('later', 'two')
  expect(loadCatalog(content).skills.at(-1)).toMatchObject({ slug: 'later', id: 4 })
})

const SERVED =
  /\n(calm@[0-9a-f]{32}) stays served; to withdraw it, commit this and run "npm run catalog -- withdraw \1 --why …"\n$/

test('a served version -> the command that withdraws it; then not brought back', async () => {
  const { call, save, take, content } = await followTwo('save, two, save', true)
  const [, version = ''] = SERVED.exec((await call('reject', 'calm')).stdout)!
  save()
  expect((await call('withdraw', version, '--why', 'Bad.')).code).toBe(0)
  await call('reject', '--undo', 'calm')
  save()
  await call('update')
  save()
  await take('calm', 'three')
  save()
  const before = readSampleTree(content)
  const { code, stderr } = await call('reject', 'calm')
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^The version before it, of \w+, is not allowed now: .* withdraws it\. Retire calm, or/,
  )
  expect(readSampleTree(content)).toEqual(before)
})

const SHALLOW =
  /^This clone is shallow, so its earlier versions are not here; run git fetch --unshallow, then this again\.\n$/

/** Clones a catalog with two versions. */
const clone = async (...options: readonly string[]) => {
  const world = await followTwo('two, save')
  world.registry.git('config', 'uploadpack.allowFilter', 'true')
  const place = join(makeSampleFolder(), 'clone')
  runGitFor('/', ['clone', '--quiet', ...options, world.registry.address, place])
  const reject = () => runCommand('reject', 'calm', '--content', join(place, 'content'))
  return { place, reject }
}

test('in a partial clone -> names the command that fetches the rest, and works after it; in a shallow one -> refused', async () => {
  const { place, reject } = await clone('--filter=blob:none')
  const { stderr } = await reject()
  expect(stderr).toMatch(/; if this clone is partial, run git fetch --refetch --no-filter, then/)
  runGitFor(place, ['fetch', '--quiet', '--refetch', '--no-filter'])
  expect(await reject()).toMatchObject({ code: 0 })
  removeFolders()
  const shallow = await (await clone('--depth=1')).reject()
  expect(shallow).toMatchObject({ code: 1, stderr: expect.stringMatching(SHALLOW) })
})

test.each<[string, (world: World) => unknown, RegExp]>([
  [
    'changes that are not staged',
    ({ content }) => addFiles(content, { 'skills/calm/notes.md': 'mine' }),
    /^content\/skills\/calm\/notes\.md has changes that are not staged; undo them/,
  ],
  [
    'no repository',
    ({ registry }) => rmSync(join(registry.folder, '.git'), { recursive: true }),
    /^There is no earlier version to go back to: the content folder is in no git repo/,
  ],
  [
    'a folder that git ignores',
    ({ registry: { git, folder } }) => {
      git('rm', '-r', '--quiet', '--cached', 'content')
      git('commit', '--quiet', '--message', 'Keep it elsewhere')
      git('config', 'status.showUntrackedFiles', 'no')
      addFiles(folder, { '.gitignore': 'content/\n' })
    },
    /to go back to: git ignores the content folder/,
  ],
  [
    'the same command twice',
    ({ call }) => call('reject', 'calm'),
    /^A version of calm is rejected already; commit that before/,
  ],
  [
    'an own skill without another version',
    ({ content, registry, recordOf }) => {
      const record = { ...recordOf('bold'), source: { kind: 'own' } }
      rmSync(join(content, 'skills/calm'), { recursive: true })
      addFiles(content, { 'skills/calm/skill.json': record, 'skills/calm/SKILL.md': 'x' })
      rmSync(join(registry.folder, '.git'), { recursive: true })
      registry.git('init', '--quiet')
      registry.commit({}, '2026-03-02')
    },
    /^calm is the registry's own, and git has no other version of it; /,
  ],
  [
    'a version that the rules do not allow any more',
    ({ content }) => addFiles(content, { 'site.json': { ...SITE, policy: { tokens: 1 } } }),
    /is not allowed now: skills\/calm\/SKILL\.md: policy\.tokens: /,
  ],
])('%s -> refused, and nothing is written', async (_, spoil, message) => {
  const world = await followTwo('two, save')
  const { call, content } = world
  await spoil(world)
  const before = readSampleTree(content)
  const { code, stderr } = await call('reject', 'calm')
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  expect(readSampleTree(content)).toEqual(before)
})
