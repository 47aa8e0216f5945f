import { expect, test } from 'vitest'
import { sampleSkillMd } from '../../../testing/sample-folders.ts'
import { findBadFile, SkipError, cleanFields, cutAtWord, chooseSlug } from './skill-md.ts'
import fc from 'fast-check'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { isSlug } from '../../../src/catalog/text.ts'

const CONFLICT = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n'

// What is refused, whole files show in the test of malformed files; these are close to it.
test.each<[string, string, string | undefined]>([
  ['an empty file', '', 'blank'],
  ['HTML without a doctype', '<html lang="en">', 'html'],
  ['a conflict, CRLF', sampleSkillMd('a', 'b', CONFLICT.replaceAll('\n', '\r\n')), 'conflict'],
  ['a conflict shown in a fence', sampleSkillMd('a', 'b', `\`\`\`\n${CONFLICT}\`\`\``), undefined],
  ['a heading underlined with =', sampleSkillMd('a', 'b', 'Title\n=======\n'), undefined],
  ['HTML in the body', sampleSkillMd('a', 'b', '<html>'), undefined],
  ['a text that names SKILL.md', 'Read the SKILL.md', undefined],
])('%s', (_, text, rule) => {
  expect(findBadFile(text)?.rule).toBe(rule)
})

test('300 KB crafted to slow down a pattern -> checked quickly', () => {
  const before = process.cpuUsage()
  for (const unit of ['<<<<<<<', '../', '\n\n', '`'.repeat(3), '~\n']) {
    findBadFile(unit.repeat(300_000 / unit.length))
  }
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
})

const RECORD = {
  id: 1,
  author: 'ada',
  category: 'Coding',
  updated: '2026-01-02',
  source: { kind: 'own' },
}

const LONG = 'n'.repeat(97)

const cases: readonly [string, string, string, string, string, RegExp[]][] = [
  ['plain text', 'csv', 'Cleans.', 'csv', 'Cleans.', []],
  ['surrounding blanks are dropped silently', ' csv ', ' Cleans. ', 'csv', 'Cleans.', []],
  ['a line ending in the name', 'a\r\nb', 'c', 'a b', 'c', [/"a\\r\\nb" is shown as "a b"/]],
  ['joiners stay', 'ශ්\u200Dරී', 'র\u200D্যাব', 'ශ්\u200Dරී', 'র\u200D্যাব', []],
  ['a cut beside a hyphen', `${LONG}\u00ADnnnnnn`, 'c', `${LONG}n…`, 'c', [/is/]],
  ['an escape in the description', 'a', 'b\u001B[31mc', 'a', 'b[31mc', [/were removed/]],
  ['paragraphs stay', 'a', 'b\nc\n\n\n\nd', 'a', 'b\nc\n\nd', []],
  ['CRLF and a lone CR', 'a', 'b\r\nc\rd', 'a', 'b\nc\nd', []],
  ['a name of 101', 'n'.repeat(101), 'c', `${'n'.repeat(99)}…`, 'c', [/is shown as/]],
  ['a description of 4,100', 'a', 'b '.repeat(2_050), 'a', `${'b '.repeat(2_047)}b…`, [/cut/]],
]
test.each(cases)(
  'front matter, %s -> fields of a record',
  (_, name, description, wantedName, wantedDescription, messages) => {
    const cleaned = cleanFields({ name, description }, 'folder')
    expect(cleaned.fields).toEqual({ name: wantedName, description: wantedDescription })
    expect(cleaned.messages).toEqual(messages.map((one) => expect.stringMatching(one)))
  },
)

test('no visible name -> that of the folder, with a message; without it, or no visible description -> refused', () => {
  expect(cleanFields({ name: '\u200B', description: 'b' }, 'csv tools')).toEqual({
    fields: { name: 'csv tools', description: 'b' },
    messages: [expect.stringContaining('"csv tools", is used')],
  })
  expect(() => cleanFields({ description: 'b' }, '')).toThrow('the front matter has no name')
  const hidden = { name: 'a', description: '\u0000 \u202E' }
  expect(() => cleanFields(hidden, 'folder')).toThrow('the front matter has no description')
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
    { numRuns: 20 },
  )
})

test('a cut text never splits a character or exceeds the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(30), (text, limit) => {
      const cut = cutAtWord(text, limit + 2)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(limit + 2)
    }),
  )
})

const named = (name: string, more: object = {}) => ({
  name,
  folderName: 'folder',
  author: 'ada',
  id: 7,
  ...more,
})

test.each<[name: string, slug: string, more?: object]>([
  ['CSV Clean!', 'csv-clean'],
  ['  --a__b--  ', 'a-b'],
  ['Café Über', 'cafe-uber'],
  ['ﬁne①', 'fine1'],
  ['../../etc/passwd', 'etc-passwd'],
  ['x\r\nSet-Cookie: a=b', 'x-set-cookie-a-b'],
  ['数据', 'folder'],
  ['page', 'page-skill'],
  ['INDEX', 'index-skill'],
  ['LPT1', 'lpt1-skill'],
  ['0123456789ABCDEF0123456789abcdef', '0123456789abcdef0123456789abcdef-skill'],
  ['0123456789abc', '0123456789abc'],
  ['__proto__', 'proto'],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ['a'.repeat(1_000), 'a'.repeat(60)],
  ['数据', 'skill-7', { folderName: '文件' }],
])('a skill named %j -> the slug %s', (name, slug, more = {}) => {
  expect(chooseSlug(named(name, more), new Set())).toBe(slug)
})

test('a taken slug -> with the author, then numbered from 2', () => {
  const taken = new Set<string>()
  const slugs = Array.from({ length: 4 }, () => {
    const slug = chooseSlug(named('csv'), taken)
    taken.add(slug)
    return slug
  })
  expect(slugs).toEqual(['csv', 'csv-ada', 'csv-ada-2', 'csv-ada-3'])
})

test('any names and authors -> always a valid slug, never a duplicate', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('a', 'A', 'á', 'page', 'con', 'a-ada', 'a-2', '', '数', 'x'.repeat(200)),
  )
  const author = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/)
  const skills = fc.array(fc.record({ name: word, folderName: word, author }), { maxLength: 40 })
  fc.assert(
    fc.property(skills, (all) => {
      const taken = new Set<string>()
      for (const [index, one] of all.entries()) {
        const slug = chooseSlug({ ...one, id: index + 1 }, taken)
        expect(isSlug(slug), slug).toBe(true)
        expect(taken.has(slug.toLowerCase()), slug).toBe(false)
        taken.add(slug)
      }
    }),
    { numRuns: 300 },
  )
})
