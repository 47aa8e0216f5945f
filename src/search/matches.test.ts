import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openMatcher as openPlanned } from './matches.ts'
import { QUERY_WORDS } from './synonyms.ts'
import { planQuery } from './query.ts'
import type { Corrected } from './correction.ts'

const openMatcher = (q: string, corrected: readonly Corrected[] = []) =>
  openPlanned(planQuery(q, QUERY_WORDS), corrected)

const mark = (text: string, q: string, corrected: readonly Corrected[] = []): string => {
  const ranges = openMatcher(q, corrected).mark(text).matches
  let marked = text
  for (const { from, to } of ranges.toReversed())
    marked = `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`
  return marked
}

describe('what a query matches', () => {
  test.each([
    ['deploy', 'It deploys deployments', 'It [deploys] [deployments]'],
    ['hub', 'Reads GitHub and hubs', 'Reads [GitHub] and [hubs]'],
    ['csvclean', 'A CSV-Clean of csv', 'A [CSV-Clean] of csv'],
    ['csv', 'A CSV-Clean of csv', 'A [CSV]-Clean of [csv]'],
    ['csvcl', 'A CSV-Clean of csv', 'A [CSV-Clean] of csv'],
    ['clean', 'A CSV-Clean of csv', 'A CSV-[Clean] of csv'],
    ['k8s', 'For Kubernetes, k8s too', 'For [Kubernetes], [k8s] too'],
    ['tdd', 'Test driven development', '[Test] [driven] [development]'],
    ['tdd', 'Test everything', 'Test everything'],
    ['plot', 'Plots a graph', '[Plots] a graph'],
    ['dock', "Docker's dockerfiles, undocked", "[Docker's] [dockerfiles], undocked"],
    ['dock files', 'Docker files', 'Docker [files]'],
    ['résumé', 'Resume, RÉSUMÉ', '[Resume], [RÉSUMÉ]'],
    ['c++ .net', 'C, C++ and .NET', 'C, [C++] and [.NET]'],
    ['会议', '飞书会议纪要', '飞书[会议]纪要'],
    ['รายงาน', 'สรุปรายงานการ', 'สรุป[รายงาน]การ'],
    ['ทำ', 'ต้องทำต่อ', 'ต้อง[ทำ]ต่อ'],
    ['ប្រជុំ', 'កំណត់ប្រជុំ។', 'កំណត់[ប្រជុំ]។'],
    ['تقرير', 'كتابة التَّقْرير', 'كتابة [التَّقْرير]'],
    ['か', 'が か', 'が [か]'],
    ['the', 'The one and the other', '[The] one and [the] other'],
    ['the one', 'The one', 'The [one]'],
    ['', 'Text', 'Text'],
    ['<b>', '<b>bold</b>', '<[b]>bold</[b]>'],
  ])('q=%s in %j', (q, text, marked) => expect(mark(text, q)).toBe(marked))

  test('a corrected word is marked as it was meant', () => {
    const corrected = [['dokcer', 'docker']] as const
    expect(mark('Runs docker', 'dokcer run', corrected)).toBe('[Runs] [docker]')
    expect(mark('Runs docker', 'dokcer run')).toBe('[Runs] docker')
  })

  test('of any text: ranges in order that do not overlap, no half of a character', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            ...'csv-clean GitHub 飞书会议 c++ 🚀 a_b résumé e\u0301 𐐀b ต้องทำ か\u309aき'.split(' '),
          ),
        )
        .map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(text, text, (one, q) => {
        let last = 0
        for (const { from, to } of openMatcher(q).mark(one).matches) {
          expect(from).toBeGreaterThanOrEqual(last)
          expect(to).toBeGreaterThan(from)
          expect(one.slice(from, to).isWellFormed()).toBe(true)
          last = to
        }
        expect(last).toBeLessThanOrEqual(one.length)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('an excerpt', () => {
  const words = 'Says nothing of it at all. '.repeat(20)

  test('stands around the place with most words of the query', () => {
    const text = `${words}Of csv alone. ${words}It cleans csv files. ${words}`
    const cleaner = openMatcher('clean csv')
    const { text: part, matches, words: found } = cleaner.excerpt(text)
    expect(part).toContain('It cleans csv files.')
    expect(part).toMatch(/^….*…$/)
    expect(part.length).toBeLessThanOrEqual(200)
    expect(matches.map(({ from, to }) => part.slice(from, to))).toEqual(['cleans', 'csv'])
    expect([cleaner.words, found]).toEqual([2, 2])
  })

  test('of a short text is the text; of a long one without a match its beginning', () => {
    expect(openMatcher('csv').excerpt('Cleans csv.')).toEqual({
      text: 'Cleans csv.',
      matches: [{ from: 7, to: 10 }],
      words: 1,
    })
    const { text, matches } = openMatcher('csv').excerpt(words)
    expect(text).toMatch(/^Says nothing.*…$/)
    expect([text.length <= 200, matches]).toEqual([true, []])
  })

  test('of a short text whose match is out of sight is what follows', () => {
    const text = `${'Says nothing of it at all. '.repeat(4)}It cleans csv.`
    expect(openMatcher('csv').excerpt(text).text).toMatch(/^….{0,30}csv\.$/)
  })

  test('of any text: a part of it, at most 200 units, whole characters, its matches in it', () => {
    const piece = fc.oneof(
      fc.constantFrom('csv', 'cleaning', '飞书会议'.repeat(40), 'x'.repeat(150), '🚀'.repeat(70)),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    )
    const long = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '))
    fc.assert(
      fc.property(long, fc.constantFrom('csv', 'clean csv', '会议', 'zzz', 'x'), (text, q) => {
        const excerpt = openMatcher(q).excerpt(text)
        expect(excerpt.text.length).toBeLessThanOrEqual(200)
        expect(excerpt.text.isWellFormed()).toBe(true)
        const inner = excerpt.text.replace(/^…|…$/g, '')
        expect(text.includes(inner) || text === excerpt.text).toBe(true)
        for (const { from, to } of excerpt.matches) {
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeLessThanOrEqual(excerpt.text.length)
          expect(openMatcher(q).mark(excerpt.text.slice(from, to)).words).toBeGreaterThan(0)
        }
        if (
          openMatcher(q)
            .mark(text)
            .matches.some((range) => range.to - range.from < 100)
        )
          expect(excerpt.matches.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})
