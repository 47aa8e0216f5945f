import { constants, crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { packZip } from '../build/machine/zip.ts'
import { CommandError } from '../build/catalog/cli/command.ts'
import { readZip } from './unzip.ts'

/** A file in a zip, with the header fields that a test can change. */
interface Fields {
  path: string | Buffer
  text: string
  /** Its stored data, if not derived from the text. */
  packed: Buffer
  flags: number
  method: number
  crc: number
  size: number
  system: number
  mode: number
  offset: number
  /** Extra fields and comment, which readers skip. */
  localExtra: string
  extra: string
  comment: string
  /** Values in the central directory that differ from the local header. */
  central: Partial<Fields>
}

const u16 = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)

/** The fields that both headers have, from the flags to the length of the name (APPNOTE 4.3.7). */
const commonOf = (data: Buffer, { path, flags, method, crc, size }: Fields): Buffer =>
  Buffer.concat([
    Buffer.concat([u16(flags), u16(method), u16(0), u16(0x21), u32(crc)]),
    Buffer.concat([u32(data.length), u32(size), u16(Buffer.from(path).length)]),
  ])

const localOf = (data: Buffer, fields: Fields): Buffer => {
  const { path, localExtra } = fields
  const sizes = [commonOf(data, fields), u16(localExtra.length)]
  const name = Buffer.from(path)
  return Buffer.concat([u32(0x04034b50), u16(20), ...sizes, name, Buffer.from(localExtra), data])
}

const centralOf = (data: Buffer, fields: Fields): Buffer => {
  const { path, system, mode, offset, extra, comment } = fields
  const sizes = [commonOf(data, fields), u16(extra.length), u16(comment.length)]
  const attributes = [u16(0), u16(0), u32(mode * 0x10000), u32(offset)]
  const words = [Buffer.from(path), Buffer.from(extra), Buffer.from(comment)]
  const begin = [u32(0x02014b50), u16((system << 8) | 20), u16(20)]
  return Buffer.concat([...begin, ...sizes, ...attributes, ...words])
}

/** Packs a zip as registries did before JSZip: paths marked as UTF-8, and files stored if they do not shrink. */
const makeZip = (
  files: readonly Partial<Fields>[],
  lies: Partial<Record<'here' | 'count' | 'size' | 'start', number>> = {},
): Buffer => {
  const [locals, rows]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { central = {}, ...given } of files) {
    const text = Buffer.from(given.text ?? 'Text.\n'.repeat(9))
    const deflated = deflateRawSync(text)
    const method = given.method ?? (deflated.length < text.length ? 8 : 0)
    const data = given.packed ?? (method === 8 ? deflated : text)
    const usual = { path: 'SKILL.md', flags: 1 << 11, system: 3, mode: 0o100644, offset }
    const parts = { text: '', packed: data, localExtra: '', extra: '', comment: '', central: {} }
    const measured = { method, crc: crc32(text), size: text.length }
    const fields = { ...usual, ...parts, ...measured, ...given }
    locals.push(localOf(data, fields))
    rows.push(centralOf(data, { ...fields, ...central }))
    offset += locals.at(-1)!.length
  }
  const directory = Buffer.concat(rows)
  const { count = files.length, here = count, size = directory.length, start = offset } = lies
  const end = [u32(0x06054b50), u32(0), u16(here), u16(count), u32(size), u32(start), u16(0)]
  return Buffer.concat([...locals, directory, ...end])
}

const read = (zip: Buffer): object[] =>
  readZip(zip).map(({ path, bytes, isExecutable }) => [path, String(bytes), isExecutable])

const NAMES = ['SKILL.md', 'empty', 'scripts/é.sh', '中/12.md']
const TEXTS = NAMES.map((path) => ({ path, text: path === 'empty' ? '' : `${path}\n`.repeat(20) }))
const READ = TEXTS.map(({ path, text }) => [path, text, false])

describe('readZip', () => {
  test.each([
    [
      'packed by this version',
      () => packZip(TEXTS.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))),
    ],
    ['packed by older versions', () => makeZip(TEXTS)],
    ['without compression', () => makeZip(TEXTS.map((one) => ({ ...one, method: 0 })))],
    [
      'with extra fields',
      () => makeZip(TEXTS.map((one) => ({ ...one, localExtra: 'abcd', extra: 'abcdefgh' }))),
    ],
    ['with comments', () => makeZip(TEXTS.map((one) => ({ ...one, comment: 'PK\u0001\u0002' })))],
    [
      'packed by JSZip for DOS',
      () => {
        const zip = new JSZip()
        for (const { path, text } of TEXTS) zip.file(path, text, { createFolders: false })
        return zip.generateAsync({ type: 'nodebuffer' })
      },
    ],
  ])('a zip %s -> its files', async (_words, make) => {
    expect(read(await make()).sort()).toEqual(READ.toSorted())
  })
})

