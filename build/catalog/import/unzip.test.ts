import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import JSZip from 'jszip'
import { afterEach, describe, expect, test } from 'vitest'
import { CommandError } from '../faults.ts'
import { makeFolder, readTree, removeFolders, skillMd } from '../sample-folders.ts'
import { ARCHIVE_LIMITS, withUnpacked } from './unzip.ts'

afterEach(removeFolders)

const unpacked = (bytes: Uint8Array, limits = ARCHIVE_LIMITS) =>
  withUnpacked(
    join(makeFolder({ 'a.zip': bytes }), 'a.zip'),
    async (folder) => readTree(folder),
    limits,
  )

const pack = (
  files: Readonly<Record<string, string>>,
  { mode = 0o644, comment = '' } = {},
): Promise<Uint8Array> => {
  const zip = new JSZip()
  for (const [name, text] of Object.entries(files)) {
    zip.file(name, text, { unixPermissions: mode, createFolders: false })
  }
  return zip.generateAsync({
    type: 'uint8array',
    platform: 'UNIX',
    compression: 'DEFLATE',
    comment,
  })
}

const NAMES = Array.from({ length: 11 }, (_, at) => String(at))

const FILES = { 'top/a/SKILL.md': skillMd('a'), 'top/a/references/x.md': 'x' }

test('an archive -> its files as they lie in it', async () => {
  expect(await unpacked(await pack(FILES))).toEqual(FILES)
})

test('an archive of GitHub’s -> without the folder GitHub adds', async () => {
  const bytes = await pack(FILES, { comment: '0123456789'.repeat(4) })
  expect(Object.keys(await unpacked(bytes))).toEqual(['a/SKILL.md', 'a/references/x.md'])
})

describe('refused whole, nothing left behind', () => {
  const limits = { archive: 100_000, unpacked: 1_000_000, entries: 10 }
  test.each<[string, () => Promise<Uint8Array>, RegExp]>([
    ['a path upwards', () => pack({ '../x/SKILL.md': 'x' }), /"..\/x\/SKILL.md", which leads out/],
    ['an absolute path', () => pack({ '/etc/x': 'x' }), /leads out/],
    ['a backslash', () => pack({ '..\\x': 'x' }), /leads out/],
    ['a symlink', () => pack({ 'a/SKILL.md': '/etc/passwd' }, { mode: 0o120777 }), /a link/],
    ['no zip at all', async () => Buffer.from('hello'), /no zip that can be read/],
    [
      '1.2 MB in 2 KB',
      () => pack({ a: '\0'.repeat(600_000), b: '\0'.repeat(600_000) }),
      /more than 1000000 bytes/,
    ],
    ['eleven files', () => pack(Object.fromEntries(NAMES.map((name) => [name, 'x']))), /11 files/],
    ['100,001 bytes', async () => Buffer.alloc(100_001), /at most 100000 are opened/],
    ['a size that is a lie', async () => lie(await pack({ a: 'x'.repeat(99_999) })), /damaged/],
  ])('%s', async (_, make, message) => {
    const bytes = await make()
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('skill-import-'))
    await expect(unpacked(bytes, limits)).rejects.toThrow(CommandError)
    await expect(unpacked(bytes, limits)).rejects.toThrow(message)
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('skill-import-'))
    expect(after).toEqual(before)
  })
})

/** Says in the central header that an entry unpacks to 10 bytes. */
const lie = (bytes: Uint8Array): Uint8Array => {
  const buffer = Buffer.from(bytes)
  buffer.writeUInt32LE(10, buffer.lastIndexOf('PK\u0001\u0002') + 24)
  return buffer
}
