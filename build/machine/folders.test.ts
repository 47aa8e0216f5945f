import { readdirSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, makeSampleFolder } from '../../testing/sample-folders.ts'
import { makeFolder, makeScratch } from './folders.ts'

test('creates nested folders; a second call changes nothing', () => {
  const path = join(makeSampleFolder(), 'a/b/c')
  makeFolder(path)
  addFiles(path, { x: '' })
  makeFolder(path)
  expect(readdirSync(path)).toEqual(['x'])
})

test.each(['file', 'file/a/b'])(
  '%s, where a file is -> refused with the name of the file',
  (path) => {
    const root = makeSampleFolder({ file: '' })
    expect(() => makeFolder(join(root, path))).toThrow(join(root, 'file'))
  },
)

test('removes scratch folders with the same prefix that are older than a day', () => {
  const root = makeSampleFolder({ 'x-old/in': '', 'x-new/in': '', 'y-old/in': '' })
  for (const name of ['x-old', 'y-old']) utimesSync(join(root, name), 1e9, 1e9)
  const made = makeScratch(root, 'x-')
  expect(readdirSync(root).sort()).toEqual(['x-new', 'y-old', basename(made)].sort())
})
