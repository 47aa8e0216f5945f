import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  OWN_RECORD,
  SMALL_CONTENT,
  skillMd,
  writeFiles,
} from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { rollBack } from './generations.ts'
import { createProgress } from './progress.ts'

const quiet = createProgress({ write: () => true })

const SKILLS = ['cat', 'dog', 'elk', 'fox', 'gnu']

const CONTENT = {
  ...SMALL_CONTENT,
  ...Object.fromEntries(
    SKILLS.flatMap((slug, at) => [
      [`skills/${slug}/skill.json`, { ...OWN_RECORD, id: 10 + at, author: slug }],
      [`skills/${slug}/SKILL.md`, skillMd(slug)],
    ]),
  ),
}

let root = ''
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-damaged-'))
  writeFiles(join(root, 'content'), CONTENT)
  await build('built')
  writeFiles(join(root, 'content'), { 'skills/cat/SKILL.md': skillMd('tiger') })
  await build('built')
  writeFiles(join(root, 'content'), { 'skills/dog/SKILL.md': skillMd('wolf') })
  rmSync(join(root, 'content/skills/gnu'), { recursive: true })
  await build('clean')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const build = (out: string) =>
  buildSite(
    {
      contentFolder: join(root, 'content'),
      outputFolder: join(root, out),
      siteUrl: 'https://registry.example',
    },
    quiet,
  )

const readTree = (out: string): string[][] => {
  const folder = join(root, out, 'current')
  return globSync('**/*', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'latin1')])
}

const flipAt = (bytes: Buffer, part: number): Buffer => {
  const flipped = Buffer.from(bytes)
  const at = Math.floor((bytes.length - 1) * part)
  flipped[at] = flipped[at]! ^ 1
  return flipped
}

/** What an older version of the code may have left. */
const OLDER: Record<string, () => void> = {
  'without a state': () => rmSync(join(root, 'dist/state'), { recursive: true }),
  'with a state of another format': () => {
    rmSync(join(root, 'dist/state'), { recursive: true })
    writeFiles(join(root, 'dist/state'), { 'a-1.txt': '7\n{}', 'a-1.details': '', 'a-1.words': '' })
    writeFileSync(join(root, 'dist/build.lock'), '999999999\n')
  },
  'by other code': () => {
    const database = new DatabaseSync(join(root, 'dist/state/state.db'))
    database.exec(`UPDATE build SET record = json_set(record, '$.keys.layout', 'older')`)
    database.close()
    rewriteCheck()
  },
}

/** Updates the checksum, so that a state edited by another program passes. */
const rewriteCheck = (): void => {
  const path = join(root, 'dist/state/state.db')
  writeFileSync(`${path}.check`, `${crc32(readFileSync(path))}\n`)
}

describe('a site that an older version built', () => {
  test.each(Object.keys(OLDER))('%s -> everything is built again', async (how) => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
    writeFiles(join(root, 'dist/current'), {
      'public/skills/cat.json': '{}',
      'private/old.bin': '',
    })
    OLDER[how]!()
    await build('dist')
    expect(readTree('dist')).toEqual(readTree('clean'))
    expect(readdirSync(join(root, 'dist/state')).sort()).toEqual([
      'build.lock',
      'state.db',
      'state.db.check',
    ])
  })
})

/** Builds the next site, then undoes the steps after a kill. Returns the folder of the previous site. */
const buildKilled = async (tamper: () => void) => {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
  const before = readlinkSync(join(root, 'dist/current'))
  await build('dist')
  tamper()
  return before
}

describe('a build that was killed', () => {
  test('after saving its state, before serving its site -> served by the next one', async () => {
    const before = await buildKilled(() => undefined)
    rmSync(join(root, 'dist/current'))
    symlinkSync(before, join(root, 'dist/current'))
    expect(await build('dist')).toMatchObject({ written: 0, removed: 0 })
    expect(readTree('dist')).toEqual(readTree('clean'))
  })

  test('before the checksum of its state was written -> the next one is complete', async () => {
    await buildKilled(() => rmSync(join(root, 'dist/state/state.db.check')))
    await build('dist')
    expect(readTree('dist')).toEqual(readTree('clean'))
  })

  test('while writing into the folder that is not served -> links it again', async () => {
    await buildKilled(() => undefined)
    for (const name of readdirSync(join(root, 'dist/generations')))
      if (!readlinkSync(join(root, 'dist/current')).endsWith(name))
        rmSync(join(root, 'dist/generations', name), { recursive: true })
    writeFiles(join(root, 'content'), {
      'skills/cat/SKILL.md': skillMd('tiger', '# Title\n\nOther.'),
    })
    // The index, the lists and all tables too: so short a text has other tokens.
    expect(await build('dist')).toMatchObject({ written: 20 })
    await build('other')
    expect(readTree('dist')).toEqual(readTree('other'))
    writeFiles(join(root, 'content'), { 'skills/cat/SKILL.md': skillMd('tiger') })
  })
})

