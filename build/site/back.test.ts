import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { skillMd } from '../../src/catalog/testing/content.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
import { lockFile } from '../machine/lock.ts'
import { goBack } from './back.ts'
import { TestSite } from './testing/test-site.ts'

afterEach(removeFolders)

/** Builds editions one after the other; returns functions that build another, go back, and read which is served. */
const buildEditions = async (...editions: string[]) => {
  const site = new TestSite()
  const build = async (edition: string, isClean = false) => {
    site.write({ 'skills/near/SKILL.md': skillMd('near', `Edition ${edition}.\n`) })
    // A file that changed less than 10 ms before a build is read again by the next build.
    await pause(30)
    await site.build({ isClean })
  }
  for (const edition of editions) await build(edition)
  const output = join(site.root, 'dist')
  const readEdition = () => /Edition (\w+)/.exec(site.read('public/skills/near.md'))?.[1]
  return { site, output, build, back: () => goBack(output), readEdition }
}

test('after two builds -> the first build is served until the next build', async () => {
  const { back, build, readEdition } = await buildEditions('one', 'two')
  back()
  expect(readEdition()).toBe('one')
  expect(back).toThrow(/this is already the previous build; correct/)
  expect(readEdition()).toBe('one')

  await build('two')
  expect(readEdition()).toBe('two')
  back()
  await build('three')
  expect(readEdition()).toBe('three')
  back()
  expect(readEdition()).toBe('one')
})

test('after a clean build, or one without changes -> the build before the last change is served', async () => {
  const { back, build, readEdition } = await buildEditions('one')
  await build('two', true)
  await build('two')
  back()
  expect(readEdition()).toBe('one')
})

test('without a build, or after a single build -> refused, and nothing changes', async () => {
  const { back, site, build, readEdition } = await buildEditions()
  expect(back).toThrow(/there is no build; set OUT_DIR/)
  expect(readdirSync(site.root)).toEqual(['content'])
  await build('one')
  expect(back).toThrow(/there was no build before it; correct the content/)
  expect(readEdition()).toBe('one')
})

test('while a build runs, or after one that was killed with the older folder half written -> refused', async () => {
  const { back, output, site, readEdition } = await buildEditions('one', 'two')
  const lock = lockFile(join(output, 'state/build.lock'))
  expect(back).toThrow(/another build is writing/)
  lock!.release()
  const folders = join(output, 'generations')
  renameSync(join(folders, site.findSpare()), join(folders, 'half'))
  expect(back).toThrow(/an interrupted build has used the folder/)
  expect(readEdition()).toBe('two')
})
