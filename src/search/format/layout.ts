import { crc32 } from 'node:zlib'
import { joinBytes } from './bytes.ts'

/** Path of the index in the folder of a build. */
export const INDEX_NAME = 'private/search.index'

/** The file is damaged, or another version wrote it. A new build writes a valid file. */
export class InvalidIndexError extends Error {
  override readonly name = 'InvalidIndexError'

  constructor(reason: string, options?: ErrorOptions) {
    super(`The search index cannot be read: ${reason}. Build the site again.`, options)
  }
}

/**
 * Version of the file, and of the tables in a search database. Raise it when their format or the text analysis changes:
 * stems of an old index do not match new stems.
 */
export const INDEX_VERSION = 19

// "SKIX" in little-endian order; a big-endian machine reads a different number and refuses the file.
const MAGIC = 0x58494b53

const KINDS = {
  bytes: Uint8Array,
  signed: Int8Array,
  shorts: Uint16Array,
  words: Uint32Array,
  floats: Float32Array,
  doubles: Float64Array,
} as const

type Kind = keyof typeof KINDS
type ArrayOf<K extends Kind> = InstanceType<(typeof KINDS)[K]>

/** The sections of the head in the order in which they are written, each with its kind of numbers (FORMAT.md). */
const SECTIONS = {
  averages: 'doubles',
  longest: 'words',
  termBytes: 'bytes',
  termBlocks: 'words',
  postingOffsets: 'words',
  wordBytes: 'bytes',
  wordBlocks: 'words',
  wordLeast: 'bytes',
  wordLongest: 'bytes',
  wordTerms: 'words',
  wordLengths: 'bytes',
  nameLengths: 'shorts',
  authorLengths: 'shorts',
  categoryLengths: 'shorts',
  descriptionLengths: 'shorts',
  bodyLengths: 'shorts',
  categories: 'bytes',
  facets: 'words',
  authors: 'words',
  authorBytes: 'bytes',
  authorBlocks: 'words',
  copies: 'words',
  originals: 'words',
  replaced: 'words',
  successors: 'words',
  namesakes: 'words',
  eldest: 'words',
  byInstalls: 'words',
  byViews: 'words',
  byName: 'words',
  byNewest: 'words',
  nameHashes: 'words',
  nameOrdinals: 'words',
  slugBytes: 'bytes',
  slugBlocks: 'words',
  slugOrdinals: 'words',
  documentOffsets: 'words',
  documentChecksums: 'words',
  queryWords: 'bytes',
  categoryNames: 'bytes',
  teams: 'bytes',
  vectorWordBytes: 'bytes',
  vectorWordBlocks: 'words',
  vectorScales: 'floats',
  vectorNumbers: 'signed',
  skillVectors: 'signed',
} as const satisfies Record<string, Kind>

type SectionName = keyof typeof SECTIONS

/** The head of a file: its sections as arrays over one buffer. */
export type Sections = { [Name in SectionName]: ArrayOf<(typeof SECTIONS)[Name]> }

const NAMES = Object.keys(SECTIONS) as SectionName[]

/** The 32-bit words of the header before the table of sections, in their order. */
const HEADER = [
  'magic',
  'version',
  'checksum',
  'headSize',
  'count',
  'postingsSize',
  'postingsChecksum',
  'documentsSize',
  'documentsChecksum',
] as const

export type Header = Record<(typeof HEADER)[number], number>

/** Reads a range of bytes, whose end is exclusive. The bytes are only valid until the next call. */
export type ReadBytes = (from: number, to: number) => Uint8Array

/** Bytes of the header with the table of sections. */
export const HEADER_SIZE = align((HEADER.length + 2 * NAMES.length) * 4)
/** The checksum of the head covers the bytes from here on: all but magic, version and the checksum. */
const CHECKED_FROM = HEADER.indexOf('headSize') * 4
const LARGEST_FILE = 2 ** 32 - 1
/** Largest number of distinct terms in a field: lengths have 16 bits. */
export const LONGEST_FIELD = 0xffff

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8
}

