import { existsSync, lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeContent,
  makeSampleFolder,
  readSampleTree,
} from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { withLock, writeSkillFolder } from './write.ts'

const LOCK = '.catalog.lock'

const one = async (): Promise<number> => 1

const create = (content: string): Promise<number> => withLock(content, one, { create: true })

describe('a content folder', () => {
  test('that is missing -> created with the usual permissions, and loads', async () => {
    const content = makeContent()
    await create(content)
    expect(loadCatalog(content).skills).toEqual([])
    expect(readdirSync(dirname(content))).toEqual(['content'])
    expect(statSync(content).mode & 0o777).toBe(0o777 & ~process.umask())
  })

  test('left half created by a killed run -> created, without remains', async () => {
    const content = makeContent()
    addFiles(dirname(content), { '.tmp-catalog/skills/x': '', '.tmp-mine/x': '' })
    await create(content)
    expect(readdirSync(dirname(content))).toEqual(['.tmp-mine', 'content'])
  })

  test.each<[string, SampleFiles, SampleFiles]>([
    [
      'temporary files of a killed run -> removed',
      {
        '.tmp-catalog-file': '{',
        'skills/.tmp-catalog-file': '{',
        'skills/.tmp-catalog/SKILL.md': 'half',
        '.tmp-mine': '',
      },
      { '.tmp-mine': '' },
    ],
    [
      'a skill that a killed run was about to replace -> back in its place',
      {
        'skills/.tmp-catalog-replaced/calm/SKILL.md': 'one',
        'skills/.tmp-catalog-replaced/bold/SKILL.md': 'one',
        'skills/bold/SKILL.md': 'two',
      },
      { 'skills/calm/SKILL.md': 'one', 'skills/bold/SKILL.md': 'two' },
    ],
  ])('with a site.json, which stays, and %s', async (_, files, left) => {
    const content = makeSampleFolder({ 'site.json': 'mine', ...files })
    await create(content)
    expect(readSampleTree(content)).toEqual({ 'site.json': 'mine', ...left })
  })
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

describe('a version of a skill', () => {
  test('replaces the one before; other files in its folder stay', () => {
    const content = makeSampleFolder({ 'skills/calm/a.md': 'one', 'skills/calm/.env': 'mine' })
    write(content, makeSampleFolder({ 'SKILL.md': 'two', 'b.md': 'two' }))
    expect(readSampleTree(join(content, 'skills'))).toEqual({
      'calm/.env': 'mine',
      'calm/SKILL.md': 'two',
      'calm/b.md': 'two',
      'calm/skill.json': expect.stringContaining('"id": 1'),
    })
  })

  test('that cannot be written to its end -> the one before is whole', async () => {
    const before = { 'skills/calm/SKILL.md': 'one', 'skills/calm/a.md': 'one' }
    const content = makeSampleFolder(before)
    expect(() => write(content, makeSampleFolder({ 'SKILL.md': 'two' }))).toThrow(/ENOENT/)
    await withLock(content, one)
    expect(readSampleTree(content)).toEqual(before)
  })
})

const PROGRAM = fileURLToPath(new URL('../testing/take-lock.ts', import.meta.url))

const start = (...args: string[]) =>
  spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

describe('a lock', () => {
  test('held by a running process -> refused; after it is killed -> acquired', async () => {
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

  test('held by this process -> refused', async () => {
    const content = makeSampleFolder()
    await expect(withLock(content, () => withLock(content, one))).rejects.toThrow(/Another catalog/)
    expect(await withLock(content, one)).toBe(1)
  })

  test('contended by two processes -> held by one at a time', async () => {
    const content = makeSampleFolder()
    const runs = Array.from({ length: 2 }, () => start(content, '100'))
    const lines = await Promise.all(
      runs.map(async ({ stdout }) => {
        const [line] = (await on(createInterface({ input: stdout }), 'line').next()).value as [
          string,
        ]
        return JSON.parse(line) as { taken: number; clashes: number }
      }),
    )
    for (const { taken, clashes } of lines) {
      expect(taken).toBe(100)
      expect(clashes).toBe(0)
    }
    expect(readdirSync(content)).toEqual([])
  })

  test.each<[string, (path: string) => void, string]>([
    ['a symlink', (path) => symlinkSync(`${path}-outside`, path), 'a symlink, not a regular file'],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), 'a pipe or device, not a regular file'],
    ['damaged', (path) => writeFileSync(path, 'a text that is no database'.repeat(2)), 'damaged'],
  ])(
    'that is %s -> refused with a remedy, and neither removed nor followed',
    async (_, make, is) => {
      const path = join(makeSampleFolder(), LOCK)
      make(path)
      await expect(withLock(dirname(path), one)).rejects.toThrow(`${path} is ${is}; remove it`)
      expect(lstatSync(path)).toBeDefined()
      expect(existsSync(`${path}-outside`)).toBe(false)
    },
  )

  test('in a missing folder -> an error with its path', async () => {
    await expect(withLock('/no/such', one)).rejects.toMatchObject({
      code: 'ENOENT',
      path: `/no/such/${LOCK}`,
    })
  })

  test('is released when the action fails', async () => {
    const content = makeSampleFolder()
    await expect(withLock(content, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(readSampleTree(content)).toEqual({})
  })
})
