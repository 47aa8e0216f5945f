import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_RECORD, SMALL_CONTENT, skillMd } from '../../src/catalog/testing/content.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
import { lockFile } from '../machine/lock.ts'
import { TestSite } from './testing/test-site.ts'

let site: TestSite
let edition = 0
beforeAll(async () => {
  site = new TestSite({
    ...SMALL_CONTENT,
    'skills/cat/skill.json': { ...OWN_RECORD, id: 10 },
    'skills/dog/skill.json': { ...OWN_RECORD, id: 11 },
    'skills/dog/SKILL.md': skillMd('dog'),
  })
  for (let built = 0; built < 3; built += 1) {
    await edit()
    await site.build()
  }
})
afterAll(removeFolders)

/** Gives a skill a new text, which no earlier site has. */
const edit = async (): Promise<void> => {
  edition += 1
  site.write({ 'skills/cat/SKILL.md': skillMd('cat', `Text ${edition}.`) })
  await pause(20)
}

const expectEqualToCleanBuild = async (): Promise<void> => {
  await site.build({ isClean: true }, 'clean')
  expect(site.tree()).toEqual(site.tree('clean'))
}

const at = (...names: string[]): string => join(site.root, 'dist', ...names)

const change = (sql: string): void => {
  using database = new DatabaseSync(at('state/state.db'))
  database.exec(sql)
}

const serveSpare = (): void => {
  const spare = site.findSpare()
  rmSync(at('current'))
  symlinkSync(`generations/${spare}`, at('current'))
}

/** Takes the lock of the build and is killed. */
const LOCK_AND_DIE = `
  import { DatabaseSync } from 'node:sqlite'
  new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE')
  process.kill(process.pid, 'SIGKILL')`

/** Writes a half-written site into the folder that is not served. */
const writeHalf = async (): Promise<void> => {
  await edit()
  change(`DELETE FROM output WHERE folder = '${site.findSpare()}'`)
  for (const name of ['skills/cat.html', 'left.html'])
    writeFileSync(at('generations', site.findSpare(), 'public', name), 'half')
}

const dieWithLock = (): void => {
  const lock = at('state/build.lock')
  spawnSync(process.execPath, ['--input-type=module', '-e', LOCK_AND_DIE, lock])
}

test.each<[string, () => unknown]>([
  ['killed while writing', writeHalf],
  ['killed with the lock', dieWithLock],
  ['killed after saving, before serving', serveSpare],
  ['an operator serves the previous folder', () => edit().then(serveSpare)],
  ['the state is gone', () => rmSync(at('state'), { recursive: true })],
  ['the state is not a database', () => writeFileSync(at('state/state.db'), 'x'.repeat(50_000))],
  ['the record of the state is damaged', () => change(`UPDATE build SET record = '{'`)],
  ['the folders are gone', () => rmSync(at('generations'), { recursive: true })],
  ['the link is gone', () => rmSync(at('current'))],
  ['nothing', edit],
])('%s -> the next build equals a clean build', async (_, damage) => {
  await damage()
  await site.build()
  await expectEqualToCleanBuild()
})

const DAMAGED = /^The output: the state of the last build is damaged; .* --clean\) \([^\n]*\)$/

/** Makes a build fail; returns a function that repairs the cause, if `--clean` does not. */
const OBSTACLES: readonly (readonly [string, RegExp, () => (() => unknown) | void])[] = [
  ['a missing table', DAMAGED, () => change('DROP TABLE skill')],
  ['a damaged skill', DAMAGED, () => change(`UPDATE skill SET skill = '{', fingerprint = ''`)],
  ['a damaged lock', DAMAGED, () => writeFileSync(at('state/build.lock'), 'hello')],
  [
    'another build',
    /^another build is writing/,
    () => {
      const lock = lockFile(at('state/build.lock'))
      return () => lock!.release()
    },
  ],
  [
    'a folder in place of a link',
    /dist\/public: this is a folder, but the build needs a link there; move it or set OUT_DIR$/,
    () => {
      rmSync(at('public'))
      mkdirSync(at('public/kept'), { recursive: true })
      return () => rmSync(at('public'), { recursive: true })
    },
  ],
]

test.each(OBSTACLES)(
  '%s -> reported; the served site stays until the next build',
  async (_, message, obstruct) => {
    await edit()
    const served = site.tree()
    const repair = obstruct()
    expect(await site.tryBuild()).toMatch(message)
    expect(site.tree()).toEqual(served)
    await (repair ? repair() : site.build({ isClean: true }))
    await site.build()
    await expectEqualToCleanBuild()
  },
)
