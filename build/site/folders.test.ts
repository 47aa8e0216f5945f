import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, makeScratch } from './folders.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-folders-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('creates nested folders; creating them again changes nothing', () => {
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

test('removes only the scratch folders of dead processes', () => {
  const living = makeScratch(root, 'x-')
  for (const name of ['x-dead', 'x-templates', 'y-dead'])
    mkdirSync(join(root, name, 'inside'), { recursive: true })
  for (const name of ['x-dead', 'y-dead']) writeFileSync(join(root, name, '.lock'), '')
  // A locked folder belongs to a live process, even if it is another one.
  const program = `
    import { DatabaseSync } from 'node:sqlite'
    globalThis.lock = new DatabaseSync(process.argv[1])
    globalThis.lock.exec('BEGIN EXCLUSIVE')
    process.kill(process.pid, 'SIGSTOP')`
  mkdirSync(join(root, 'x-other'))
  const args = ['--input-type=module', '-e', program, join(root, 'x-other/.lock')]
  const other = spawn(process.execPath, args)
  while (!readFileSync(`/proc/${other.pid}/stat`, 'utf8').includes(') T ')) continue
  const made = makeScratch(root, 'x-')
  other.kill('SIGKILL')
  const kept = ['x-other', 'x-templates', 'y-dead', basename(living), basename(made)]
  expect(readdirSync(root).sort()).toEqual(kept.sort())
})
