import fc from 'fast-check'
import GithubSlugger from 'github-slugger'
import { expect, test } from 'vitest'
import { Anchors } from './anchors.ts'

const heading = fc.oneof(
  fc.constantFrom(...'a|A|a 1|a-1|a_b|é|İ|| |a.b|1. a|__proto__|x🙂'.split('|')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary-ascii', maxLength: 12 }),
)

test('anchors equal those of github-slugger for any headings in any order', () => {
  fc.assert(
    fc.property(fc.array(heading, { maxLength: 12 }), (headings) => {
      const [ours, theirs] = [new Anchors(), new GithubSlugger()]
      expect(headings.map((text) => ours.slug(text))).toEqual(
        headings.map((text) => theirs.slug(text)),
      )
    }),
    { numRuns: 2_000 },
  )
})