describe('the executable bit', () => {
  test.each([
    ['from Unix', { mode: 0o100755 }, true],
    ['without a type', { mode: 0o755 }, true],
    ['only for other users', { mode: 0o100655 }, false],
    ['from another system', { mode: 0o100755, system: 0 }, false],
  ])('%s -> executable only if the owner may run the file', (_words, fields, isExecutable) => {
    expect(readZip(makeZip([{ ...fields }]))[0]).toMatchObject({ isExecutable })
  })
})

const FIRST = { path: 'SKILL.md' }
const FIRST_AGAIN = { path: 'SKILL.md', offset: 0 }
const ZEROS = '\0'.repeat(32 * 1024 ** 2)
/** A bomb: 1,000 times 1 MiB of zeros. */
const BOMB = Buffer.concat([
  ...Array<Buffer>(1_000).fill(
    deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH }),
  ),
  deflateRawSync(''),
])
const MANY = Array.from({ length: 1_001 }, (_one, at) => ({
  path: at === 0 ? 'SKILL.md' : `${at}`,
}))
const PLAIN = makeZip([FIRST, { path: 'a' }])
const START = PLAIN.readUInt32LE(PLAIN.length - 6)
const SIZE = PLAIN.length - 22 - START

/** Inserts a gap into `PLAIN`, with an end record that accounts for it. */
const withHole = (at: number, lies: object): Buffer => {
  const zip = makeZip([FIRST, { path: 'a' }], lies)
  return Buffer.concat([zip.subarray(0, at), Buffer.from('hole'), zip.subarray(at)])
}

