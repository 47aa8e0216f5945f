import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  OWN_RECORD,
  SMALL_CONTENT,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { createProgress } from '../machine/progress.ts'

const quiet = createProgress({ write: () => true })

let root = ''
let edition = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-crash-'))
  writeFiles(join(root, 'content'), {
    ...SMALL_CONTENT,
    'skills/cat/skill.json': { ...OWN_RECORD, id: 10 },
    'skills/cat/SKILL.md': skillMd('cat'),
    'skills/dog/skill.json': { ...OWN_RECORD, id: 11 },
    'skills/dog/SKILL.md': skillMd('dog'),
  })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const build = (out = 'dist') => {
  const contentFolder = join(root, 'content')
  const siteUrl = 'https://registry.example'
  return buildSite({ contentFolder, outputFolder: join(root, out), siteUrl }, quiet)
}

/** Gives a skill a new text, which no earlier site has. */
const edit = async (): Promise<void> => {
  edition += 1
  writeFiles(join(root, 'content'), { 'skills/cat/SKILL.md': skillMd('cat', `Text ${edition}.`) })
  await pause(20)
}

const readTree = (out: string): Map<string, string> => {
  const folder = join(root, out, 'current')
  const names = globSync('**/*', { cwd: folder }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

const expectEqualToCleanBuild = async (): Promise<void> => {
  rmSync(join(root, 'clean'), { recursive: true, force: true })
  await build('clean')
  expect(readTree('dist')).toEqual(readTree('clean'))
}

const current = (): string => join(root, 'dist/current')
const statePath = (): string => join(root, 'dist/state/state.db')

/** The folder that is not served. */
const findSpare = (): string => {
  const served = readlinkSync(current())
  const names = readdirSync(join(root, 'dist/generations'))
  return `generations/${names.find((name) => !served.endsWith(name))}`
}

const serve = (target: string): void => {
  rmSync(current())
  symlinkSync(target, current())
}

beforeEach(async () => {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  for (let built = 0; built < 3; built += 1) {
    await edit()
    await build()
  }
})

test('killed while writing -> the next build writes the folder again', async () => {
  await edit()
  const spare = findSpare()
  const database = new DatabaseSync(statePath())
  database.prepare('DELETE FROM output WHERE folder = ?').run(basename(spare))
  database.close()
  writeFileSync(join(root, 'dist', spare, 'public/skills/cat.html'), 'half')
  writeFileSync(join(root, 'dist', spare, 'public/left.html'), '')
  expect(await build()).toMatchObject({ removed: 0 })
  await expectEqualToCleanBuild()
})

test('killed after saving, before serving -> the next build serves it and writes nothing', async () => {
  const built = readlinkSync(current())
  serve(findSpare())
  const before = statSync(join(root, 'dist', built, 'public/skills/cat.html'))
  await build()
  expect(statSync(join(current(), 'public/skills/cat.html')).ino).toBe(before.ino)
  await expectEqualToCleanBuild()
})

test('the links cannot be swapped -> the saved folder stays complete, and the next build serves it', async () => {
  await edit()
  const obstacle = join(root, 'dist/public.new')
  mkdirSync(obstacle)
  await expect(build()).rejects.toThrow('public.new')
  const page = join(root, 'dist', findSpare(), 'public/skills/cat.html')
  const before = statSync(page)
  rmSync(obstacle, { recursive: true })
  await build()
  expect(statSync(join(current(), 'public/skills/cat.html')).ino).toBe(before.ino)
  await expectEqualToCleanBuild()
})

test('an operator serves the previous folder -> the next build continues from it', async () => {
  serve(findSpare())
  await edit()
  await build()
  await expectEqualToCleanBuild()
  await edit()
  await build()
  await expectEqualToCleanBuild()
})

test.each([
  ['the state is gone', () => rmSync(join(root, 'dist/state'), { recursive: true })],
  ['the state is not a database', () => writeFileSync(statePath(), 'no database'.repeat(100))],
  ['the folders are gone', () => rmSync(join(root, 'dist/generations'), { recursive: true })],
  ['the link is gone', () => rmSync(current())],
])('%s -> everything is built again', async (_, damage) => {
  damage()
  await build()
  await expectEqualToCleanBuild()
  await edit()
  await build()
  await expectEqualToCleanBuild()
})
