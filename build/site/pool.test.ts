import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pool } from './pool.ts'

const FILES = Array.from({ length: 20_000 }, (_, at) => `file-${at}`)

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-pool-'))
  for (const name of FILES) writeFileSync(join(root, name), '')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const countThreads = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

test.each([
  ['few files', 2, 10, false],
  ['many files', 2, 20_000, true],
  ['many files, one worker', 1, 20_000, false],
])('linking %s -> starts threads only if they pay off', async (title, size, count, isShared) => {
  const before = countThreads()
  const pool = new Pool(root, size)
  const names = FILES.slice(0, count)
  try {
    const done = pool.linkFiles(root, join(root, title), names)
    expect(countThreads() > before).toBe(isShared)
    await done
  } finally {
    await pool.close()
  }
  expect(names.every((name) => existsSync(join(root, title, name)))).toBe(true)
})

test.each([1, 2])(
  'a job fails with %d workers -> the error keeps its code and path',
  async (size) => {
    const pool = new Pool(root, size)
    const missing = Array.from({ length: 20_000 }, (_, at) => `missing-${at}`)
    const path = expect.stringContaining('missing-') as string
    try {
      await expect(pool.linkFiles(root, join(root, `to-${size}`), missing)).rejects.toMatchObject({
        code: 'ENOENT',
        path,
      })
    } finally {
      await pool.close()
    }
  },
)