describe('a hostile zip', () => {
  test.each([
    ['zero bytes', Buffer.alloc(0), 'is damaged'],
    ['zero files', makeZip([]), 'does not start with SKILL.md'],
    ['another file first', makeZip([{ path: 'a' }, FIRST]), 'does not start with SKILL.md'],
    ['leading bytes', Buffer.concat([Buffer.from('#!'), PLAIN]), 'is damaged'],
    ['trailing bytes', Buffer.concat([PLAIN, Buffer.from('PK')]), 'is damaged'],
    ['another zip appended', Buffer.concat([PLAIN, makeZip([FIRST])]), 'is damaged'],
    ['a file without a row', makeZip([FIRST, { path: 'a' }], { count: 1 }), 'is damaged'],
    ['a row without a file', makeZip([FIRST], { count: 2 }), 'is damaged'],
    ['a gap after the files', withHole(START, { start: START + 4 }), 'is damaged'],
    ['a gap after the rows', withHole(START + SIZE, { size: SIZE + 4 }), 'is damaged'],
    ['files on another disk', makeZip([FIRST], { here: 2 }), 'is damaged'],
    ['a directory that is too long', makeZip([FIRST], { size: 1e6 }), 'is damaged'],
    ['a directory beyond the end', makeZip([FIRST], { start: 0xfffffff0 }), 'is damaged'],
    ['a row within the files', makeZip([FIRST], { start: 0, size: START }), 'is damaged'],
    ['two rows for one file', makeZip([FIRST, { path: 'a', central: FIRST_AGAIN }]), 'is damaged'],
    ['a row with a wrong offset', makeZip([{ central: { offset: 9 } }]), 'is damaged'],
    ['a packed size too large', makeZip([{ size: 9, central: { size: 54 } }]), 'is damaged'],
    ['another path in the directory', makeZip([{ central: { path: 'SKILL.mx' } }]), 'is damaged'],
    ['a longer path in the directory', makeZip([{ central: { path: 'SKILL.md2' } }]), 'is damaged'],
    ['another size in the directory', makeZip([{ central: { size: 9 } }]), 'is damaged'],
    ['another checksum in the directory', makeZip([{ central: { crc: 9 } }]), 'is damaged'],
    [
      'another method in the directory',
      makeZip([{ method: 0, central: { method: 8 } }]),
      'is damaged',
    ],
    ['a size below the actual size', makeZip([{ size: 9 }]), 'is damaged'],
    ['a size above the actual size', makeZip([{ size: 9_999 }]), 'is damaged'],
    ['a wrong checksum', makeZip([{ crc: 9 }]), 'is damaged'],
    ['data that is not DEFLATE', Buffer.from(PLAIN.with(38, 0xff)), 'is damaged'],
    ['a bomb that claims to be small', makeZip([{ text: ZEROS, size: 9 }]), 'is damaged'],
    [
      'a bomb of two files',
      makeZip([{ text: ZEROS }, { path: 'a', text: ZEROS }]),
      'file 2 of the zip exceeds the size',
    ],
    ['a ZIP64 size', makeZip([{ size: 0xffffffff }]), 'exceeds the size that clients unpack'],
    ['too many files', makeZip(MANY), 'file 1001 of the zip exceeds the size that clients unpack'],
    [
      'a duplicate path',
      makeZip([FIRST, { path: 'a' }, { path: 'a' }]),
      'file 3 of the zip has the same path as another file: "a"',
    ],
    [
      'a path out of the folder',
      makeZip([{ path: '../SKILL.md' }]),
      'a path that is not allowed in a skill: "../SKILL.md"',
    ],
    ['an absolute path', makeZip([{ path: '/SKILL.md' }]), 'a path that is not allowed in a skill'],
    ['a Windows path', makeZip([{ path: 'a\\SKILL.md' }]), 'a path that is not allowed in a skill'],
    ['a hidden path', makeZip([{ path: '.git/config' }]), 'a path that is not allowed in a skill'],
    [
      'a folder',
      makeZip([FIRST, { path: 'a/', text: '' }]),
      'a path that is not allowed in a skill',
    ],
    ['an empty path', makeZip([{ path: '' }]), 'a path that is not allowed in a skill'],
    [
      'a path that is not UTF-8',
      makeZip([{ path: Buffer.of(0xc3) }]),
      'a path that is not allowed in a skill',
    ],
    [
      'a UTF-8 path without the flag',
      makeZip([{ path: 'é', flags: 0 }]),
      'a path that is not allowed in a skill',
    ],
    ['a link', makeZip([{ mode: 0o120777 }]), 'is not a regular file'],
    ['a device', makeZip([{ mode: 0o020666 }]), 'is not a regular file'],
    ['an encrypted file', makeZip([{ flags: 0x0801 }]), 'uses an unsupported zip feature'],
    ['a data descriptor', makeZip([{ flags: 0x0808 }]), 'uses an unsupported zip feature'],
    ['another method', makeZip([{ method: 12 }]), 'uses an unsupported zip feature'],
  ])('with %s -> refused', (_words, zip, words) => {
    expect(() => readZip(zip)).toThrow(CommandError)
    expect(() => readZip(zip)).toThrow(words)
  })

  test('a bomb of 1 GiB is refused quickly', () => {
    const zip = makeZip([{ packed: BOMB, size: 9 }])
    const before = process.cpuUsage()
    expect(() => readZip(zip)).toThrow('is damaged')
    expect(process.cpuUsage(before).user).toBeLessThan(200_000)
  })
})

/** Reads a zip; undefined if it is refused. Any other error fails the test. */
const tryRead = (zip: Buffer) => {
  try {
    return readZip(zip).map(({ path, bytes }) => [path, String(bytes)])
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

const TOUCHED = makeZip(TEXTS)

test('truncated anywhere -> refused', () => {
  const cut = Array.from(TOUCHED.keys(), (length) => tryRead(TOUCHED.subarray(0, length)))
  expect(new Set(cut)).toEqual(new Set([undefined]))
})

const other = fc.record({ at: fc.nat(TOUCHED.length - 1), byte: fc.nat(255) })

test('with altered bytes -> the same files, or refused', () =>
  fc.assert(
    fc.property(fc.array(other, { minLength: 1, maxLength: 3 }), (changes) => {
      const zip = Buffer.from(TOUCHED)
      for (const { at, byte } of changes) zip[at] = byte
      expect([undefined, tryRead(TOUCHED)]).toContainEqual(tryRead(zip))
    }),
    { numRuns: 3_000 },
  ))

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 9 }),
  fc
    .constantFrom('PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006')
    .map((text) => Buffer.from(text)),
  fc.nat({ max: TOUCHED.length }).map((at) => TOUCHED.subarray(at, at + 60)),
)

test('assembled from random pieces -> refused', () =>
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(tryRead(Buffer.concat(pieces))).toBeUndefined()
    }),
    { numRuns: 2_000 },
  ))
