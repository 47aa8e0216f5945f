import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainMatch } from './explain.ts'
import { openSample, sampleDocument, scoreAll } from '../../testing/sample-documents.ts'

const INDEX = openSample([
  sampleDocument(1, 'csv-clean', 'Clean CSV files and fix columns, column by column'),
  sampleDocument(2, 'kubernetes-deploy', 'Deploy to a cluster'),
  sampleDocument(3, 'meeting-notes', 'Notes of meetings'),
  sampleDocument(4, 'invoice-reminder', 'Remind customers of an unpaid invoice'),
  sampleDocument(5, 'crowd', 'For customers'),
  sampleDocument(6, '🚀', 'Only an emoji for a name'),
])

const explain = (q: string, id: number) => explainMatch(INDEX, q, `skill-${id}`)

describe('why', () => {
  test.each([
    ['csv-clean', 1, 'Result 1 of 1: the query is its name, letter for letter.'],
    ['CSV Clean', 1, 'Result 1 of 1: the query is its name, otherwise spelled.'],
    ['columns', 1, 'Result 1 of 1.'],
    ['zebra', 1, 'Not found: it holds none of zebra.'],
    ['fix zebras', 2, 'Not found: it holds none of fix, zebra.'],
    ['...', 1, 'Not found: the query holds no word that is searched.'],
    ['🚀', 6, 'Result 1 of 1: the query is its name, letter for letter.'],
    ['remind customers of an unpaid invoice', 5, /^Not found: its score of .* is below the floor/],
  ])('q=%s of %i -> %s', (q, id, verdict) => {
    expect(explain(q, id)?.verdict).toMatch(verdict)
  })

  test.each([
    ['columns', 1, 'typed', 'column', ['description']],
    ['csv', 1, 'typed', 'csv', ['name', 'description']],
    ['kube', 2, 'completed', 'kubernet', ['name']],
    ['kubrenetes', 2, 'corrected', 'kubernet', ['name']],
    ['k8s', 2, 'derived', 'kubernet', ['name']],
    ['coding', 2, 'typed', 'code', ['category']],
  ])('q=%s of %i: %s %s in %j', (q, id, how, stem, fields) => {
    const step = explain(q, id)?.steps.find((one) => one.how === how && one.stems.includes(stem))
    expect(step?.fields.map(({ field }) => field)).toEqual(fields)
    expect(step?.score).toBeGreaterThan(0)
  })

  test('a stem says how often it is in how long a field', () => {
    const [step] = explain('columns', 1)?.steps ?? []
    expect(step?.fields).toMatchObject([{ stem: 'column', frequency: 3, length: 7 }])
  })

  test('a slug that no skill has -> undefined', () => {
    expect(explainMatch(INDEX, 'csv', 'skill-99')).toBeUndefined()
  })

  test('the score is the one that search gives, to the bit', () => {
    const words =
      'csv clean columns kubernets deploy k8s meet notes customers invoce invoice-remind'
    const query = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 5 })
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 6 }), (typed, id) => {
        const explained = explain(typed.join(' '), id)
        const score = explained?.score ?? 0
        const scored = scoreAll(INDEX, typed.join(' ')).get(id)
        if (scored === undefined) expect(score).toBeLessThanOrEqual(explained?.floor ?? 0)
        else expect(score).toBe(scored)
      }),
    )
  })
})
