import { createHash, hash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from './settings.ts'

const LENGTH = 22

/** Digests a text to a short word; two texts share one by chance as rarely as 128 bits do. */
export const digestText = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, LENGTH)

/** A number of 32 bits, for whoever can bear that two texts in thousands of millions share one (FNV-1a). */
export const hashText = (text: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** Digests named bytes, in the order they are given. */
export const digestFiles = (files: readonly (readonly [string, Uint8Array])[]): string => {
  const sum = createHash('sha256')
  for (const [name, bytes] of files) sum.update(`${name}\0${bytes.length}\0`).update(bytes)
  return sum.digest('base64url').slice(0, LENGTH)
}

/** What the output is made by; `package-lock.json` stands for every dependency. */
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

/** Digests everything that makes the output but the content: layouts, code, dependencies, Node. */
export const digestCode = (): string => {
  const files = CODE.flatMap(listFiles)
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, readFileSync(join(PROJECT_ROOT, path))] as const)
  return digestFiles([['node', Buffer.from(process.version)], ...files])
}
