import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import JSZip from 'jszip'
import { Header, Pax } from 'tar'
import { afterEach, describe, expect, test } from 'vitest'
import {
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import { CommandError } from '../../cli/command.ts'
import { ARCHIVE_LIMITS, unpackArchive } from './unpack.ts'

afterEach(removeFolders)

const unpacked = async (bytes: Uint8Array, name = 'a.zip', limits = ARCHIVE_LIMITS) => {
  const path = join(makeSampleFolder({ [name]: bytes }), name)
  const root = await unpackArchive(path, makeSampleFolder(), limits)
  return { files: readSampleTree(root), links: listLinks(root) }
}

const listLinks = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

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

interface TarEntry {
  path: string
  text?: string
  type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
  linkpath?: string
}

/** Packs a tar with unchecked names and links. */
const packTar = (entries: readonly TarEntry[], commit?: string): Buffer => {
  const blocks = entries.flatMap(({ path, text = '', type = 'File', linkpath }) => {
    const body = Buffer.from(text)
    const header = new Header({
      path,
      type,
      size: body.length,
      mode: 0o644,
      ...(linkpath ? { linkpath } : {}),
    })
    const block = Buffer.alloc(512)
    header.encode(block)
    return [block, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  const head = commit === undefined ? [] : [new Pax({ comment: commit }, true).encode()]
  return gzipSync(Buffer.concat([...head, ...blocks, Buffer.alloc(1_024)]))
}

const asTar = (files: Readonly<Record<string, string>>): Buffer =>
  packTar(Object.entries(files).map(([path, text]) => ({ path, text })))

const deep = (folders: number): string => `${'d/'.repeat(folders)}SKILL.md`

describe('an entry that must not be written', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['folders 1,000 deep', { 'ok/SKILL.md': 'x', [deep(1_000)]: 'x' }, /more than 64 nested/],
    ['a name too long', { [`${'x'.repeat(300)}/a`]: 'x' }, /too long for this machine/],
    ['a file where a folder is', { a: 'x', 'a/b': 'x' }, /"a\/b", which another entry is in the/],
  ])('%s -> refused, and no other source with it', async (_what, files, message) => {
    const bytes = await pack(files)
    await expect(unpacked(bytes)).rejects.toThrow(message)
    await expect(unpacked(bytes)).rejects.toThrow(CommandError)
  })
})

test('a zip of 60,000 files -> refused by its directory', async () => {
  const end = Buffer.from(await pack(FILES))
  end.writeUInt16LE(60_000, end.lastIndexOf('PK\x05\x06') + 10)
  await expect(unpacked(end)).rejects.toThrow(/more than 20000 files/)
})

test('a tar of 20,001 files -> refused before the first is written', async () => {
  const bytes = packTar(Array.from({ length: 20_001 }, (_, at) => ({ path: `f/${at}` })))
  const path = join(makeSampleFolder({ 'a.tgz': bytes }), 'a.tgz')
  const into = makeSampleFolder()
  await expect(unpackArchive(path, into)).rejects.toThrow(/more than 20000 files/)
  expect(readdirSync(into)).toEqual([])
})

const NAMES = Array.from({ length: 11 }, (_, at) => String(at))

const COMMIT = '0123456789'.repeat(4)

const FILES = { 'top/a/SKILL.md': sampleSkillMd('a'), 'top/a/references/x.md': 'x' }

const FORMATS: readonly [
  string,
  (files: Readonly<Record<string, string>>) => Promise<Uint8Array>,
][] = [
  ['a.zip', pack],
  ['a.tar.gz', async (files) => asTar(files)],
  ['a.TGZ', async (files) => asTar(files)],
]

test.each(FORMATS)('%s -> its files, unchanged', async (name, make) => {
  expect(await unpacked(await make(FILES), name)).toEqual({ files: FILES, links: [] })
})

test('a tar whose names begin with a dot -> the same', async () => {
  const bytes = asTar({ './a/SKILL.md': 'x' })
  expect((await unpacked(bytes, 'a.tgz')).files).toEqual({ 'a/SKILL.md': 'x' })
})

test.each<[string, () => Promise<Uint8Array>]>([
  ['a.zip', () => pack(FILES, { comment: COMMIT })],
  [
    'a.tar.gz',
    async () =>
      packTar(
        Object.entries(FILES).map(([path, text]) => ({ path, text })),
        COMMIT,
      ),
  ],
])('%s of GitHub’s -> without the folder GitHub adds', async (name, make) => {
  const { files } = await unpacked(await make(), name)
  expect(Object.keys(files)).toEqual(['a/SKILL.md', 'a/references/x.md'])
})

test.each<[string, () => Promise<Uint8Array>]>([
  ['a.zip', () => pack({ 'a/b.md': '../c.md' }, { mode: 0o120777 })],
  [
    'a.tar.gz',
    async () => packTar([{ path: 'a/b.md', type: 'SymbolicLink', linkpath: '../c.md' }]),
  ],
])('%s with a link inside it -> the link', async (name, make) => {
  expect((await unpacked(await make(), name)).links).toEqual(['a/b.md'])
})

const leftovers = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`skill-catalog-${process.pid}-`))

