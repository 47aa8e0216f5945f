import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^(?:import|export) (?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** Imports of a file, without types: files by path, packages by name. */
const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '')

/** A file and the project's files that it loads. */
export const listGraph = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const path of listImports(file)) {
    if (path.startsWith('.')) listGraph(join(dirname(file), path), found)
  }
  return found
}

/** The packages that a file loads, in order. */
export const listLoadedPackages = (entry: string): string[] => {
  const loaded = [...listGraph(entry)].flatMap(listImports)
  return [...new Set(loaded.filter((path) => !/^\.|^node:/.test(path)))].toSorted()
}