const readText = (): string => readFileSync(join(root, 'dist/current/public/skills/fox.md'), 'utf8')
const writeText = (text: string): void =>
  writeFiles(join(root, 'content'), { 'skills/fox/SKILL.md': skillMd('fox', `# Fox\n\n${text}`) })
const rollBackHere = (): string => rollBack(join(root, 'dist'))

describe('after a rollback', () => {
  afterAll(() => writeFiles(join(root, 'content'), { 'skills/fox/SKILL.md': skillMd('fox') }))

  test('the next build continues from the latest site', async () => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    expect(rollBackHere).toThrow(/there is no finished build/)
    writeText('Good.')
    await build('dist')
    expect(rollBackHere).toThrow(
      /no earlier one is kept; a rollback is possible after the next build/,
    )
    writeText('Bad.')
    await build('dist')
    const good = /again instead of that of 20\d\d-\d\d-\d\dT/
    expect(rollBackHere()).toMatch(good)
    expect(readText()).toMatch(/Good/)
    expect(rollBackHere).toThrow(/the oldest one kept; run `npm run build`/)
    const served = readlinkSync(join(root, 'dist/current'))
    // The served folder must not be written to.
    writeText('Better.')
    await build('dist')
    expect(existsSync(join(root, 'dist', served))).toBe(true)
    await build('other')
    expect(readTree('dist')).toEqual(readTree('other'))
    expect(rollBackHere()).toMatch(good)
    expect(readText()).toMatch(/Good/)
    expect(await build('dist')).toMatchObject({ written: 0 })
    expect(readTree('dist')).toEqual(readTree('other'))
  })

  test('also to a site of another version of the code', async () => {
    const database = new DatabaseSync(join(root, 'dist/state/state.db'))
    database.exec(`UPDATE build SET record = json_set(record, '$.keys.layout', 'older')`)
    database.close()
    rewriteCheck()
    const before = readlinkSync(join(root, 'dist/current'))
    await build('dist')
    expect(readlinkSync(join(root, 'dist/current'))).not.toBe(before)
    rollBackHere()
    expect(readlinkSync(join(root, 'dist/current'))).toBe(before)
  })

  test('refused if the state is damaged', () => {
    writeFileSync(join(root, 'dist/state/state.db'), 'x')
    expect(rollBackHere).toThrow(/state\.db is damaged.*previous build is unknown/)
  })
})

/** States with a valid checksum that no build wrote. */
const FORGERIES = {
  'has no record of a build': 'DELETE FROM build',
  'has no skills': 'DELETE FROM skill',
  'lacks a table': 'DROP TABLE page',
  'has a record that is not JSON': `UPDATE build SET record = '{'`,
}

test.each(Object.entries(FORGERIES))(
  'a state that %s -> the next build is right',
  async (_how, sql) => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
    const database = new DatabaseSync(join(root, 'dist/state/state.db'))
    database.exec(sql)
    database.close()
    rewriteCheck()
    await build('dist')
    expect(readTree('dist').length).toBe(readTree('clean').length)
  },
)

const DAMAGES: Record<string, (bytes: Buffer) => Buffer> = {
  'is empty': () => Buffer.alloc(0),
  'lost its end': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'lost its last byte': (bytes) => bytes.subarray(0, -1),
  'lost a line': (bytes) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .split('\n')
        .filter((_, at) => at !== 3)
        .join('\n'),
      'latin1',
    ),
  'ends in zeros': (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 1),
  'has a flipped first bit': (bytes) => flipAt(bytes, 0),
  'has a flipped bit at 20 %': (bytes) => flipAt(bytes, 0.2),
  'has a flipped bit at 80 %': (bytes) => flipAt(bytes, 0.8),
  'has a flipped last bit': (bytes) => flipAt(bytes, 1),
}

const KEPT = ['state/state.db', 'state/state.db.check', 'current/private/search.index']

describe.each(KEPT)('a file that a build relies on, %s, that', (name) => {
  test.each(Object.keys(DAMAGES))('%s -> the next build is right', async (how) => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
    const path = join(root, 'dist', name)
    const damaged = DAMAGES[how]!(readFileSync(path))
    writeFileSync(path, damaged)
    await build('dist')
    expect(readTree('dist')).toEqual(readTree('clean'))
  })
})

test.each(['public/skills/cat.md', 'private/search.index', 'public/skills/cat'])(
  'a missing part of the served site, %s -> the next two builds are complete',
  async (name) => {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    cpSync(join(root, 'built'), join(root, 'dist'), { recursive: true, verbatimSymlinks: true })
    rmSync(join(root, 'dist/current', name), { recursive: true })
    await build('dist')
    expect(readTree('dist')).toEqual(readTree('clean'))
  },
)
