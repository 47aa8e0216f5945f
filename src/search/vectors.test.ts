import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readIntent } from './intent.ts'
import { planQuery } from './query.ts'
import { QUERY_WORDS } from './synonyms.ts'
import { askFor, openSample, sampleDocument } from '../../testing/sample-documents.ts'
import {
  InvalidVectorsError,
  openShippedVectors,
  readVectorFile,
  VECTOR_FILE,
} from './vector-file.ts'
import { findNearness } from './vectors.ts'

const VECTORS = openShippedVectors()
const vectorOf = (description: string) => VECTORS.ofSkill({ name: '', description })

const readMeaning = (q: string) =>
  readIntent(planQuery(q, QUERY_WORDS), VECTORS, () => 1, 2).meaning

test('the shipped word vectors state their origin, and are smaller than 2 MB', () => {
  const { recipe, sections } = readVectorFile(readFileSync(VECTOR_FILE))
  expect(recipe).toMatchObject({
    recipe: expect.stringContaining('pointwise mutual information'),
    made: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    learnedFrom: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const sizes = Object.values(sections).map(({ byteLength }) => byteLength)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2e6)
  expect(sections.vectorScales.length).toBe(recipe.words)
})

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, 300_000), /SHA-256 of its \d+ bytes is not/],
  ['empty', () => Buffer.alloc(0), /its first line is not JSON/],
] as const)('shipped word vectors, %s -> refused', (_, damage, message) => {
  const read = () => readVectorFile(damage(readFileSync(VECTOR_FILE)))
  expect(read).toThrow(InvalidVectorsError)
  expect(read).toThrow(message)
})

test.each([
  ['kubernetes', 'docker'],
  ['vulnerability', 'security'],
  ['会议', 'meeting'],
])('of eight topics, %s is nearest to %s', (word, topic) => {
  const topics = ['docker', 'security', 'payment', 'sql', 'meeting', 'poem', 'protein', 'logo']
  const nearnessOf = (other: string) => findNearness(vectorOf(word), vectorOf(other))
  const [nearest] = topics.toSorted((a, b) => nearnessOf(b) - nearnessOf(a))
  expect(nearest).toBe(topic)
})

describe('the vector of a text', () => {
  test('has a length of about 1, whatever its words', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('csv', 'deploy', '会议', 'xq', 'Review')), (words) => {
        const vector = vectorOf(words.join(' '))
        const isKnown = words.some((word) => word !== 'xq')
        expect(findNearness(vector, vector)).toBeCloseTo(Number(isKnown), 0)
      }),
    )
  })

  test('is short for words without a topic', () => {
    const vector = vectorOf('ます')
    expect(findNearness(vector, vector)).toBeLessThan(0.3)
  })

  test('counts the words of a name twice', () => {
    const named = VECTORS.ofSkill({ name: 'docker', description: 'invoice' })
    expect(findNearness(named, vectorOf('docker docker invoice'))).toBeGreaterThan(0.99)
  })

  test('ignores the stop words of a query, and is undefined without a known word', () => {
    expect(readMeaning('how to deploy')?.vector).toEqual(vectorOf('deploy'))
    expect(readMeaning('plimquav')).toBeUndefined()
  })
})

describe('a search by intent', () => {
  const fillers = Array.from({ length: 30 }, (_, at) => sampleDocument(at + 10, `filler-${at}`))
  const index = openSample([
    sampleDocument(1, 'secret-scan', 'Finds leaked passwords, tokens and vulnerabilities in code.'),
    sampleDocument(2, 'meeting-minutes', 'Writes minutes: decisions, owners and dates.'),
    sampleDocument(3, 'helm-charts', 'Packages applications for Kubernetes.'),
    ...fillers,
  ])
  const ask = (q: string) => index.findPage(askFor({ q }))

  test.each([
    ['security audit', 'secret-scan'],
    ['会议纪要', 'meeting-minutes'],
  ])('%s -> %s, which contains none of the words', (q, name) => {
    expect(ask(q).rows.map((row) => row.name)).toEqual([name])
    expect(ask(q).total).toBe(1)
  })

  test.each(['plimquav', 'brew beer', '钢琴调音'])('%s -> no results', (q) => {
    expect(ask(q)).toMatchObject({ rows: [], total: 0, corrected: [] })
    expect(ask(q).categoryCounts).toEqual({})
  })

  test.each([
    ['4 of 9', 'xqa xqb xqc xqd zwa zwb zwc zwd zwe', 1],
    ['2 of 12', 'xqa xqb zwa zwb zwc zwd zwe zwf zwg zwh zwi zwj', 0],
  ])('the best skill has %s words -> %i results', (_, q, total) => {
    const described = openSample([sampleDocument(1, 'one', 'xqa xqb xqc xqd'), ...fillers])
    expect(described.find(askFor({ q })).total).toBe(total)
  })

  test.each([
    ['wie richte ich helm charts in meiner umgebung ein', ['helm-charts']],
    ['настроить helm для проекта', ['helm-charts']],
    ['wie repariere ich meinen wasserhahn', []],
    ['el para con', []],
  ])('in a foreign language, only words that skills contain count: %s -> %j', (q, names) => {
    expect(ask(q).rows.map((row) => row.name)).toEqual(names)
  })

  test('in a language of the catalog, all words count', () => {
    const russian = Array.from({ length: 9 }, (_, at) => sampleDocument(at + 1, `n${at}`, 'как'))
    expect(openSample(russian).find(askFor({ q: 'как испечь хлеб' })).total).toBe(0)
    expect(openSample(russian).find(askFor({ q: 'как' })).total).toBe(9)
  })

  test('a word with a vector is not corrected, even if no skill contains it', () => {
    const near = openSample([sampleDocument(1, 'terrarium'), ...fillers])
    expect(near.findPage(askFor({ q: 'terraform' }))).toMatchObject({ rows: [], corrected: [] })
  })

  test('after nine results by one author, an equally good one by another author follows', () => {
    const eleven = Array.from({ length: 11 }, (_, at) =>
      sampleDocument(at + 101, `docker-${at}`, 'Docker', { author: 'ann', installs: 20 - at }),
    )
    const other = sampleDocument(150, 'docker-11', 'Docker', { author: 'bob' })
    const both = openSample([...eleven, other, ...fillers])
    const { skills, total } = both.find(askFor({ q: 'docker' }))
    expect(skills.map(({ author }) => author).indexOf('bob')).toBe(9)
    expect(total).toBe(12)
    const pages = [0, 5, 10].flatMap(
      (offset) => both.find(askFor({ q: 'docker', limit: 5, offset })).skills,
    )
    expect(pages).toEqual(skills)
  })
})
