import { existsSync, lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeContent,
  makeSampleFolder,
  readSampleTree,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { makeCatalog, ownSkill } from '../testing/catalog.ts'
import { runCommand } from '../testing/run-command.ts'
import { withLock, writeSkillFolder } from './write.ts'

const LOCK = '.catalog.lock'

const one = async (): Promise<number> => 1

const create = (content: string): Promise<number> => withLock(content, one, { create: true })

test('a content folder that is missing, or left half created by a killed run -> created, without remains', async () => {
  const content = makeContent()
  addFiles(dirname(content), { '.tmp-catalog/skills/x': '', '.tmp-mine/x': '' })
  await create(content)
  expect(loadCatalog(content).skills).toEqual([])
  expect(readdirSync(dirname(content))).toEqual(['.tmp-mine', 'content'])
  expect(statSync(content).mode & 0o777).toBe(0o777 & ~process.umask())
})

test('a content folder with files of a killed run -> removed, and a skill that it was about to replace is back', async () => {
  const kept = { 'site.json': 'mine', '.tmp-mine': '', 'skills/bold/SKILL.md': 'two' }
  const content = makeSampleFolder({
    ...kept,
    '.tmp-catalog-file': '{',
    'skills/.tmp-catalog-file': '{',
    'skills/.tmp-catalog/SKILL.md': 'half',
    'skills/.tmp-catalog-replaced/calm/SKILL.md': 'one',
    'skills/.tmp-catalog-replaced/bold/SKILL.md': 'one',
  })
  await create(content)
  expect(readSampleTree(content)).toEqual({ ...kept, 'skills/calm/SKILL.md': 'one' })
})

/** Imports a skill with a folder of its own. */
const importAs = (slug: string, content: string) => {
  const files = { [`${slug}/SKILL.md`]: sampleSkillMd(slug), [`${slug}/x/a.md`]: 'new' }
  const args = ['--own', '--author', OWN_RECORD.author, '--into', content]
  return runCommand('import', makeSampleFolder(files), ...args)
}

test('import into a skill with a linked folder -> replaced; into a linked skill -> refused; nothing is written outside', async () => {
  const { content, read } = makeCatalog(ownSkill('a'))
  const files = { 'a.md': 'precious', 'skill.json': JSON.stringify({ ...OWN_RECORD, id: 2 }) }
  const outside = makeSampleFolder(files)
  symlinkSync(outside, join(content, 'skills/a/x'))
  expect(await importAs('a', content)).toMatchObject({ code: 0 })
  expect(read('skills/a/x/a.md')).toBe('new')
  symlinkSync(outside, join(content, 'skills/b'))
  const text = expect.stringMatching(/skills\/b.*is a symlink/)
  expect(await importAs('b', content)).toMatchObject({ code: 1, text })
  expect(readSampleTree(outside)).toEqual(files)
})

/** Writes a version of a skill from another folder. */
const write = (content: string, from: string) =>
  writeSkillFolder(
    content,
    'calm',
    ['SKILL.md', 'b.md'].map((path) => ({ path, from: join(from, path), size: 3 })),
    { written: ['SKILL.md', 'b.md'], removed: ['a.md'] },
    { ...OWN_RECORD, source: { kind: 'own' } },
    { keep: () => [] },
  )

test('a version of a skill replaces the one before; if it cannot be written to its end, that one is whole', async () => {
  const content = makeSampleFolder({ 'skills/calm/a.md': 'one', 'skills/calm/.env': 'mine' })
  const before = readSampleTree(content)
  expect(() => write(content, makeSampleFolder({ 'SKILL.md': 'two' }))).toThrow(/ENOENT/)
  await withLock(content, one)
  expect(readSampleTree(content)).toEqual(before)
  write(content, makeSampleFolder({ 'SKILL.md': 'two', 'b.md': 'two' }))
  expect(readSampleTree(join(content, 'skills'))).toEqual({
    'calm/.env': 'mine',
    'calm/SKILL.md': 'two',
    'calm/b.md': 'two',
    'calm/skill.json': expect.stringContaining('"id": 1'),
  })
})

const PROGRAM = fileURLToPath(new URL('../testing/take-lock.ts', import.meta.url))

const start = (...args: string[]) =>
  spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

test('a lock held by a running process -> refused; after it is killed -> acquired', async () => {
  const content = makeSampleFolder()
  const holder = start(content, 'hold')
  await once(holder.stdout, 'data')
  await expect(withLock(content, one)).rejects.toThrow(
    `Another catalog command is writing to ${content}; run this one again`,
  )
  expect(existsSync(join(content, LOCK))).toBe(true)
  holder.kill('SIGKILL')
  await once(holder, 'close')
  expect(await withLock(content, one)).toBe(1)
  expect(readSampleTree(content)).toEqual({})
})

test('a lock held by this process -> refused; released when the action fails', async () => {
  const content = makeSampleFolder()
  await expect(withLock(content, () => withLock(content, one))).rejects.toThrow(/Another catalog/)
  expect(await withLock(content, one)).toBe(1)
})

test('a lock contended by two processes -> held by one at a time', async () => {
  const content = makeSampleFolder()
  const runs = [1, 2].map(() => readAll(start(content, '100').stdout))
  const line = '{"taken":100,"clashes":0}\n'
  expect(await Promise.all(runs)).toEqual([line, line])
  expect(readdirSync(content)).toEqual([])
})

test.each<[string, (path: string) => void, string]>([
  ['a symlink', (path) => symlinkSync(`${path}-outside`, path), 'a symlink, not a regular file'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'a pipe or device, not a regular file'],
  ['damaged', (path) => writeFileSync(path, 'a text that is no database'.repeat(2)), 'damaged'],
])(
  'a lock that is %s -> refused with a remedy, and neither removed nor followed',
  async (_, make, is) => {
    const path = join(makeSampleFolder(), LOCK)
    make(path)
    await expect(withLock(dirname(path), one)).rejects.toThrow(`${path} is ${is}; remove it`)
    expect(lstatSync(path)).toBeDefined()
    expect(existsSync(`${path}-outside`)).toBe(false)
  },
)

test('a lock in a missing folder -> an error with its path', async () => {
  await expect(withLock('/no/such', one)).rejects.toMatchObject({
    code: 'ENOENT',
    path: `/no/such/${LOCK}`,
  })
})
