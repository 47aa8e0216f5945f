import { describe, expect, test } from 'vitest'
import type { PackedIndex } from './read/open.ts'
import type { SearchDocument } from './rank.ts'
import {
  NO_FACTS,
  askFor,
  openSample,
  sampleDocument,
  scoreAll,
} from '../../testing/sample-documents.ts'

const LONG = `${'Words that say little about it. '.repeat(20)} Exports to parquet.`

const idsOf = (index: PackedIndex, q: string): number[] =>
  index.find(askFor({ q })).skills.map(({ id }) => id)

/** Splits "name: description". */
const splitOnce = (text: string) => text.split(': ') as [name: string, description: string]

const INDEX = openSample([
  sampleDocument(1, 'csv-clean', 'Clean CSV files and fix columns', { installs: 5 }),
  sampleDocument(2, 'Frontend Design', 'Build interfaces', { category: 'Design', views: 3 }),
  sampleDocument(3, 'frontend-design', 'Design web pages', { category: 'Design', installs: 9 }),
  sampleDocument(4, 'kubernetes-deploy', 'Deploy to a cluster', { installs: 1 }),
  sampleDocument(5, 'resume-review', 'Improves a résumé', { category: 'Writing' }),
  sampleDocument(6, '飞书会议', '整理飞书会议纪要', { category: 'Productivity' }),
  sampleDocument(7, 'GitHub Actions', 'Runs workflows', { author: 'octo-cat' }),
  sampleDocument(8, '🚀', 'Only an emoji for a name'),
  sampleDocument(9, '__proto__', 'Says constructor and toString'),
  sampleDocument(10, 'frontend-design-audit', 'frontend design, frontend design, frontend design'),
  sampleDocument(11, 'warehouse', LONG, { category: 'Data & Analytics' }),
  sampleDocument(12, 'meeting-notes', 'Notes of meetings, cleaned'),
])

const findIds = (q: string): number[] => idsOf(INDEX, q)

test.each(['   ', '\t\n', '\u3000\u00a0'])('q=%j lists all', (q) => {
  expect(findIds(q).slice(0, 3)).toEqual([3, 1, 4])
})

test.each([
  ['csvclean', 1],
  ['csvClean', 1],
  ['csv cleaning', 1],
  ['columns', 1],
  ['kubernets', 4],
  ['kubrenetes', 4],
  ['k8s', 4],
  ['kube', 4],
  ['resumé', 5],
  ['飞书', 6],
  ['会议纪要', 6],
  ['git hub actions', 7],
  ['octo-cat', 7],
  ['🚀', 8],
  ['__proto__', 9],
  ['parquet', 11],
  ['Data & Analytics', 11],
  ['meeting minutes', 12],
])('q=%s -> %i is the first result', (q, id) => expect(findIds(q)[0]).toBe(id))

describe('q that is a name', () => {
  test.each([
    ['Frontend Design', [2, 3, 10]],
    ['  FRONTEND-DESIGN ', [3, 2, 10]],
    ['frontenddesign', [3, 2, 10]],
  ])('q=%s -> this name first, then other spellings, then other names', (q, ids) =>
    expect(findIds(q).slice(0, 3)).toEqual(ids),
  )

  test.each([
    ['liquid', [3, 1]],
    ['costarring', [2]],
    ['pdf', [5, 6, 4]],
  ])('q=%s -> namesakes in popular order, and no other name with the same hash', (q, ids) => {
    const index = openSample([
      sampleDocument(1, 'liquid', 'Pours'),
      sampleDocument(2, 'costarring', 'Acts', { installs: 9 }),
      sampleDocument(3, 'Liquid', 'Drips', { installs: 5 }),
      sampleDocument(4, 'pdf', 'pdf pdf pdf'),
      sampleDocument(5, 'PDF', 'Something else', { installs: 4 }),
      sampleDocument(6, 'pdf', 'pdf', { installs: 2 }),
    ])
    expect(idsOf(index, q)).toEqual(ids)
  })
})

