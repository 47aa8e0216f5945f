import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Reads the block of docs/architecture.md that says who may import whom. */
const readTable = (): Map<string, string[]> => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const block = /```imports\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  return new Map(
    block
      .trim()
      .split('\n')
      .map((line): [string, string[]] => {
        const [room = '', allowed = ''] = line.split('->')
        return [room.trim(), allowed.trim().split(/\s+/).filter(Boolean)]
      }),
  )
}

const isInside = (file: string, room: string): boolean =>
  file === room || file.startsWith(`${room}/`)

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

const table = readTable()
const rooms = [...table.keys()].sort((a, b) => b.length - a.length)
const roomOf = (file: string): string | undefined => rooms.find((room) => isInside(file, room))

const files = globSync(
  ['{src,build,functions,extras,testing,e2e,bench}/**/*.{ts,astro,css}', 'astro.config.mjs'],
  { cwd: root, exclude: ['**/node_modules/**'] },
).sort()

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, path]) =>
    normalize(join(dirname(file), path ?? '')),
  )

test('the table has every room that has files', () => {
  const homeless = files.filter(
    (file) =>
      roomOf(file) === undefined && !/^src\/[^/]+$/.test(file) && !file.startsWith('src/styles/'),
  )
  expect(homeless).toEqual([])
  expect(table.size).toBeGreaterThan(10)
})

test('no file imports across a door that is not in the table', () => {
  const offences = files.flatMap((file) => {
    const room = roomOf(file)
    if (room === undefined) return []
    // Tests and their helpers may read anything; they ship nowhere.
    if (file.endsWith('.test.ts') || file.includes('/testing/')) return []
    const allowed = [room, ...(table.get(room) ?? [])]
    return importsOf(file)
      .filter((target) => !allowed.some((one) => isInside(target, one)))
      .map((target) => `${file} -> ${target}`)
  })
  expect(offences).toEqual([])
})

test('e2e imports nothing of ours, tests included', () => {
  const offences = files
    .filter((file) => isInside(file, 'e2e'))
    .flatMap((file) => importsOf(file).filter((target) => !isInside(target, 'e2e')))
  expect(offences).toEqual([])
})
