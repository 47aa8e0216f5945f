import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, afterAll, beforeAll } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isCodedForm } from '../../src/api/policies.ts'
import { SMALL_CONTENT, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { createProgress } from './progress.ts'
import { Tree } from './tree.ts'
import { verifySite } from './generations.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-tree-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const FILES = 400

/** Places files from a new process. */
const placeInProcess = (name: string): Promise<unknown> => {
  const program = `
    import { Tree } from ${JSON.stringify(new URL('tree.ts', import.meta.url).href)}
    const tree = new Tree(${JSON.stringify(root)}, false)
    for (let at = 0; at < ${FILES}; at += 1) tree.place('shared/${name}-' + at, '${name} ' + at)`
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
}

test('processes that write into one folder do not interfere', async () => {
  await Promise.all(['a', 'b', 'c'].map(placeInProcess))
  expect(readdirSync(join(root, 'shared'))).toHaveLength(3 * FILES)
})

test('what is kept of a printed skill lies in no larger buffer, which would be kept with it', () => {
  const tree = new Tree(root, true)
  tree.place('a', 'a')
  const { digests } = tree.takeWritten()
  expect(digests.buffer.byteLength).toBe(digests.byteLength)
})

const quiet = createProgress({ write: () => true })

let site = ''
beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'skill-registry-coded-'))
  writeFiles(join(site, 'content'), {
    ...SMALL_CONTENT,
    // An author's own files that are named like coded forms.
    'skills/near/notes.md': '# Notes\n',
    'skills/near/notes.md.gz': 'no gzip',
  })
})
afterAll(() => rmSync(site, { recursive: true }))

const build = (isCompressed: boolean) =>
  buildSite(
    { contentFolder: join(site, 'content'), outputFolder: join(site, 'dist'), isCompressed },
    quiet,
  )

const current = (): string => join(site, 'dist/current')
const listAll = (): string[] =>
  readdirSync(current(), { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(current(), name)).isFile(),
  )
const listCoded = (): string[] => listAll().filter(isCodedForm)
const read = (name: string): Buffer => readFileSync(join(current(), name))

const expectWhole = (files: number): void => {
  const faults = { files: files - 1, different: [], unknown: [], missing: 0 }
  expect(verifySite(join(site, 'dist'), quiet)).toEqual(faults)
  for (const name of listCoded()) {
    const decode = name.endsWith('.br') ? brotliDecompressSync : gunzipSync
    expect([name, decode(read(name)).equals(read(name.slice(0, -3)))]).toEqual([name, true])
  }
}

test('pages, twins and styles have coded forms as long as --compress is set', async () => {
  const plain = await build(false)
  expect(listCoded()).toEqual([])
  const coded = await build(true)
  expect(coded.files).toBe(plain.files + listCoded().length)
  expect(listCoded()).toEqual(
    expect.arrayContaining([
      'public/index.html.br',
      'public/skills/near.html.gz',
      'public/skills/near.md.br',
    ]),
  )
  expect(listCoded()).not.toContain('public/skills/near/notes.md.gz')
  expectWhole(coded.files)
  expect(await build(true)).toMatchObject({ written: 0, removed: 0 })

  const { written } = coded
  writeFiles(join(site, 'content'), { 'skills/near/SKILL.md': skillMd('near', '# Other\n') })
  const changed = await build(true)
  expect(changed.written).toBeLessThan(written)
  expectWhole(changed.files)
  rmSync(join(site, 'content/skills/near'), { recursive: true })
  const fewer = await build(true)
  expect(listCoded()).not.toContain('public/skills/near.html.gz')
  expectWhole(fewer.files)

  const last = await build(false)
  expect(last.removed).toBe(fewer.files - last.files)
  expect(listCoded()).toEqual([])
  expectWhole(last.files)
})
