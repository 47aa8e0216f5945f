import { constants, crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { packZip } from '../../machine/zip.ts'
import { CommandError } from '../cli/command.ts'
import { readZip } from './unzip.ts'

/** A file of a zip, with the fields of its headers that a test may change. */
interface Fields {
  path: string | Buffer
  text: string
  /** Its data, where it is not simply the text. */
  packed: Buffer
  flags: number
  method: number
  crc: number
  size: number
  system: number
  mode: number
  offset: number
  /** Extra fields and comment, which are passed over. */
  localExtra: string
  extra: string
  comment: string
  /** What the central directory says instead. */
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

/** Packs a zip as registries did before JSZip: each path marked as UTF-8, what does not shrink stored. */
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
      'of today',
      () => packZip(TEXTS.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))),
    ],
    ['of before', () => makeZip(TEXTS)],
    ['all stored', () => makeZip(TEXTS.map((one) => ({ ...one, method: 0 })))],
    [
      'with extra fields',
      () => makeZip(TEXTS.map((one) => ({ ...one, localExtra: 'abcd', extra: 'abcdefgh' }))),
    ],
    ['with comments', () => makeZip(TEXTS.map((one) => ({ ...one, comment: 'PK\u0001\u0002' })))],
    [
      'of JSZip for DOS',
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

describe('the bit that makes a file a program', () => {
  test.each([
    ['of Unix', { mode: 0o100755 }, true],
    ['without a type', { mode: 0o755 }, true],
    ['for others alone', { mode: 0o100655 }, false],
    ['of another system', { mode: 0o100755, system: 0 }, false],
  ])('%s -> kept where it counts', (_words, fields, isExecutable) => {
    expect(readZip(makeZip([{ ...fields }]))[0]).toMatchObject({ isExecutable })
  })
})

const FIRST = { path: 'SKILL.md' }
const FIRST_AGAIN = { path: 'SKILL.md', offset: 0 }
const ZEROS = '\0'.repeat(32 * 1024 ** 2)
/** 1,000 times 1 MiB of zeros, and an end. */
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

/** `PLAIN` with a hole in it, and with an end record that knows of it. */
const withHole = (at: number, lies: object): Buffer => {
  const zip = makeZip([FIRST, { path: 'a' }], lies)
  return Buffer.concat([zip.subarray(0, at), Buffer.from('hole'), zip.subarray(at)])
}

describe('a hostile zip', () => {
  test.each([
    ['no bytes', Buffer.alloc(0), 'is damaged'],
    ['no file', makeZip([]), 'does not start with SKILL.md'],
    ['another file first', makeZip([{ path: 'a' }, FIRST]), 'does not start with SKILL.md'],
    ['bytes before it', Buffer.concat([Buffer.from('#!'), PLAIN]), 'is damaged'],
    ['bytes after it', Buffer.concat([PLAIN, Buffer.from('PK')]), 'is damaged'],
    ['another zip after it', Buffer.concat([PLAIN, makeZip([FIRST])]), 'is damaged'],
    ['a file that no row names', makeZip([FIRST, { path: 'a' }], { count: 1 }), 'is damaged'],
    ['a row too many', makeZip([FIRST], { count: 2 }), 'is damaged'],
    ['a hole behind the files', withHole(START, { start: START + 4 }), 'is damaged'],
    ['a hole behind the rows', withHole(START + SIZE, { size: SIZE + 4 }), 'is damaged'],
    ['files on another disk', makeZip([FIRST], { here: 2 }), 'is damaged'],
    ['a directory that is too long', makeZip([FIRST], { size: 1e6 }), 'is damaged'],
    ['a directory beyond its end', makeZip([FIRST], { start: 0xfffffff0 }), 'is damaged'],
    ['a row within the files', makeZip([FIRST], { start: 0, size: START }), 'is damaged'],
    ['two rows for one file', makeZip([FIRST, { path: 'a', central: FIRST_AGAIN }]), 'is damaged'],
    ['a row that leads elsewhere', makeZip([{ central: { offset: 9 } }]), 'is damaged'],
    ['a size of its own', makeZip([{ size: 9, central: { size: 54 } }]), 'is damaged'],
    ['another path in the directory', makeZip([{ central: { path: 'SKILL.mx' } }]), 'is damaged'],
    ['a longer path there', makeZip([{ central: { path: 'SKILL.md2' } }]), 'is damaged'],
    ['another size there', makeZip([{ central: { size: 9 } }]), 'is damaged'],
    ['another checksum there', makeZip([{ central: { crc: 9 } }]), 'is damaged'],
    ['another method there', makeZip([{ method: 0, central: { method: 8 } }]), 'is damaged'],
    ['a size below its own', makeZip([{ size: 9 }]), 'is damaged'],
    ['a size above its own', makeZip([{ size: 9_999 }]), 'is damaged'],
    ['a wrong checksum', makeZip([{ crc: 9 }]), 'is damaged'],
    ['text that is no deflate', Buffer.from(PLAIN.with(38, 0xff)), 'is damaged'],
    ['a bomb that says it is small', makeZip([{ text: ZEROS, size: 9 }]), 'is damaged'],
    [
      'a bomb of two',
      makeZip([{ text: ZEROS }, { path: 'a', text: ZEROS }]),
      'file 2 of the zip exceeds the size',
    ],
    ['a size of 64 bits', makeZip([{ size: 0xffffffff }]), 'exceeds the size that clients unpack'],
    ['too many files', makeZip(MANY), 'file 1001 of the zip exceeds the size that clients unpack'],
    [
      'a path twice',
      makeZip([FIRST, { path: 'a' }, { path: 'a' }]),
      'file 3 of the zip has the same path as another file: "a"',
    ],
    [
      'a path out of it',
      makeZip([{ path: '../SKILL.md' }]),
      'a path that is not allowed in a skill: "../SKILL.md"',
    ],
    [
      'a path from the root',
      makeZip([{ path: '/SKILL.md' }]),
      'a path that is not allowed in a skill',
    ],
    [
      'a path of Windows',
      makeZip([{ path: 'a\\SKILL.md' }]),
      'a path that is not allowed in a skill',
    ],
    ['a hidden path', makeZip([{ path: '.git/config' }]), 'a path that is not allowed in a skill'],
    [
      'a folder',
      makeZip([FIRST, { path: 'a/', text: '' }]),
      'a path that is not allowed in a skill',
    ],
    ['no path', makeZip([{ path: '' }]), 'a path that is not allowed in a skill'],
    [
      'a path that is no UTF-8',
      makeZip([{ path: Buffer.of(0xc3) }]),
      'a path that is not allowed in a skill',
    ],
    [
      'a path that does not say UTF-8',
      makeZip([{ path: 'é', flags: 0 }]),
      'a path that is not allowed in a skill',
    ],
    ['a link', makeZip([{ mode: 0o120777 }]), 'is not a regular file'],
    ['a device', makeZip([{ mode: 0o020666 }]), 'is not a regular file'],
    ['an encrypted file', makeZip([{ flags: 0x0801 }]), 'uses an unsupported zip feature'],
    ['sizes after the file', makeZip([{ flags: 0x0808 }]), 'uses an unsupported zip feature'],
    ['another method', makeZip([{ method: 12 }]), 'uses an unsupported zip feature'],
  ])('with %s -> refused', (_words, zip, words) => {
    expect(() => readZip(zip)).toThrow(CommandError)
    expect(() => readZip(zip)).toThrow(words)
  })

  test('a bomb of 1 GiB takes no time', () => {
    const zip = makeZip([{ packed: BOMB, size: 9 }])
    const before = process.cpuUsage()
    expect(() => readZip(zip)).toThrow('is damaged')
    expect(process.cpuUsage(before).user).toBeLessThan(200_000)
  })
})

/** What is read of a zip; undefined if it is refused, as all else must be. */
const tryRead = (zip: Buffer) => {
  try {
    return readZip(zip).map(({ path, bytes }) => [path, String(bytes)])
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

const TOUCHED = makeZip(TEXTS)

test('cut anywhere -> refused', () => {
  const cut = Array.from(TOUCHED.keys(), (length) => tryRead(TOUCHED.subarray(0, length)))
  expect(new Set(cut)).toEqual(new Set([undefined]))
})

const other = fc.record({ at: fc.nat(TOUCHED.length - 1), byte: fc.nat(255) })

test('with other bytes -> the same files, or refused', () =>
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

test('of random pieces -> refused', () =>
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(tryRead(Buffer.concat(pieces))).toBeUndefined()
    }),
    { numRuns: 2_000 },
  ))
