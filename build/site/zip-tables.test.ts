import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderDump, renderSums } from './zip-tables.ts'
import type { ZipRow } from './zip-tables.ts'

const ROW: ZipRow = {
  id: 12,
  slug: 'csv-clean',
  sha256: 'a'.repeat(64),
  size: 5,
  updated: '2026-02-03',
  category: 'Data & Analytics',
  source: 'https://git.example/a/b',
  isListed: true,
}

test('a line of the dump has six fields, null if unknown', () => {
  expect(renderDump([ROW, { ...ROW, id: 13, updated: null, source: null }])).toBe(
    [
      `{"id":12,"slug":"csv-clean","digest":"sha256:${ROW.sha256}","updated":"2026-02-03","category":"Data & Analytics","source":"https://git.example/a/b"}\n`,
      `{"id":13,"slug":"csv-clean","digest":"sha256:${ROW.sha256}","updated":null,"category":"Data & Analytics","source":null}\n`,
    ].join(''),
  )
})

test('a line of the checksums has the file name of the download', () => {
  expect(renderSums([ROW])).toBe(`${ROW.sha256}  csv-clean.zip\n`)
})

test('a gone skill is not listed', () => {
  const rows = [{ ...ROW, isListed: false }]
  expect([renderDump(rows), renderSums(rows)]).toEqual(['', ''])
})

test('a stranger’s text cannot break a line of the dump', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\n{"id":1}\n', '\r\u0085')),
      ),
      (sources) => {
        const rows = sources.map((source, at) => ({ ...ROW, id: at + 1, source }))
        const lines = renderDump(rows).split('\n')
        expect(lines.pop()).toBe('')
        expect(lines.map((line) => JSON.parse(line) as { id: number; source: string })).toEqual(
          rows.map(({ id, source }) => expect.objectContaining({ id, source })),
        )
      },
    ),
  ))
