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

/** A registry in a folder of its own: how to build an edition of it, and what it serves. */
const makeRegistry = () => {
  const root = makeTestFolder()
  const content = makeTestFolder(SMALL_CONTENT)
  const output = join(root, 'dist')
  const build = async (edition: string, isClean = false) => {
    writeFileSync(join(content, 'skills/near/SKILL.md'), skillMd('near', `Edition ${edition}.\n`))
    // A build reads a file again that changed 10 ms before the last one.
    await pause(30)
    return buildSite({ contentFolder: content, outputFolder: output, isClean }, quiet)
  }
  const readEdition = () =>
    /Edition (\w+)/.exec(readFileSync(join(output, 'public/skills/near.md'), 'utf8'))?.[1]
  return { output, build, readEdition }
}

test('after two builds -> the first is served; the next build publishes the content', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two')
  goBack(output)
  expect(readEdition()).toBe('one')
  expect(() => goBack(output)).toThrow(/it is already the build before the last one; correct/)
  expect(readEdition()).toBe('one')

  await build('two')
  expect(readEdition()).toBe('two')
  goBack(output)
  await build('three')
  expect(readEdition()).toBe('three')
  goBack(output)
  expect(readEdition()).toBe('one')
})

test('after a build that made everything anew -> the one before is served', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two', true)
  goBack(output)
  expect(readEdition()).toBe('one')
})

test('after a build without changes -> the one before the last change is served', async () => {
  const { output, build, readEdition } = makeRegistry()
  for (const edition of ['one', 'two', 'two']) await build(edition)
  goBack(output)
  expect(readEdition()).toBe('one')
})

test('without a build -> refused, and nothing is made', () => {
  const { output } = makeRegistry()
  expect(() => goBack(output)).toThrow(/there is no build; set OUT_DIR/)
  expect(readdirSync(join(output, '..'))).toEqual([])
})

test('after one build -> refused, and it is served', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  expect(() => goBack(output)).toThrow(/there was no other build before it; correct the content/)
  expect(readEdition()).toBe('one')
})

test('where a killed build has begun to use the older folder -> refused', async () => {
  const { output, build, readEdition } = makeRegistry()
  await build('one')
  await build('two')
  const folders = join(output, 'generations')
  const served = readlinkSync(join(output, 'current')).split('/')[1]
  const older = readdirSync(folders).find((name) => name !== served)
  renameSync(join(folders, older!), join(folders, 'half'))
  expect(() => goBack(output)).toThrow(/a build that did not end has used the folder/)
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
