import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const listImports = (file: string): string[] => {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/^(?:import|export) (?!type).*? from '([^']+)'|^\} from '([^']+)'/gms)]
    .map(([, path, other]) => path ?? other ?? '')
    .map((path) => (path.startsWith('.') ? join(dirname(file), path) : path))
}

/** Every module that a file loads, directly or not. */
const listModules = (file: string, known = new Set<string>()): Set<string> => {
  for (const module of listImports(file)) {
    if (known.has(module)) continue
    known.add(module)
    if (module.endsWith('.ts')) listModules(module, known)
  }
  return known
}

const DOOR = listModules(join(import.meta.dirname, 'index.ts'))

test('the entry module of the search loads no file system and no packer, so it runs on any host', () => {
  const foreign = [...DOOR].filter((module) => !module.endsWith('.ts'))
  expect(foreign.toSorted()).toEqual(['node:zlib', 'stemmer'])
  expect([...DOOR].filter((module) => module.includes('/pack/'))).toEqual([])
})

test('no module that the entry module loads needs the Buffer of Node', () => {
  const files = [...DOOR].filter((module) => module.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => /\bBuffer\b/.test(readFileSync(file, 'utf8')))).toEqual([])
})
