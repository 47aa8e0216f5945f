import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listGraph, listLoadedPackages } from '../testing/import-graph.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

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
  expect(listLoadedPackages(join(root, entry))).toEqual(packages)
})
