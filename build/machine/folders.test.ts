import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, makeScratch } from './folders.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-folders-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('creates nested folders; a second call changes nothing', () => {
  const path = join(root, 'a/b/c')
  makeFolder(path)
  writeFileSync(join(path, 'x'), '')
  makeFolder(path)
  expect(readdirSync(path)).toEqual(['x'])
})

test.each([
  ['a file', (): string => join(root, 'file')],
  ['below a file', (): string => join(root, 'file/a/b')],
])('%s -> refused with the name of the file', (_, path) => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(path())).toThrow(join(root, 'file'))
})

test('removes scratch folders with the same prefix that are older than a day', () => {
  for (const name of ['x-old', 'x-new', 'y-old']) {
    mkdirSync(join(root, name, 'inside'), { recursive: true })
    if (name.endsWith('old')) utimesSync(join(root, name), 1e9, 1e9)
  }
  const made = makeScratch(root, 'x-')
  expect(readdirSync(root).sort()).toEqual(['x-new', 'y-old', basename(made)].sort())
})
