import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatherCrew } from './crew.ts'

const NAMES = Array.from({ length: 600 }, (_, at) => `file-${at}`)

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-crew-'))
  for (const name of NAMES) writeFileSync(join(root, name), '')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const countThreads = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

/** Links some files and says how many threads were there for it. */
const link = async (workers: number, to: string, names: readonly string[]): Promise<number> => {
  const before = countThreads()
  const crew = gatherCrew(root, workers, 0)
  try {
    const done = crew.link(root, join(root, to), names)
    const threads = countThreads() - before
    await done
    return threads
  } finally {
    await crew.close()
  }
}

test.each([
  ['few files', 2, 10, false],
  ['many files', 2, 600, true],
  ['many files, one worker', 1, 600, false],
])('nothing was expected, %s are to be done -> threads where they are worth it', async (...row) => {
  const [title, workers, count, isShared] = row
  const names = NAMES.slice(0, count)
  expect((await link(workers, title, names)) > 0).toBe(isShared)
  expect(names.every((name) => existsSync(join(root, title, name)))).toBe(true)
})
