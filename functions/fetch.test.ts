import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

const IMPORT = /^(?:import|export) (?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** Imports of a file, without types: files by path, packages by name. */
const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '')

/** A file and the project's files that it loads. */
const listGraph = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const path of listImports(file)) {
    if (path.startsWith('.')) listGraph(join(dirname(file), path), found)
  }
  return found
}

const listPackages = (entry: string): string[] => {
  const loaded = [...listGraph(join(root, entry))].flatMap(listImports)
  return [...new Set(loaded.filter((path) => !/^\.|^node:/.test(path)))].toSorted()
}

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm

const findPlatform = (file: string): string[] => {
  const code = readFileSync(file, 'utf8').replace(COMMENTS, '')
  const used =
    code.match(/'node:(?!crypto'|zlib')[\w/]+'|\bprocess\.|\bBuffer\.|\b__dirname\b/g) ?? []
  return [...new Set(used)].map((what) => `${relative(root, file)}: ${what}`)
}

test('hosts of Request and Response need no file system, process or Buffer', () => {
  const files = [...listGraph(join(root, 'functions/fetch.ts'))]
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap(findPlatform)).toEqual([])
})

// zod alone, which checks records in a build, takes 0.1 s to load.
test.each([
  ['functions/fetch.ts', ['stemmer']],
  ['functions/hosts/node/main.ts', ['stemmer']],
])('%s loads these packages and no others', (entry, packages) => {
  expect(listPackages(entry)).toEqual(packages)
})
