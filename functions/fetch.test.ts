import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

const IMPORT = /^(?:import|export) (?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** What a file loads: files by their paths, packages by their names. Types alone load nothing. */
const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '')

/** A file of ours and all that it loads of ours. */
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

test('what a host of Request and Response runs needs no disk, no process and no Buffer', () => {
  const files = [...listGraph(join(root, 'functions/fetch.ts'))]
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap(findPlatform)).toEqual([])
})

// zod alone, which checks records in a build, takes 0.1 s to load.
test.each([
  ['functions/fetch.ts', ['stemmer']],
  ['functions/hosts/node/main.ts', ['ipaddr.js', 'p-queue', 'stemmer']],
])('%s loads these packages and no others', (entry, packages) => {
  expect(listPackages(entry)).toEqual(packages)
})
