import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMatcher as openPlanned } from './matches.ts'
import { QUERY_WORDS } from './synonyms.ts'
import { planQuery } from './query.ts'
import type { Corrected } from './query.ts'

const openMatcher = (q: string, corrected: readonly Corrected[] = []) =>
  openPlanned(planQuery(q, QUERY_WORDS, corrected))

const mark = (text: string, q: string, corrected: readonly Corrected[] = []): string => {
  const ranges = openMatcher(q, corrected)(text)
  let marked = text
  for (const { from, to } of ranges.toReversed())
    marked = `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`
  return marked
}

test.each([
  ['deploy', 'It deploys deployments', 'It [deploys] [deployments]'],
  ['hub', 'Reads GitHub and hubs', 'Reads [GitHub] and [hubs]'],
  ['csvclean', 'A CSV-Clean of csv', 'A [CSV-Clean] of csv'],
  ['csvcl', 'A CSV-Clean of csv', 'A [CSV-Clean] of csv'],
  ['clean', 'A CSV-Clean of csv', 'A CSV-[Clean] of csv'],
  ['k8s', 'For Kubernetes, k8s too', 'For [Kubernetes], [k8s] too'],
  ['tdd', 'Test driven development', '[Test] [driven] [development]'],
  ['tdd', 'Test everything', 'Test everything'],
  ['dock', "Docker's dockerfiles, undocked", "[Docker's] [dockerfiles], undocked"],
  ['résumé', 'Resume, RÉSUMÉ', '[Resume], [RÉSUMÉ]'],
  ['c++ .net', 'C, C++ and .NET', 'C, [C++] and [.NET]'],
  ['会议', '飞书会议纪要', '飞书[会议]纪要'],
  ['รายงาน', 'สรุปรายงานการ', 'สรุป[รายงาน]การ'],
  ['ប្រជុំ', 'កំណត់ប្រជុំ។', 'កំណត់[ប្រជុំ]។'],
  ['تقرير', 'كتابة التَّقْرير', 'كتابة [التَّقْرير]'],
  ['か', 'が か', 'が [か]'],
  ['the', 'The one and the other', '[The] one and [the] other'],
  ['', 'Text', 'Text'],
  ['<b>', '<b>bold</b>', '<[b]>bold</[b]>'],
])('q=%s in %j', (q, text, marked) => expect(mark(text, q)).toBe(marked))

test('the correction of a misspelt word is marked', () => {
  const corrected = [['dokcer', 'docker']] as const
  expect(mark('Runs docker', 'dokcer run', corrected)).toBe('[Runs] [docker]')
  expect(mark('Runs docker', 'dokcer run')).toBe('[Runs] docker')
})

test('in any text, ranges are in order, do not overlap, and do not split characters', () => {
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
    fc.property(text, text, (searched, q) => {
      let last = 0
      for (const { from, to } of openMatcher(q)(searched)) {
        expect(from).toBeGreaterThanOrEqual(last)
        expect(to).toBeGreaterThan(from)
        expect(searched.slice(from, to).isWellFormed()).toBe(true)
        last = to
      }
      expect(last).toBeLessThanOrEqual(searched.length)
    }),
    { numRuns: 300 },
  )
})
