import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestRow, isAsDigested, updateDigests } from './digests.ts'

const NONE = new Uint8Array()

const tableOf = (files: ReadonlyMap<string, string>): Buffer =>
  updateDigests(
    NONE,
    [],
    [...files].map(([name, text]) => digestRow(name, text)),
  )

const NAMES = fc.integer({ min: 0, max: 60 }).map((at) => `public/${at}.html`)
const BUILDS = fc.array(
  fc.record({
    removed: fc.uniqueArray(NAMES, { maxLength: 8 }),
    written: fc.uniqueArray(fc.tuple(NAMES, fc.string()), {
      maxLength: 12,
      selector: ([name]) => name,
    }),
  }),
  { maxLength: 8 },
)

test('after incremental builds the table equals that of a clean build', () => {
  fc.assert(
    fc.property(BUILDS, (builds) => {
      const files = new Map<string, string>()
      let table: Uint8Array = NONE
      for (const { removed, written } of builds) {
        for (const name of removed) files.delete(name)
        for (const [name, text] of written) files.set(name, text)
        const rows = written.map(([name, text]) => digestRow(name, text))
        table = updateDigests(table, removed, rows)
      }
      expect(Buffer.from(table)).toEqual(tableOf(files))
    }),
  )
})

test('distinguishes equal, different and unlisted files', () => {
  const table = tableOf(new Map(Array.from({ length: 500 }, (_, at) => [`f${at}`, `text ${at}`])))
  const ask = (name: string, text: string) => isAsDigested(table, name, Buffer.from(text))
  expect([ask('f7', 'text 7'), ask('f7', 'text 8'), ask('f500', 'text')]).toEqual([
    true,
    false,
    undefined,
  ])
})
