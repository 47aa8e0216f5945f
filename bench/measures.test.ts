import { describe, expect, test } from 'vitest'
import { averageMeasures, measureAnswer } from './measures.ts'

const GRADES = new Map([
  ['a', 3],
  ['b', 1],
])

describe('measureAnswer', () => {
  test.each([
    [['a', 'b'], 1, 1],
    [['b', 'a'], (1 + 7 / Math.log2(3)) / (7 + 1 / Math.log2(3)), 1],
    [['x', 'a'], 7 / Math.log2(3) / (7 + 1 / Math.log2(3)), 1 / 2],
    [['x', 'y'], 0, 0],
    [[], 0, 0],
    [[...'qwertyuiop', 'a'], 0, 0],
  ])('%j -> nDCG@10 %d, MRR@10 %d', (keys, ndcg, mrr) => {
    const measures = measureAnswer(keys, keys.length, GRADES)
    expect(measures.ndcg).toBeCloseTo(ndcg)
    expect(measures.mrr).toBeCloseTo(mrr)
    expect(measures.zero).toBe(keys.length === 0 ? 1 : 0)
  })

  test('averageMeasures returns means', () => {
    const rows = [measureAnswer(['a', 'b'], 4, GRADES), measureAnswer([], 0, GRADES)]
    expect(averageMeasures(rows)).toMatchObject({ ndcg: 0.5, mrr: 0.5, zero: 0.5, total: 2 })
  })
})
