import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, makeScratch, sweepScratch } from './folders.ts'
import { markProcess } from './processes.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-folders-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('a folder three deep -> made; made again -> as it was', () => {
  const path = join(root, 'a/b/c')
  makeFolder(path)
  writeFileSync(join(path, 'x'), '')
  makeFolder(path)
  expect(readdirSync(path)).toEqual(['x'])
})

test.each([
  ['a file', (): string => join(root, 'file')],
  ['below a file', (): string => join(root, 'file/a/b')],
])('%s -> refused, by the name of the file', (_, path) => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(path())).toThrow(join(root, 'file'))
})

test('below /proc, where nothing can be made -> refused, not tried for ever', () => {
  expect(() => makeFolder('/proc/nothing/a')).toThrow('/proc')
})

test('scratch folders -> those of dead processes go, all others stay', () => {
  const dead = spawnSync('true').pid
  const left = [`x-${dead}-abc`, `x-${dead}-77-123456`, `x-${process.pid}-1-abc`]
  const kept = [
    `x-${process.ppid}-abc`,
    `x-${markProcess(process.ppid)}-abc`,
    `x-${process.pid}-abc`,
    `x-${dead}`,
    'x-templates',
    `y-${dead}-abc`,
  ]
  for (const name of [...left, ...kept]) mkdirSync(join(root, name, 'inside'), { recursive: true })
  const made = makeScratch(root, 'x-')
  expect(dirname(made)).toBe(root)
  expect(readdirSync(root).sort()).toEqual([...kept, basename(made)].sort())
  sweepScratch(root, 'x-')
  expect(existsSync(made)).toBe(true)
})
