/** Numbers of a row. */
export const NUMBERS = [
  'id',
  'views',
  'installs',
  'size',
  'files',
  'from',
  'length',
  'check',
] as const

/** Texts that many rows have in common. */
export const COMMON = ['author', 'category', 'updated', 'visibility'] as const

/** Texts of a row alone. */
export const TEXTS = [
  'slug',
  'name',
  'digest',
  'told',
  'key',
  'sha256',
  'nearest',
  'signature',
] as const

type NumberName = (typeof NUMBERS)[number]
type CommonName = (typeof COMMON)[number]
type TextName = (typeof TEXTS)[number]

/** A row as it is written. */
export type ColumnRow = Record<NumberName, number> & Record<CommonName | TextName, string>

/** Texts one behind the other, and where each ends. */
export interface TextColumn {
  ends: Uint32Array
  bytes: Buffer
}

interface CommonColumn {
  codes: Uint32Array
  list: readonly string[]
}

/** Many rows, each value of which is read when it is asked for. */
export interface RowColumns {
  size: number
  numbers: Record<NumberName, Float64Array>
  common: Record<CommonName, CommonColumn>
  texts: Record<TextName, TextColumn>
}

/** What must be known of columns before they are read. */
export interface ColumnsHead {
  size: number
  lists: Record<CommonName, readonly string[]>
  /** Bytes of each column of texts. */
  lengths: Record<TextName, number>
}

const byName = <Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>

/** Every part begins at a multiple of the widest number. */
export const WIDTH = Float64Array.BYTES_PER_ELEMENT

/** Reads the text of a row. */
export const readText = ({ ends, bytes }: TextColumn, row: number): string =>
  bytes.toString('utf8', row === 0 ? 0 : ends[row - 1], ends[row])

/** Takes over a column that another thread gave, which has its bytes without what a buffer can do. */
export const takeOver = ({ ends, bytes }: TextColumn): TextColumn => ({
  ends,
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
})

/** Opens columns that begin at a place of some bytes, a multiple of their width. */
export const openColumns = (bytes: Buffer, start: number, head: ColumnsHead): RowColumns => {
  const { size, lists, lengths } = head
  let at = bytes.byteOffset + start
  const take = (length: number): number => {
    const from = at
    at += Math.ceil(length / WIDTH) * WIDTH
    return from
  }
  const takeWords = (): Uint32Array => new Uint32Array(bytes.buffer, take(4 * size), size)
  return {
    size,
    numbers: byName(NUMBERS, () => new Float64Array(bytes.buffer, take(WIDTH * size), size)),
    common: byName(COMMON, (name) => ({ codes: takeWords(), list: lists[name] })),
    texts: byName(TEXTS, (name) => ({
      ends: takeWords(),
      bytes: Buffer.from(bytes.buffer, take(lengths[name]), lengths[name]),
    })),
  }
}

/** Rows that are written one behind the other: a stretch of older columns, or new ones. */
export type RowPiece = { from: number; to: number } | { rows: readonly ColumnRow[] }

type Old = RowColumns | undefined

const sizeOf = (piece: RowPiece): number =>
  'rows' in piece ? piece.rows.length : piece.to - piece.from

const writeNumbers = (
  name: NumberName,
  size: number,
  pieces: readonly RowPiece[],
  old: Old,
): Float64Array => {
  const column = new Float64Array(size)
  let at = 0
  for (const piece of pieces) {
    if ('rows' in piece) for (const [row, one] of piece.rows.entries()) column[at + row] = one[name]
    else column.set(old!.numbers[name].subarray(piece.from, piece.to), at)
    at += sizeOf(piece)
  }
  return column
}

const writeCommon = (
  name: CommonName,
  size: number,
  pieces: readonly RowPiece[],
  old: Old,
): CommonColumn => {
  const codes = new Uint32Array(size)
  const known = new Map<string, number>()
  const codeOf = (text: string): number => {
    const code = known.get(text) ?? known.size
    known.set(text, code)
    return code
  }
  // Numbered anew each time, so that what no row has any more goes.
  const moved = new Int32Array(old?.common[name].list.length ?? 0).fill(-1)
  const move = ({ codes: from, list }: CommonColumn, row: number): number => {
    const code = from[row]!
    if (moved[code] === -1) moved[code] = codeOf(list[code]!)
    return moved[code]!
  }
  let at = 0
  for (const piece of pieces) {
    if ('rows' in piece) for (const one of piece.rows) codes[at++] = codeOf(one[name])
    else
      for (let row = piece.from; row < piece.to; row += 1)
        codes[at++] = move(old!.common[name], row)
  }
  return { codes, list: [...known.keys()] }
}

const writeTexts = (
  name: TextName,
  size: number,
  pieces: readonly RowPiece[],
  old: Old,
): { ends: Uint32Array; parts: Uint8Array[]; length: number } => {
  const ends = new Uint32Array(size)
  const parts: Uint8Array[] = []
  let length = 0
  let at = 0
  for (const piece of pieces) {
    if ('rows' in piece) {
      for (const one of piece.rows) ends[at++] = length += Buffer.byteLength(one[name])
      parts.push(Buffer.from(piece.rows.map((one) => one[name]).join('')))
    } else {
      const { ends: were, bytes } = old!.texts[name]
      const first = piece.from === 0 ? 0 : were[piece.from - 1]!
      const part = bytes.subarray(first, were[piece.to - 1])
      for (let row = piece.from; row < piece.to; row += 1) ends[at++] = length + were[row]! - first
      parts.push(part)
      length += part.length
    }
  }
  return { ends, parts, length }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Gives what follows so many bytes, so that the next part begins at a multiple. */
export const padAfter = (length: number): Uint8Array =>
  new Uint8Array((WIDTH - (length % WIDTH)) % WIDTH)

const pad = (parts: readonly Uint8Array[], length: number): Uint8Array[] => [
  ...parts,
  padAfter(length),
]

const padWords = (column: Uint32Array): Uint8Array[] => pad([bytesOf(column)], column.byteLength)

/** Writes columns out of pieces, none of them empty; what stayed of older ones is copied, not read. */
export const writeColumns = (
  pieces: readonly RowPiece[],
  old: Old,
): { head: ColumnsHead; parts: Uint8Array[] } => {
  const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
  const common = byName(COMMON, (name) => writeCommon(name, size, pieces, old))
  const texts = byName(TEXTS, (name) => writeTexts(name, size, pieces, old))
  return {
    head: {
      size,
      lists: byName(COMMON, (name) => common[name].list),
      lengths: byName(TEXTS, (name) => texts[name].length),
    },
    parts: [
      ...NUMBERS.map((name) => bytesOf(writeNumbers(name, size, pieces, old))),
      ...COMMON.flatMap((name) => padWords(common[name].codes)),
      ...TEXTS.flatMap((name) =>
        padWords(texts[name].ends).concat(pad(texts[name].parts, texts[name].length)),
      ),
    ],
  }
}
