import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  makeSampleFolder,
  manifestOf,
  removeFolders,
  rowOf,
} from '../../../testing/sample-folders.ts'
import { originOfFolder } from './origin.ts'

afterEach(removeFolders)

const open = (root: string) => originOfFolder(root, { isOwn: false })

const read = (text: string | Uint8Array) => open(makeSampleFolder({ 'manifest.ndjson': text }))

test('rows -> origins by folder, with all known fields', () => {
  const { expected, trace, skips } = read(
    manifestOf([rowOf('a', { licence: 'MIT' }), rowOf('./b/')]),
  )
  expect(skips).toEqual([])
  expect(expected).toEqual(['a', 'b'])
  expect(trace('a')).toMatchObject({ author: 'ada', row: { licence: 'MIT' } })
})

test('a row with U+2028 in a text -> one row, not two', () => {
  const { expected, skips } = read(manifestOf([rowOf('a', { licence: 'M\u2028IT' })]))
  expect([expected.length, skips]).toEqual([1, []])
})

test.each([
  ['not JSON', '{"dir":', 'not JSON'],
  ['a list', '[]', 'must be an object'],
  ['without an owner', JSON.stringify(rowOf('a', { owner: undefined })), 'owner'],
  ['an owner that is not a handle', JSON.stringify(rowOf('a', { owner: '../x' })), 'owner: "../x"'],
  ['a folder outside the source', JSON.stringify(rowOf('../a')), 'inside the folder'],
  ['an absolute folder', JSON.stringify(rowOf('/etc')), 'inside the folder'],
  [
    'a script instead of an address',
    JSON.stringify(rowOf('a', { sourceUrl: 'javascript:1' })),
    'http',
  ],
  ['an impossible day', JSON.stringify(rowOf('a', { updated: '2026-02-30' })), 'valid date'],
])('a bad row: %s -> skipped with its line and the reason', (_, row, reason) => {
  const { expected, skips } = read(`${manifestOf([rowOf('good')])}\n${row}\n`)
  expect(expected).toEqual(['good'])
  expect(skips).toMatchObject([{ file: 'manifest.ndjson line 3', rule: 'manifest' }])
  expect(skips[0]?.message).toContain(reason)
})

test('a folder with two rows -> the first counts', () => {
  const { trace, skips } = read(manifestOf([rowOf('a', { licence: 'MIT' }), rowOf('a')]))
  expect(trace('a')?.row?.licence).toBe('MIT')
  expect(skips).toMatchObject([{ rule: 'manifest', remedy: 'give each folder one row' }])
})

test('a manifest in UTF-16 -> the run fails and gives the reason', () => {
  expect(() => read(Buffer.from('\uFEFF{}', 'utf16le'))).toThrow(/UTF-16/)
})

test('a manifest that is a folder or a pipe -> ignored', () => {
  const root = makeSampleFolder({ 'manifest.ndjson/x': '' })
  expect(() => open(root)).toThrow('There is no manifest.ndjson')
  const piped = makeSampleFolder()
  execFileSync('mkfifo', [join(piped, 'manifest.ndjson')])
  expect(() => open(piped)).toThrow('There is no manifest.ndjson')
})
