import { expect, test } from 'vitest'
import { openShippedVectors } from '../../src/search/vector-file.ts'
import { decodeHashes, encodeWords } from './neighbour-words.ts'
import type { ComparableSkill } from './neighbour-words.ts'
import { findNeighbours } from './neighbours.ts'

interface Named extends ComparableSkill {
  name: string
}

let ids = 0
const make = (name: string, description: string, text = '', isCompared = true): Named => {
  ids += 1
  const words = decodeHashes(encodeWords({ name, description }, text))
  const vector = openShippedVectors().ofSkill({ name, description })
  return { id: ids, name, words, vector, isCompared }
}

/** Skills with other words, so that shared words are rare. Each word is in two skills. */
const STRANGERS = Array.from({ length: 40 }, (_, at) =>
  make(
    `stranger${at}`,
    `Odd${at} odd${(at + 1) % 40} pair${at >> 1} pair${((at * 7) % 20) | 0}b, part${at % 20}.`,
  ),
)

/** Words of the skills above, which reduce the similarity to all other skills. */
const odd = (count: number): string =>
  Array.from({ length: count }, (_, at) => `odd${(at * 2) % 40}`).join(' ')

const near = (skill: Named, others: readonly Named[], most = 5): string[] => {
  const skills = [...STRANGERS, skill, ...others]
  const found = findNeighbours(skills, most)[STRANGERS.length] ?? []
  return found.map((id) => skills.find((one) => one.id === id)!.name)
}

const MINUTES = make('meeting-minutes', 'Writes minutes of a meeting: decisions, owners, dates.')
const SUMMARY = make(
  'summarize-meeting',
  'Turns a meeting into minutes with decisions, owners and dates.',
)
const AGENDA = make('meeting-agenda', `Plans the dates of a meeting, ${odd(4)}.`)

const titled = (heading: string) => `# A title\n\n${heading}\n`

test('the most similar skills come most similar first, and are limited in number', () => {
  expect(near(MINUTES, [AGENDA, SUMMARY])).toEqual(['summarize-meeting', 'meeting-agenda'])
  expect(near(MINUTES, [AGENDA, SUMMARY], 1)).toEqual(['summarize-meeting'])
})

test('a skill that shares too little has no neighbours', () => {
  const others = Array.from({ length: 20 }, (_, at) => `pair${at}`).join(' ')
  expect(near(MINUTES, [make('dates', `Dates, ${odd(20)}, ${others}.`)])).toEqual([])
})

test('words of headings count; words of the title and of code do not', () => {
  const headings = '## Lighthouse beacons\n\n## Foghorn signals'
  const one = make('first', 'Uncommonfirst.', titled(headings))
  const other = make('second', 'Uncommonsecond.', titled(headings))
  const code = make('third', 'Uncommonthird.', titled('```\n' + headings + '\n```'))
  expect(near(one, [other, code])).toEqual(['second'])
})

test('a single shared word is not enough', () => {
  expect(near(make('a', 'Only cranes.'), [make('b', 'Just cranes.')])).toEqual([])
})

test('words are split as in the search: names of symbols, letters without accents, pairs of Chinese characters', () => {
  const one = make('a', 'C++ à la Façade.')
  expect(near(one, [make('b', 'cpp facade'), make('c', 'c')])).toEqual(['b'])
  const other = make('a', '查询组织架构、人员信息和搜索员工')
  expect(near(other, [make('b', '搜索员工和查询人员信息'), make('c', '幻灯片')])).toEqual(['b'])
})

test('in a language without vectors, words alone decide', () => {
  const one = make('отчёты', 'Пишет отчёты о продажах за месяц с таблицами и графиками.')
  const other = make('выручка', `Проверяет отчёты о продажах, ${odd(16)}.`)
  expect(near(one, [other, make('сказки', `Сочиняет сказки, ${odd(20)}.`)])).toEqual(['выручка'])
})

test('a skill that is not compared has neighbours, but is not a neighbour', () => {
  const copy = make('copy', 'Writes minutes of a meeting: decisions, owners, dates.', '', false)
  expect(near(MINUTES, [copy])).toEqual([])
  expect(near(copy, [MINUTES])).toEqual(['meeting-minutes'])
})

test('neighbours are the same in any order of all skills', () => {
  const copy = make('copy', 'Writes minutes of a meeting: decisions, owners, dates.', '', false)
  const skills = [...STRANGERS, MINUTES, copy, SUMMARY, AGENDA]
  const found = findNeighbours(skills, 5)
  expect(found.slice(STRANGERS.length).map(({ length }) => length)).toEqual([2, 3, 2, 2])
  expect(findNeighbours(skills.toReversed(), 5).toReversed()).toEqual(found)
})
