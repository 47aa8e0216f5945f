import { readFileSync, readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SMALL_CONTENT, makeTestFolder, skillMd } from '../../src/catalog/testing/content.ts'
import { goBack } from './back.ts'
import { buildSite } from './build.ts'
import { lockFile } from '../machine/lock.ts'
import { createProgress } from '../machine/progress.ts'

const quiet = createProgress({ write: () => true })

/** Creates a registry; returns functions that build an edition, and read which edition is served. */
const makeRegistry = () => {
  const root = makeTestFolder()
  const content = makeTestFolder(SMALL_CONTENT)
  const output = join(root, 'dist')
  const build = async (edition: string, isClean = false) => {
    writeFileSync(join(content, 'skills/near/SKILL.md'), skillMd('near', `Edition ${edition}.\n`))
    // A file that changed less than 10 ms before a build is read again by the next build.
    await pause(30)
    return buildSite({ contentFolder: content, outputFolder: output, isClean }, quiet)
  }
  const readEdition = () =>
    /Edition (\w+)/.exec(readFileSync(join(output, 'public/skills/near.md'), 'utf8'))?.[1]
  return { output, build, readEdition }
}

test('after two builds -> the first build is served until the next build', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two')
  goBack(output)
  expect(readEdition()).toBe('one')
  expect(() => goBack(output)).toThrow(/this is already the previous build; correct/)
  expect(readEdition()).toBe('one')

  await build('two')
  expect(readEdition()).toBe('two')
  goBack(output)
  await build('three')
  expect(readEdition()).toBe('three')
  goBack(output)
  expect(readEdition()).toBe('one')
})

test('after a clean build -> the previous build is served', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two', true)
  goBack(output)
  expect(readEdition()).toBe('one')
})

test('after a build without changes -> the build before the last change is served', async () => {
  const { output, build, readEdition } = makeRegistry()
  for (const edition of ['one', 'two', 'two']) await build(edition)
  goBack(output)
  expect(readEdition()).toBe('one')
})

test('without a build -> refused, and nothing is created', () => {
  const { output } = makeRegistry()
  expect(() => goBack(output)).toThrow(/there is no build; set OUT_DIR/)
  expect(readdirSync(join(output, '..'))).toEqual([])
})

test('after a single build -> refused, and that build is served', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  expect(() => goBack(output)).toThrow(/there was no build before it; correct the content/)
  expect(readEdition()).toBe('one')
})

test('after a killed build that had started to use the older folder -> refused', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two')
  const folders = join(output, 'generations')
  const served = readlinkSync(join(output, 'current')).split('/')[1]
  const older = readdirSync(folders).find((name) => name !== served)
  renameSync(join(folders, older!), join(folders, 'half'))
  expect(() => goBack(output)).toThrow(/an interrupted build has used the folder/)
  expect(readEdition()).toBe('two')
})

test('while a build runs -> refused', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two')
  const lock = lockFile(join(output, 'state/build.lock'))
  expect(() => goBack(output)).toThrow(/another build is writing/)
  expect(readEdition()).toBe('two')
  lock!.release()
})
