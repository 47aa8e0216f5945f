import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Generations } from './generations.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-generations-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const readCurrent = (): string | undefined => {
  try {
    return readlinkSync(join(root, 'current'))
  } catch {
    return undefined
  }
}

test('files are flushed to disk before they are published', () => {
  const served: unknown[] = []
  const generations = new Generations(root, (folder) => served.push([folder, readCurrent()]))
  for (const name of ['one', 'two']) {
    generations.openEmpty(name)
    generations.publish(name)
  }
  generations.close()
  expect(served).toEqual([
    [root, undefined],
    [root, 'generations/one'],
  ])
  expect(readCurrent()).toBe('generations/two')
})
