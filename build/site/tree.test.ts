import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-tree-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const FILES = 400

/** Places files from a new thread; rejects with its error. */
const placeInThread = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const program = `
      import(${JSON.stringify(new URL('tree.ts', import.meta.url).href)}).then(({ Tree }) => {
        const tree = new Tree(${JSON.stringify(root)}, false)
        for (let at = 0; at < ${FILES}; at += 1) tree.place('shared/${name}-' + at, '${name} ' + at)
      })`
    const worker = new Worker(program, { eval: true })
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })

test('threads that write into one folder do not interfere', async () => {
  await Promise.all(['a', 'b', 'c'].map(placeInThread))
  expect(readdirSync(join(root, 'shared'))).toHaveLength(3 * FILES)
})
