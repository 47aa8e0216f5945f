import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDiskStore } from '../../functions/hosts/node/disk-store.ts'
import { isCodedForm } from '../../src/api/policies.ts'
import { SMALL_CONTENT, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { createProgress } from './progress.ts'
import { verifySite } from './verify.ts'

const quiet = createProgress({ write: () => true })

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-coded-'))
  writeFiles(join(root, 'content'), {
    ...SMALL_CONTENT,
    // An author's own files that are named like coded forms.
    'skills/near/notes.md': '# Notes\n',
    'skills/near/notes.md.gz': 'no gzip',
  })
})
afterAll(() => rmSync(root, { recursive: true }))

const build = (isCompressed: boolean) =>
  buildSite(
    { contentFolder: join(root, 'content'), outputFolder: join(root, 'dist'), isCompressed },
    quiet,
  )

const current = (): string => join(root, 'dist/current')
const listAll = (): string[] =>
  readdirSync(current(), { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(current(), name)).isFile(),
  )
const listCoded = (): string[] => listAll().filter(isCodedForm)
const read = (name: string): Buffer => readFileSync(join(current(), name))

const expectWhole = (files: number): void => {
  const faults = { files: files - 1, different: [], unknown: [], missing: 0 }
  expect(verifySite(join(root, 'dist'), quiet)).toEqual(faults)
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
  writeFiles(join(root, 'content'), { 'skills/near/SKILL.md': skillMd('near', '# Other\n') })
  const changed = await build(true)
  expect(changed.written).toBeLessThan(written)
  expectWhole(changed.files)
  rmSync(join(root, 'content/skills/near'), { recursive: true })
  const fewer = await build(true)
  expect(listCoded()).not.toContain('public/skills/near.html.gz')
  expectWhole(fewer.files)

  const last = await build(false)
  expect(last.removed).toBe(fewer.files - last.files)
  expect(listCoded()).toEqual([])
  expectWhole(last.files)
})

test('the Node host serves them, but ignores damaged ones and an author’s own files', async () => {
  writeFiles(join(root, 'content'), {
    ...SMALL_CONTENT,
    'skills/near/notes.md': '# Notes\n',
    'skills/near/notes.md.gz': 'no gzip',
  })
  await build(true)
  writeFiles(current(), { 'public/index.html.br': 'damaged' })
  const store = openDiskStore(current())
  const find = async (name: string, coding: 'br' | 'gzip') =>
    (await store.read(name))?.coded?.(coding)
  expect(await find('public/index.html', 'br')).toBeUndefined()
  expect(gunzipSync((await find('public/index.html', 'gzip'))!).toString()).toMatch(/<title>/)
  expect(await find('public/skills/near/notes.md', 'gzip')).toBeUndefined()
})
