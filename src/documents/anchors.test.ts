import fc from 'fast-check'
import GithubSlugger from 'github-slugger'
import { expect, test } from 'vitest'
import { remember } from '../catalog/text.ts'
import { Anchors } from './anchors.ts'

const heading = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'a 1',
    'a-1',
    'a_b',
    'é',
    'İ',
    '',
    ' ',
    'a.b',
    '1. a',
    '__proto__',
    'x🙂',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary-ascii', maxLength: 12 }),
)

test('anchors are those of github-slugger, in any order of headings', () => {
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

const countAsked = () => {
  const asked: string[] = []
  const double = remember((text) => {
    asked.push(text)
    return text + text
  })
  return { asked, double }
}

test('the anchor of a text is computed once and then remembered', () => {
  const { asked, double } = countAsked()
  expect(['a', 'b', 'a', '', ''].map(double)).toEqual(['aa', 'bb', 'aa', '', ''])
  expect(asked).toEqual(['a', 'b', ''])
})

test('with more texts than the memory holds, anchors stay right and the latest are remembered', () => {
  const { asked, double } = countAsked()
  const texts = Array.from({ length: 5_000 }, (_, at) => `heading ${at}`)
  expect(texts.map(double)).toEqual(texts.map((text) => text + text))
  double('heading 4999')
  expect(asked).toEqual(texts)
})

test('a long text is not kept', () => {
  const { asked, double } = countAsked()
  const long = 'x'.repeat(10_000)
  expect([double(long), double(long)]).toEqual([long + long, long + long])
  expect(asked).toHaveLength(2)
})
