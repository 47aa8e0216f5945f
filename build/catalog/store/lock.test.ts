import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { prepareFolder, withLock } from './lock.ts'
import { markProcess } from '../../site/processes.ts'
import {
  addFiles,
  makeContent,
  makeFolder,
  readTree,
  removeFolders,
} from '../../../testing/sample-folders.ts'
import { clearUnfinished } from './skill-folder.ts'

afterEach(removeFolders)

const LOCK = '.catalog.lock'

/** Id of a process that has ended. */
const deadPid = (): number => spawnSync('true').pid

describe('a content folder', () => {
  test('that is not there -> made, and loads', () => {
    const content = makeContent()
    prepareFolder(content)
    expect(loadCatalog(content).skills).toEqual([])
    expect(readdirSync(dirname(content))).toEqual(['content'])
  })

  test('that a killed run left half made -> made, what was left is cleared', () => {
    const content = makeContent()
    const left = `.tmp-content-${deadPid()}`
    addFiles(dirname(content), { [`${left}/skills/x`]: '', '.tmp-content-mine/x': '' })
    prepareFolder(content)
    expect(readdirSync(dirname(content))).toEqual(['.tmp-content-mine', 'content'])
  })

  test('that has a site.json -> left as it is', () => {
    const content = makeFolder({ 'site.json': 'mine' })
    prepareFolder(content)
    expect(readTree(content)).toEqual({ 'site.json': 'mine' })
  })
})

describe('a lock', () => {
  test('of a living process -> refused, with what to do', async () => {
    const content = makeFolder({ [LOCK]: `${process.ppid}\n` })
    await expect(withLock(content, async () => 1)).rejects.toThrow(`process ${process.ppid}`)
    expect(readFileSync(join(content, LOCK), 'utf8')).toBe(`${process.ppid}\n`)
  })

  test.each([
    ['a dead process', () => String(deadPid())],
    ['our own id, given again', () => String(process.pid)],
    ['nothing', () => ''],
    ['-1', () => '-1'],
  ])('of %s -> taken over, and freed', async (_, holder) => {
    const content = makeFolder({ [LOCK]: holder() })
    expect(await withLock(content, async () => readTree(content)[LOCK])).toBe(`${markProcess()}\n`)
    expect(readTree(content)).toEqual({})
  })

  test('taken over from a killed import -> the skill it moved aside is back', async () => {
    const content = makeFolder({ [LOCK]: String(deadPid()), 'skills/.tmp-old-a/SKILL.md': 'a' })
    expect(await withLock(content, async () => readTree(content)['skills/a/SKILL.md'])).toBe('a')
  })

  test('is freed when the work fails', async () => {
    const content = makeFolder()
    await expect(withLock(content, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(readTree(content)).toEqual({})
  })
})

test('what a kill left in skills/ -> new folders cleared, a folder moved aside moved back', () => {
  const content = makeFolder({
    'skills/.tmp-new-a/SKILL.md': 'half',
    'skills/.tmp-old-b/SKILL.md': 'b',
    'skills/.tmp-new-b/SKILL.md': 'half',
    'skills/.tmp-old-c/SKILL.md': 'old',
    'skills/c/SKILL.md': 'c',
    'skills/.other/x': 'x',
  })
  clearUnfinished(content)
  expect(readTree(content)).toEqual({
    'skills/.other/x': 'x',
    'skills/b/SKILL.md': 'b',
    'skills/c/SKILL.md': 'c',
  })
})
