import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListedSkill } from '../catalog/skill.ts'
import {
  anyCatalog,
  anyName,
  anyRequest,
  listIdentifiers,
  someWords,
} from '../../testing/sample-facets.ts'
import { askFor, openSample } from '../../testing/sample-documents.ts'
import type { FindRequest, PackedIndex } from './read/open.ts'

const name = fc.oneof(
  anyName,
  fc.constantFrom(...'微信支付接入指引 สรุปรายงาน សង្ខេប תַּקְרִיר דּוֹחַ がっこう かっこう'.split(' ')),
)

const catalog = anyCatalog({ name, description: someWords(6) }, { minLength: 1, maxLength: 20 })

const listPages = (index: PackedIndex, request: Partial<FindRequest>, limit: number): number[] => {
  const { total } = index.find(askFor({ ...request, limit, offset: 0 }))
  const pages = Array.from({ length: Math.ceil(total / limit) + 1 }, (_, page) =>
    index.find(askFor({ ...request, limit, offset: page * limit })),
  )
  expect(new Set(pages.map((page) => page.total))).toEqual(new Set([total]))
  return pages.flatMap((page) => page.skills.map(({ id }) => id))
}

test('any catalog pages contain every match once, `total` matches in all, in one order', () => {
  fc.assert(
    fc.property(
      catalog,
      anyRequest(fc.option(fc.oneof(someWords(6), name), { nil: undefined })),
      fc.integer({ min: 1, max: 7 }),
      (documents, request, limit) => {
        const index = openSample(documents)
        const ids = listPages(index, request, limit)
        const whole = index.find(askFor({ ...request, limit: 100, offset: 0 }))
        expect(ids).toEqual(whole.skills.map(({ id }) => id))
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.length).toBe(whole.total)
      },
    ),
    { numRuns: 25 },
  )
})

test('any catalog a pasted address or command finds its skill first, unless another replaces it', () => {
  fc.assert(
    fc.property(catalog, (documents) => {
      const index = openSample(documents)
      for (const { listed } of documents.filter(({ facts }) => !facts.deprecated?.use))
        for (const q of listIdentifiers(listed)) {
          expect([q, index.find(askFor({ q, limit: 1 })).skills[0]?.slug]).toEqual([q, listed.slug])
          const { rows } = index.findPage(askFor({ q: ` ${q.toUpperCase()} `, limit: 1 }))
          expect([q, rows[0]?.slug]).toEqual([q, listed.slug])
        }
    }),
    { numRuns: 25 },
  )
})

test('any catalog only skills with the same name or slug, or that replace one, come before the skill of a name', () => {
  fc.assert(
    fc.property(catalog, fc.nat(), fc.boolean(), (documents, pick, upper) => {
      const wanted = documents[pick % documents.length]?.listed
      if (wanted === undefined) return
      // Upper-casing is not always undone by lower-casing: ß becomes SS.
      const capitals = wanted.name.toUpperCase()
      const isReversible = capitals.toLowerCase() === wanted.name.toLowerCase()
      const q = upper && isReversible ? capitals : wanted.name
      const { skills } = openSample(documents).find(askFor({ q: ` ${q} `, limit: 100 }))
      const before = skills.slice(0, skills.findIndex(({ id }) => id === wanted.id) + 1)
      expect(before.length).toBeGreaterThan(0)
      const letters = wanted.name.trim().toLowerCase()
      const isNamed = ({ name: other, slug }: ListedSkill): boolean =>
        [other.trim().toLowerCase(), slug].includes(letters)
      const replaced = documents.filter(({ listed }) => isNamed(listed))
      const successors = new Set(replaced.map(({ facts }) => facts.deprecated?.use))
      for (const one of before) expect(isNamed(one) || successors.has(one.slug)).toBe(true)
    }),
  )
})
