import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

const IMPORT = /^(?:import|export) (?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** Every file of ours that runs where one runs; what is imported for its types alone does not. */
const listGraph = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const [, from = '', bare = from] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const path = from === '' ? bare : from
    if (path.startsWith('.')) listGraph(join(dirname(file), path), found)
  }
  return found
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