/** Writes the index of `count` skills: the head with its sections, the postings, and the rows. */
export const writeIndex = (
  count: number,
  sections: Sections,
  postings: Uint8Array,
  rows: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> => {
  const places = new Map<SectionName, number>()
  let size = HEADER_SIZE
  for (const name of NAMES) {
    places.set(name, size)
    size = align(size + sections[name].byteLength)
  }
  const rowsSize = rows.reduce((sum, row) => sum + row.length, 0)
  if (size + postings.length + rowsSize > LARGEST_FILE)
    throw new RangeError('A search index must be smaller than 4 GB.')
  const head = new Uint8Array(size)
  const words = new Uint32Array(head.buffer, 0, HEADER_SIZE / 4)
  const header: Header = {
    magic: MAGIC,
    version: INDEX_VERSION,
    checksum: 0,
    headSize: size,
    count,
    postingsSize: postings.length,
    postingsChecksum: crc32(postings),
    documentsSize: rowsSize,
    documentsChecksum: rows.reduce((sum, row) => crc32(row, sum), 0),
  }
  HEADER.forEach((field, at) => (words[at] = header[field]))
  NAMES.forEach((name, at) => {
    const { buffer, byteOffset, byteLength } = sections[name]
    const place = places.get(name) ?? 0
    words.set([place, byteLength], HEADER.length + 2 * at)
    head.set(new Uint8Array(buffer, byteOffset, byteLength), place)
  })
  words[HEADER.indexOf('checksum')] = crc32(head.subarray(CHECKED_FROM))
  return joinBytes([head, postings, ...rows])
}

/** Returns the offset of the first row. */
export const documentsStart = ({ headSize, postingsSize }: Header): number =>
  headSize + postingsSize

/** Reads the header of a file of `size` bytes. Throws InvalidIndexError if it is not an index of this version. */
export const readHeader = (start: Uint8Array, size: number): Header => {
  if (start.length < HEADER_SIZE) throw new InvalidIndexError('it is cut short')
  const view = new Uint32Array(new Uint8Array(start.subarray(0, HEADER_SIZE)).buffer)
  const header = Object.fromEntries(HEADER.map((field, at) => [field, view[at] ?? 0])) as Header
  if (header.magic !== MAGIC) throw new InvalidIndexError('it is not a search index')
  if (header.version !== INDEX_VERSION)
    throw new InvalidIndexError(`its version is ${header.version}, not ${INDEX_VERSION}`)
  if (header.headSize < HEADER_SIZE || documentsStart(header) + header.documentsSize !== size)
    throw new InvalidIndexError(`it has ${size} bytes, which is not the size in its header`)
  return header
}

/** Throws InvalidIndexError if the checksum of the bytes differs. */
export const checkBytes = (bytes: Uint8Array, checksum: number): void => {
  if (crc32(bytes) !== checksum) throw new InvalidIndexError('its checksum does not match')
}

/** Opens the sections of a head. Throws InvalidIndexError if a byte is damaged. */
export const openSections = (bytes: Uint8Array, { checksum }: Header): Sections => {
  checkBytes(bytes.subarray(CHECKED_FROM), checksum)
  // Typed arrays need aligned offsets. Bytes from Node's pool can have others.
  const head = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  const words = new Uint32Array(head.buffer, head.byteOffset, HEADER_SIZE / 4)
  return Object.fromEntries(
    NAMES.map((name, at) => {
      const place = HEADER.length + 2 * at
      const [offset, length] = [words[place]!, words[place + 1]!]
      const array = KINDS[SECTIONS[name]]
      const count = length / array.BYTES_PER_ELEMENT
      return [name, new array(head.buffer as ArrayBuffer, head.byteOffset + offset, count)]
    }),
  ) as Sections
}
