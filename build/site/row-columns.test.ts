import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMON, NUMBERS, TEXTS, openColumns, readText, writeColumns } from './row-columns.ts'
import type { ColumnRow, RowColumns, RowPiece } from './row-columns.ts'
import { sampleColumnRow } from './sample-rows.ts'

const ROW: fc.Arbitrary<ColumnRow> = fc.record(
  {
    ...Object.fromEntries(NUMBERS.map((name) => [name, fc.nat(2 ** 40)])),
    ...Object.fromEntries(COMMON.map((name) => [name, fc.constantFrom('ann', 'Bob', '飞', '')])),
    ...Object.fromEntries(TEXTS.map((name) => [name, fc.string({ unit: 'grapheme' })])),
  },
  { noNullPrototype: true },
) as unknown as fc.Arbitrary<ColumnRow>

const reopen = (pieces: readonly RowPiece[], old?: RowColumns): RowColumns => {
  const { head, parts } = writeColumns(pieces, old)
  const bytes = Buffer.from(new Uint8Array(Buffer.concat([Buffer.alloc(8), ...parts])).buffer)
  return openColumns(bytes, 8, head)
}

const readRow = ({ numbers, common, texts }: RowColumns, at: number): ColumnRow =>
  ({
    ...Object.fromEntries(NUMBERS.map((name) => [name, numbers[name][at]])),
    ...Object.fromEntries(COMMON.map((name) => [name, common[name].list[common[name].codes[at]!]])),
    ...Object.fromEntries(TEXTS.map((name) => [name, readText(texts[name], at)])),
  }) as unknown as ColumnRow

const readAll = (columns: RowColumns): ColumnRow[] =>
  Array.from({ length: columns.size }, (_, at) => readRow(columns, at))

test('rows, and rows between stretches of older ones -> as they were written', () => {
  const edits = fc.array(
    fc.record({ from: fc.nat(12), length: fc.integer({ min: 1, max: 5 }), rows: fc.array(ROW) }),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(fc.array(ROW, { maxLength: 12 }), edits, (rows, some) => {
      const old = reopen([{ rows }])
      expect(readAll(old)).toEqual(rows)
      const pieces = some.flatMap(({ from, length, rows: came }): RowPiece[] => {
        const to = Math.min(from + length, rows.length)
        return from < to ? [{ from, to }, { rows: came }] : [{ rows: came }]
      })
      const wanted = pieces.flatMap((piece) =>
        'rows' in piece ? piece.rows : rows.slice(piece.from, piece.to),
      )
      expect(readAll(reopen(pieces, old))).toEqual(wanted)
    }),
  )
})

test('a text that no row has any more is gone from those that rows have in common', () => {
  const rows = [
    { ...sampleColumnRow('one'), author: 'ann' },
    { ...sampleColumnRow('two'), author: 'bob' },
  ]
  const old = reopen([{ rows }])
  expect(reopen([{ from: 1, to: 2 }], old).common.author.list).toEqual(['bob'])
})