describe('order of matches', () => {
  test.each([
    ['kubernetes', ['n0: on kubernetes', 'n1: on k8s']],
    ['dock', ['n0: a dock', 'n1: a docker']],
    ['parquet', ['parquet-tool: x', 'n1: in parquet']],
    ['tdd', ['n0: test driven development', 'n1: unit test']],
    ['parquet export', ['n0: a parquet export', 'parquet-tool: x']],
  ])('q=%s -> %j', (q, texts) => {
    const documents = texts.map((text, at) => sampleDocument(at + 1, ...splitOnce(text)))
    expect(idsOf(openSample(documents), q)).toEqual([1, 2])
  })

  test('a description stuffed with frequent words does not come before a skill for the task', () => {
    const task = Array.from({ length: 12 }, (_, at) => `xq${at}`)
    const others = Array.from({ length: 140 }, (_, at) => `zw${at}`)
    const index = openSample([
      sampleDocument(1, 'stuffed', [...task, ...others].join(' ')),
      sampleDocument(2, 'about', task.slice(0, 8).join(' ')),
      ...Array.from({ length: 30 }, (_, at) => sampleDocument(at + 3, `filler-${at}`, 'Something')),
    ])
    expect(idsOf(index, task.join(' '))).toEqual([2, 1])
  })

  test('only the first six misspelt words are corrected', () => {
    const words =
      'parquet gherkin zeppelin molybdenum quixotic jacaranda xylophone wolverine'.split(' ')
    const index = openSample(words.map((word, at) => sampleDocument(at + 1, word)))
    const scores = scoreAll(index, words.map((word) => word.slice(0, -1)).join('x ') + 'x')
    expect([...scores.keys()].sort()).toEqual(words.slice(0, 6).map((_, at) => at + 1))
  })

  test.each([
    ['postgres-databse', 'postgres-database'],
    ['databse fr pstgres', 'database fr postgres'],
  ])('%s finds what %s finds, in the same order', (typed, meant) => {
    const index = openSample([
      sampleDocument(1, 'database', 'A database, migrated'),
      sampleDocument(2, 'db-tuning', 'Tune a slow db'),
      sampleDocument(3, 'pg', 'postgres and postgresql', { installs: 3 }),
      sampleDocument(4, 'sql-queries', 'SQL queries, schemas and indexes of MySQL'),
      sampleDocument(5, 'poems', 'Writes poems'),
    ])
    const { rows, total } = index.findPage(askFor({ q: meant }))
    expect(index.findPage(askFor({ q: typed }))).toMatchObject({ rows, total })
    expect(idsOf(index, typed)).toEqual(idsOf(index, meant))
  })
})

describe('results', () => {
  test('a row has the shortened description, although the full description is searched', () => {
    const [skill] = INDEX.find(askFor({ q: 'parquet' })).skills
    expect(skill?.description).toBe(LONG.slice(0, 240))
  })

  test('of equally good skills, a skill with a text comes before a more popular listed-only skill', () => {
    const withText = { facts: { ...NO_FACTS, tokens: 100 } }
    const index = openSample([
      sampleDocument(1, 'pdf', 'Fills forms in a document', { installs: 9 }),
      sampleDocument(2, 'pdf', 'Fills forms in a document', withText),
      sampleDocument(3, 'PDF', 'Reads invoices', { installs: 7 }),
      sampleDocument(4, 'docx', 'Reads a letter', withText),
    ])
    expect(idsOf(index, 'fill a form')).toEqual([2, 1])
    expect(idsOf(index, 'pdf')).toEqual([2, 1, 3, 4])
    // A better match stays first, and lists without a query keep their order.
    expect(idsOf(index, 'read invoice')).toEqual([3, 4])
    expect(idsOf(index, '')).toEqual([1, 3, 4, 2])
  })

  describe('a deprecated skill comes after the skill that replaces it', () => {
    const deprecated = { since: '2026-01-02', use: 'new-notes' }
    const old = { ...NO_FACTS, tokens: 100, deprecated }
    const openPair = (replacement: object = {}, more: SearchDocument[] = []) =>
      openSample([
        sampleDocument(1, 'call-recap', 'Recap a call: notes of a call', {
          facts: old,
          installs: 9,
          slug: 'call-recap',
        }),
        sampleDocument(2, 'meeting-notes', 'Writes a recap of what was said on a long call', {
          slug: 'new-notes',
          ...replacement,
        }),
        sampleDocument(3, 'phone', 'Call a phone', { facts: { ...NO_FACTS, tokens: 100 } }),
        ...more,
      ])
    test.each([
      ['a better match', 'recap a call'],
      ['its address', '/skills/call-recap'],
    ])('%s', (_, q) => {
      const index = openPair()
      expect(idsOf(index, q).slice(0, 2)).toEqual([2, 1])
      expect(index.findPage(askFor({ q })).rows[0]?.id).toBe(2)
    })

    test('if the scores of the new skill’s author are lowered', () => {
      const many = Array.from({ length: 11 }, (_, at) =>
        sampleDocument(at + 4, `n${at}`, 'recap recap call call', { author: 'ada' }),
      )
      const ids = idsOf(openPair({ author: 'ada' }, many), 'recap call')
      expect(ids.indexOf(2)).toBeLessThan(ids.indexOf(1))
    })
  })

  describe('of skills with one name, the eldest comes first', () => {
    const here = { facts: { ...NO_FACTS, tokens: 100 } }
    const phrases = 'Cleans csv. csv clean. Clean a csv. csv cleaner. Fix csv. csv files. csv: csv.'
    const openNamesakes = (name: string) =>
      openSample([
        sampleDocument(1, 'csv-clean', 'Cleans CSV files', here),
        sampleDocument(2, name, phrases, { ...here, installs: 9, author: 'eve' }),
        sampleDocument(3, 'csv-plot', 'Plots a file', here),
      ])
    test.each(['csv', 'clean a csv', 'csv-clean', 'CSV Clean', 'fix csv cleaner', 'csv cl'])(
      '%s',
      (q) => {
        for (const name of ['csv-clean', 'CSV Clean', 'csv\u200Bclean'])
          expect(idsOf(openNamesakes(name), q)[0]).toBe(1)
      },
    )
  })

  test.each([
    ['hyphens', 'csv-clean-pdf-fill-git-log-sql-tune-docx-edit'],
    ['camelCase', 'CsvCleanPdfFillGitLogSqlTuneDocxEdit'],
    ['Chinese', '表格清洗文档填写版本日志数据库调优合同审查'],
  ])('a name counts for its first words, with %s', (_, name) => {
    const index = openSample([sampleDocument(1, name), sampleDocument(2, 'sql-tune 审查')])
    const scored = (q: string) => [...scoreAll(index, q).keys()]
    expect(scored('csv').concat(scored('表格'))).toEqual([1])
    expect(scored('tune')).toEqual([2])
    expect(scored('审查')).toEqual([2])
    expect(index.find(askFor({ q: name })).skills[0]?.id).toBe(1)
  })
})

