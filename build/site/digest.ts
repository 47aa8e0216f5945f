import { createHash, hash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from './settings.ts'

const LENGTH = 22

/** A 128-bit digest. */
export const digestText = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, LENGTH)

/** Digests names and bytes, in the given order. */
export const digestFiles = (files: readonly (readonly [string, Uint8Array])[]): string => {
  const sum = createHash('sha256')
  for (const [name, bytes] of files) sum.update(`${name}\0${bytes.length}\0`).update(bytes)
  return sum.digest('base64url').slice(0, LENGTH)
}

/** The code that determines the output; `package-lock.json` covers the dependencies. */
const CODE = ['src', 'build/site', 'package-lock.json', 'astro.config.mjs']

const listFiles = (path: string): string[] => {
  try {
    return readdirSync(join(PROJECT_ROOT, path), { withFileTypes: true })
      .flatMap((entry) => {
        const inside = `${path}/${entry.name}`
        return entry.isDirectory() ? listFiles(inside) : [inside]
      })
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [path]
    throw error
  }
}

let code: string | undefined

/** Digests all inputs except the content: layouts, code, dependencies, Node. Computed once per process. */
export const digestCode = (): string => {
  code ??= digestFiles([
    ['node', Buffer.from(process.version)],
    ...CODE.flatMap(listFiles)
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => [path, readFileSync(join(PROJECT_ROOT, path))] as const),
  ])
  return code
}
