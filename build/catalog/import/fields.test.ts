import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { SkipError } from './bad-file.ts'
import { cleanFields, cutAtWord } from './fields.ts'

const RECORD = {
  id: 1,
  author: 'ada',
  category: 'Coding',
  updated: '2026-01-02',
  source: { kind: 'own' },
}

describe('front matter -> fields of a record', () => {
  const cases: readonly [string, string, string, string, string, RegExp[]][] = [
    ['plain text', 'csv', 'Cleans.', 'csv', 'Cleans.', []],
    ['blanks around are no loss', ' csv ', ' Cleans. ', 'csv', 'Cleans.', []],
    ['a line end in the name', 'a\r\nb', 'c', 'a b', 'c', [/"a\\r\\nb" is shown as "a b"/]],
    ['hidden characters in the name', 'a\u200Bb', 'c', 'ab', 'c', [/a\\u\{200B\}b/]],
    ['an escape in the description', 'a', 'b\u001B[31mc', 'a', 'b[31mc', [/were removed/]],
    ['paragraphs stay', 'a', 'b\nc\n\n\n\nd', 'a', 'b\nc\n\nd', []],
    ['CRLF and a lone CR', 'a', 'b\r\nc\rd', 'a', 'b\nc\nd', []],
    ['a description of 1,025', 'a', 'b'.repeat(1_025), 'a', 'b'.repeat(1_025), [/allows 1024/]],
    ['a name of 101', 'n'.repeat(101), 'c', `${'n'.repeat(99)}…`, 'c', [/is shown as/]],
    ['a description of 4,100', 'a', 'b '.repeat(2_050), 'a', `${'b '.repeat(2_047)}b…`, [/cut/]],
  ]
  test.each(cases)('%s', (_, name, description, wantedName, wantedDescription, messages) => {
    const cleaned = cleanFields({ name, description }, 'folder')
    expect(cleaned.fields).toEqual({ name: wantedName, description: wantedDescription })
    expect(cleaned.messages).toHaveLength(messages.length)
    for (const [index, message] of messages.entries()) {
      expect(cleaned.messages[index]).toMatch(message)
    }
  })
  test.each([
    [{ name: 'a' }, 'description'],
    [{ name: 'a', description: '\u0000 \u202E' }, 'description'],
  ])('%j -> no %s', (front, field) => {
    expect(() => cleanFields(front, 'folder')).toThrow(`the front matter has no ${field}`)
  })
})

test.each([{}, { name: '' }, { name: '\u200B' }])(
  '%j -> the folder’s name, with a message',
  (front) => {
    expect(cleanFields({ ...front, description: 'b' }, 'csv tools')).toEqual({
      fields: { name: 'csv tools', description: 'b' },
      messages: [expect.stringContaining('"csv tools", is used')],
    })
  },
)

test('no name and no folder’s name -> refused', () => {
  expect(() => cleanFields({ description: 'b' }, '')).toThrow('the front matter has no name')
})

test('any front matter -> fields that the schema accepts', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6_000 })
  fc.assert(
    fc.property(text, text, text, (name, description, folder) => {
      try {
        const { fields } = cleanFields({ name, description }, folder)
        expect(skillRecord.safeParse({ ...RECORD, ...fields }).error).toBeUndefined()
      } catch (error) {
        expect(error).toBeInstanceOf(SkipError)
      }
    }),
  )
})

test('a cut never splits a character or exceeds its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(30), (text, limit) => {
      const cut = cutAtWord(text, limit + 2)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(limit + 2)
    }),
  )
})
