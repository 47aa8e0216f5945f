import { expect, test } from 'vitest'
import { ContentError, renderProblem } from '../../../src/catalog/problems.ts'
import { makeSampleFolder } from '../../../testing/sample-folders.ts'
import { readSourcesLock, renderSourcesLock } from './sources-lock.ts'

const [A, B] = ['https://github.com/ada/a', 'https://github.com/ada/b/tree/v2']
const [ONE, TWO] = ['1'.repeat(32), '2'.repeat(32)]

/** Reads facts, in any order, and renders what they mean. */
const settle = (...lines: readonly string[]): string[] => {
  const content = makeSampleFolder({ 'sources.lock': lines.map((line) => `${line}\n`).join('') })
  return renderSourcesLock(readSourcesLock(content)).split('\n').slice(0, -1)
}

const SORTED = [
  `{"address":"${A}","commit":"c1","reading":"0123456789abcdef"}`,
  `{"address":"${A}","left":"${ONE}"}`,
  `{"address":"${A}","rejected":"${TWO}","slug":"calm"}`,
  `{"address":"${B}"}`,
  '{"lastId":33}',
  '{"missed":"calm","since":"2026-01-02"}',
]

test('facts in any order -> a sorted line each, once', () => {
  expect(settle(...SORTED.toReversed(), ...SORTED)).toEqual(SORTED)
})

test.each([
  [
    'two commits of one source -> it is read again',
    [`{"address":"${A}","commit":"c1"}`, `{"address":"${A}","commit":"c2"}`],
    [`{"address":"${A}"}`],
  ],
  [
    'rejections of two branches -> both',
    [`{"address":"${A}","rejected":"${ONE}","slug":"a"}`, SORTED[2]!],
    [`{"address":"${A}","rejected":"${ONE}","slug":"a"}`, SORTED[2]!],
  ],
  ['two last ids -> the greatest', ['{"lastId":9}', '{"lastId":33}'], ['{"lastId":33}']],
  [
    'missed on two days -> the first',
    ['{"missed":"a","since":"2026-01-03"}', '{"missed":"a","since":"2026-01-02"}'],
    ['{"missed":"a","since":"2026-01-02"}'],
  ],
])('%s', (_, lines, settled) => {
  expect(settle(...lines)).toEqual(settled)
})

test.each([
  ['<<<<<<< HEAD', 'sources.lock: line 2: a conflict marker of git — delete the lines'],
  ['=======', 'sources.lock: line 2: a conflict marker of git — delete the lines'],
  ['{"lastId":', 'sources.lock: line 2: not JSON: '],
  ['{"lastId":"x"}', 'sources.lock: line 2: {"lastId":"x"} — no fact that this program knows; '],
])('a line %s -> refused by its number', (line, message) => {
  const content = makeSampleFolder({ 'sources.lock': `{"lastId":1}\n${line}\n` })
  try {
    readSourcesLock(content)
    expect.unreachable()
  } catch (error) {
    const problems = error instanceof ContentError ? error.problems : []
    expect(problems.map(renderProblem)).toEqual([expect.stringContaining(message)])
  }
})
