import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { makeSampleFolder, removeFolders } from '../../testing/sample-folders.ts'

afterEach(removeFolders)

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

const ROW = JSON.stringify({ name: 'a', author: 'b', description: 'c' })

test.each<[string, string | Uint8Array | undefined, string]>([
  ['absent', undefined, 'rows.gz cannot be read: ENOENT'],
  ['not compressed', ROW, 'rows.gz cannot be read: incorrect header check'],
  ['truncated', gzipSync(ROW).subarray(0, 20), 'rows.gz cannot be read: unexpected end of file'],
  [
    'without an object in a row',
    gzipSync(`${ROW}\nnull`),
    'rows.gz, line 2: a row must be JSON with',
  ],
  ['without rows', gzipSync(''), 'rows.gz: no word is used by enough authors'],
])('input that is %s -> status 1, and a message with its name', (_, bytes, message) => {
  const folder = makeSampleFolder(bytes === undefined ? {} : { 'rows.gz': bytes })
  const { status, stderr } = spawnSync(
    process.execPath,
    [MAIN, '--from', join(folder, 'rows.gz'), '--to', join(folder, 'table')],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
})
