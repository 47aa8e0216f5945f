import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^(?:import|export) (?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** Lists the imports of a file except types: files by path, packages by name. */
const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '')

/** Lists a file and the project's files that it loads. */
const listGraph = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const path of listImports(file)) {
    if (path.startsWith('.')) listGraph(join(dirname(file), path), found)
  }
  return found
}

/** Lists the packages that a file loads, sorted by name. */
export const listLoadedPackages = (entry: string): string[] => {
  const loaded = [...listGraph(entry)].flatMap(listImports)
  return [...new Set(loaded.filter((path) => !/^\.|^node:/.test(path)))].toSorted()
}
