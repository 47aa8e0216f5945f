import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SLUG_LIMIT, isSlug } from '../../../src/catalog/text.ts'
import { chooseSlug, slugify } from './slug.ts'

const named = (name: string, more: object = {}) => ({
  name,
  folderName: 'folder',
  author: 'ada',
  id: 7,
  ...more,
})

describe('a name becomes a slug', () => {
  const cases: readonly [string, string][] = [
    ['csv-clean', 'csv-clean'],
    ['CSV Clean!', 'csv-clean'],
    ['  --a__b--  ', 'a-b'],
    ['Café Über', 'cafe-uber'],
    ['ﬁne①', 'fine1'],
    ['../../etc/passwd', 'etc-passwd'],
    ['x\r\nSet-Cookie: a=b', 'x-set-cookie-a-b'],
    ['数据', 'folder'],
    ['🚀', 'folder'],
    ['page', 'page-skill'],
    ['INDEX', 'index-skill'],
    ['con', 'con-skill'],
    ['LPT1', 'lpt1-skill'],
    ['__proto__', 'proto'],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
    ['a'.repeat(1_000), 'a'.repeat(60)],
  ]
  test.each(cases)('%j -> %s', (name, slug) => {
    expect(chooseSlug(named(name), new Set())).toBe(slug)
  })
  test('name and folder of no letters -> skill-<id>', () => {
    expect(chooseSlug(named('数据', { folderName: '文件' }), new Set())).toBe('skill-7')
  })
})

test('a taken slug -> with the author, then counted from 2', () => {
  const taken = new Set<string>()
  const slugs = Array.from({ length: 4 }, () => {
    const slug = chooseSlug(named('csv'), taken)
    taken.add(slug)
    return slug
  })
  expect(slugs).toEqual(['csv', 'csv-ada', 'csv-ada-2', 'csv-ada-3'])
})

test('the longest name and author of all -> a slug within the limit, author kept', () => {
  const author = 'b'.repeat(63)
  const slug = chooseSlug(named('a'.repeat(99), { author }), new Set(['a'.repeat(60)]))
  expect(slug).toMatch(/^a+-b{60}$/)
  expect(slug.length).toBeLessThanOrEqual(SLUG_LIMIT)
})

test('any names and authors -> always a slug, never one twice', () => {
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

test('any text -> slugify twice is slugify once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      expect(slugify(slugify(text))).toBe(slugify(text))
    }),
  )
})