const INVOICES = openSample([
  sampleDocument(1, 'invoice-reminder', 'Remind customers of an unpaid invoice'),
  ...Array.from({ length: 60 }, (_, at) => sampleDocument(at + 2, `n${at}`, 'For customers')),
])

test.each([
  ['remind customers of an unpaid invoice', 1],
  ['unpaid zebra', 1],
  ['zebra', 0],
])('q=%s -> %i in total', (q, total) => expect(INVOICES.find(askFor({ q })).total).toBe(total))

test('skills with one of three words are nearest, not results; copies of such a skill are neither', () => {
  const names = ['plimquav', 'ghuzzwik', 'knit', 'plimquav']
  const copied = openSample(
    names.map((name, at) => sampleDocument(at + 1, name)),
    { 4: 1 },
  )
  const { total, rows, nearest } = copied.findPage(askFor({ q: 'plimquav ghuzzwik wugforx' }))
  expect({ total, rows }).toEqual({ total: 0, rows: [] })
  expect(nearest.map(({ id, copies }) => `${id} ${copies}`).sort()).toEqual(['1 1', '2 0'])
})

test.each(['...', '!?', '---', '👩‍👩‍👧', '\ud800', '\u200b', "'"])('q=%j -> total 0', (q) =>
  expect(INDEX.find(askFor({ q }))).toEqual({ skills: [], total: 0 }),
)

test('stop words alone are searched', () => expect(findIds('for a')).toContain(8))

describe('a page for people', () => {
  const facts = { summary: 'Cleans.', licence: 'MIT', tokens: 900, safety: 'Review' as const }
  const documents = [
    sampleDocument(1, 'csv-clean', `Clean CSV. ${LONG}`, { updated: '2026-01-02', facts }),
    sampleDocument(2, 'csv-clean-copy', 'Clean CSV files', { category: 'Writing' }),
    sampleDocument(3, 'tidy', 'Clean CSV files'),
    sampleDocument(4, 'kubernetes-deploy', 'Deploys to clusters'),
  ]
  const index = openSample(documents, { 2: 1, 3: 1, 9: 4, 4: 8 })
  const show = (request: Parameters<typeof askFor>[0]) => {
    const { rows, total, categoryCounts, corrected } = index.findPage(askFor(request))
    const [coding, writing] = [categoryCounts['Coding'] ?? 0, categoryCounts['Writing'] ?? 0]
    return { ids: rows.map(({ id }) => id), total, coding, writing, corrected }
  }

  test('a row has additional fields for pages, and the row of the API does not change', () => {
    const { listed, description } = documents[0]!
    expect(index.findPage(askFor({ limit: 1 })).rows).toEqual([
      { ...listed, description, updated: '2026-01-02', ...facts, copies: 2 },
    ])
    const { skills } = index.find(askFor({ sort: 'name' }))
    expect(skills).toEqual([1, 2, 4, 3].map((id) => documents[id - 1]!.listed))
  })

  test.each([
    [{}, { ids: [1, 4], total: 2, coding: 2, writing: 1 }],
    [{ q: 'clean csv' }, { ids: [1], total: 1, coding: 1, writing: 1 }],
    [
      { q: 'clean csv', offset: 1 },
      { ids: [], total: 1, coding: 1, writing: 1 },
    ],
    // The original is in another category, so the copy is not left out.
    [
      { q: 'clean csv', categories: ['Writing' as const] },
      { ids: [2], total: 1 },
    ],
    [{ q: 'csv-clean-copy' }, { ids: [2, 1], total: 2 }],
    [{ q: 'tidy' }, { ids: [3], total: 1, coding: 1, writing: 0 }],
    [{ facets: { findings: ['review'] } }, { ids: [1], total: 1, coding: 1, writing: 0 }],
  ])('%j: a copy is left out if its original is a result', (request, expected) =>
    expect(show(request)).toMatchObject(expected),
  )

  test.each([
    // The same stem, so nothing is corrected.
    ['kubernets', []],
    ['kuberntes deploy', [['kuberntes', 'kubernetes']]],
    ['cleaned csv', []],
    ['zebra', []],
    ['', []],
  ])('q=%s is corrected: %j', (q, corrected) => expect(show({ q }).corrected).toEqual(corrected))
})