const link = (linkpath: string, type: TarEntry['type'] = 'SymbolicLink') =>
  packTar([{ path: 'a/x', type, linkpath }])

describe('refused as a whole, leaving nothing behind', () => {
  const limits = { archive: 100_000, unpacked: 2_000_000, entries: 10, ratio: 200, depth: 64 }
  const zeros = '\0'.repeat(1_100_000)
  test.each<[string, string, () => Promise<Uint8Array>, RegExp]>([
    [
      'a path upwards',
      'a.zip',
      () => pack({ '../x/SKILL.md': 'x' }),
      /"..\/x\/SKILL.md", which leads out/,
    ],
    ['an absolute path', 'a.zip', () => pack({ '/etc/x': 'x' }), /leads out/],
    ['a backslash', 'a.zip', () => pack({ '..\\x': 'x' }), /leads out/],
    [
      'a symlink out',
      'a.zip',
      () => pack({ 'a/SKILL.md': '/etc/passwd' }, { mode: 0o120777 }),
      /a link/,
    ],
    ['a symlink upwards', 'a.zip', () => pack({ 'a/x': '../../y' }, { mode: 0o120777 }), /a link/],
    ['a device', 'a.zip', () => pack({ a: '' }, { mode: 0o020644 }), /a device/],
    ['no zip at all', 'a.zip', async () => Buffer.from('hello'), /is not a readable zip/],
    ['a megabyte in one kilobyte', 'a.zip', () => pack({ a: zeros }), /zip bomb/],
    ['2.2 MB', 'a.zip', async () => pack({ a: zeros, b: zeros }), /zip bomb|more than 2000000/],
    [
      'eleven files',
      'a.zip',
      () => pack(Object.fromEntries(NAMES.map((name) => [name, 'x']))),
      /more than 10 files/,
    ],
    ['100,001 bytes', 'a.zip', async () => Buffer.alloc(100_001), /the limit is 100000/],
    [
      'a size that is a lie',
      'a.zip',
      async () => lie(await pack({ a: 'x'.repeat(99_999) })),
      /damaged/,
    ],
    ['a path upwards', 'a.tgz', async () => asTar({ '../x/SKILL.md': 'x' }), /leads out/],
    ['an absolute path', 'a.tgz', async () => asTar({ '/etc/x': 'x' }), /leads out/],
    ['a path upwards within', 'a.tgz', async () => asTar({ 'a/../../x': 'x' }), /leads out/],
    ['a symlink out', 'a.tgz', async () => link('/etc/passwd'), /a link that leads out/],
    ['a symlink upwards', 'a.tgz', async () => link('../../x'), /a link that leads out/],
    ['a hard link', 'a.tgz', async () => link('/etc/passwd', 'Link'), /hard link or a device/],
    [
      'a device',
      'a.tgz',
      async () => packTar([{ path: 'x', type: 'CharacterDevice' }]),
      /a device/,
    ],
    ['a pipe', 'a.tgz', async () => packTar([{ path: 'x', type: 'FIFO' }]), /a device/],
    ['one name twice', 'a.tgz', async () => packTar([{ path: 'x' }, { path: 'x' }]), /"x" twice/],
    [
      'a file behind a link',
      'a.tgz',
      async () =>
        packTar([
          { path: 'a', type: 'SymbolicLink', linkpath: 'b' },
          { path: 'a/x', text: 'x' },
        ]),
      /as a link and as a folder/,
    ],
    ['a megabyte in one kilobyte', 'a.tgz', async () => asTar({ a: zeros }), /zip bomb|ratio/],
    [
      'eleven files',
      'a.tgz',
      async () => asTar(Object.fromEntries(NAMES.map((name) => [name, 'x']))),
      /more than 10 files/,
    ],
    [
      'no tar at all',
      'a.tgz',
      async () => gzipSync('hello'.repeat(200)),
      /is not a readable tar.gz/,
    ],
    [
      'a tar cut short',
      'a.tgz',
      async () => asTar({ a: 'x'.repeat(5_000) }).subarray(0, 60),
      /is not a readable tar.gz/,
    ],
    ['a file of another kind', 'a.rar', async () => Buffer.from('x'), /import a folder, a .zip or/],
  ])('%s in %s', async (_, name, make, message) => {
    const bytes = await make()
    await expect(unpacked(bytes, name, limits)).rejects.toThrow(message)
    expect(leftovers()).toEqual([])
  })
})

/** Forges the unpacked size in the central header: 10 bytes. */
const lie = (bytes: Uint8Array): Uint8Array => {
  const buffer = Buffer.from(bytes)
  buffer.writeUInt32LE(10, buffer.lastIndexOf('PK\u0001\u0002') + 24)
  return buffer
}
