import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Enforces the rules of docs/architecture.md: who may import whom, and one name for one thing.

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const files = globSync(
  ['{src,build,functions,extras,testing,e2e,bench}/**/*.{ts,astro,css}', 'astro.config.mjs'],
  { cwd: root, exclude: ['**/node_modules/**'] },
).sort()
const sources = new Map(files.map((file) => [file, read(file)]))

const isTest = (file: string): boolean =>
  file.endsWith('.test.ts') || /(?:^|\/)(?:testing|e2e)\//.test(file)

const isInside = (file: string, room: string): boolean =>
  file === room || file.startsWith(`${room}/`)

/** The lines of a fenced block of docs/architecture.md. */
const readBlock = (name: string): string[] => {
  const block = new RegExp(`\`\`\`${name}\\n([^]*?)\`\`\``).exec(read('docs/architecture.md'))
  return block?.[1]?.trim().split('\n') ?? []
}

const doors = new Map(
  readBlock('imports').map((line) => {
    const [room = '', allowed = ''] = line.split('->')
    return [room.trim(), allowed.trim().split(/\s+/).filter(Boolean)]
  }),
)

const findRoom = (file: string, rooms: Iterable<string>): string | undefined =>
  [...rooms].sort((a, b) => b.length - a.length).find((room) => isInside(file, room))

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** The project's own files that a file imports, `import type` included. */
const importsOf = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(IMPORT)].map(([, path]) =>
    normalize(join(dirname(file), path ?? '')),
  )

test('the table has every room that has files', () => {
  const homeless = files.filter(
    (file) =>
      findRoom(file, doors.keys()) === undefined &&
      !/^src\/[^/]+$/.test(file) &&
      !file.startsWith('src/styles/'),
  )
  expect(homeless).toEqual([])
  expect(doors.size).toBeGreaterThan(10)
})

test('files import only through the doors in the table', () => {
  const offences = files.flatMap((file) => {
    const room = findRoom(file, doors.keys())
    // Tests and their helpers may import anything.
    if (room === undefined || isTest(file)) return []
    const allowed = [room, ...(doors.get(room) ?? [])]
    return importsOf(file)
      .filter((target) => !allowed.some((one) => isInside(target, one)))
      .map((target) => `${file} -> ${target}`)
  })
  expect(offences).toEqual([])
})

test('e2e and its tests import nothing of ours', () => {
  const offences = files
    .filter((file) => isInside(file, 'e2e'))
    .flatMap((file) => importsOf(file).filter((target) => !isInside(target, 'e2e')))
  expect(offences).toEqual([])
})

/** The files of an import cycle, the first one repeated at the end; empty if there is no cycle. */
const findCircle = (): string[] => {
  const graph = new Map(
    files.map((file) => [file, importsOf(file).filter((to) => sources.has(to))]),
  )
  // A file that imports none of the remaining ones is on no cycle.
  for (let before = -1; before !== graph.size;) {
    before = graph.size
    for (const [file, targets] of graph)
      if (!targets.some((to) => graph.has(to))) graph.delete(file)
  }
  const path: string[] = []
  let file = [...graph.keys()][0]
  while (file !== undefined && !path.includes(file)) {
    path.push(file)
    file = graph.get(file)?.find((to) => graph.has(to))
  }
  return file === undefined ? [] : [...path.slice(path.indexOf(file)), file]
}

test('there is no import cycle, not even of types', () => {
  expect(findCircle()).toEqual([])
})

const EXPORT =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm

const exportsOf = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(EXPORT)].map(([, name]) => name ?? '')

test('a name is exported once', () => {
  const holders = new Map<string, string[]>()
  for (const file of files) {
    // Astro asks every page for the same exports; the benches are a package of their own.
    if (isInside(file, 'src/pages') || isInside(file, 'bench')) continue
    for (const name of exportsOf(file)) holders.set(name, [...(holders.get(name) ?? []), file])
  }
  const offences = [...holders].filter(([, places]) => places.length > 1)
  expect(offences.map(([name, places]) => `${name}: ${places.join(', ')}`)).toEqual([])
})
