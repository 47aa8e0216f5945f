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
  ['no archive', ROW, 'rows.gz cannot be read: incorrect header check'],
  ['cut', gzipSync(ROW).subarray(0, 20), 'rows.gz cannot be read: unexpected end of file'],
  ['of other rows', gzipSync(`${ROW}\nnull`), 'rows.gz, line 2: a row is JSON with the texts'],
  ['without rows', gzipSync(''), 'rows.gz: no word is used by enough authors'],
])('a file that is %s -> 1, with its name', (_, bytes, says) => {
  const folder = makeSampleFolder(bytes === undefined ? {} : { 'rows.gz': bytes })
  const { status, stderr } = spawnSync(
    process.execPath,
    [MAIN, '--from', join(folder, 'rows.gz'), '--to', join(folder, 'table')],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining(says)])
})
