import { expect, test } from 'vitest'
import { makeSampleFolder, readSampleTree } from '../../testing/sample-folders.ts'
import { upgradeContent } from './upgrade-content.ts'

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

test('a content folder of version 1.0.0 -> without the files that nothing reads, once', () => {
  const kept = { 'counters.json': '{"1": {"views": 1, "installs": 0}}' }
  const content = makeSampleFolder({
    ...kept,
    'copies.json': '{"2": 1}',
    'counters.state.json': '{}',
  })
  expect(upgradeContent(content)).toEqual([
    `Removed ${content}/copies.json, which nothing reads any more.`,
    `Removed ${content}/counters.state.json, which nothing reads any more.`,
  ])
  expect(readSampleTree(content)).toEqual(kept)
  expect(upgradeContent(content)).toEqual([])
})

test('files of version 1.0.0 -> without the fields that are gone, and otherwise unchanged', () => {
  const url = 'https://github.com/ada/tools/tree/main/far'
  const seen = { status: 'gone', checked: '2026-01-02', seen: '2026-01-01' }
  const record = { id: 1, source: { kind: 'upstream', url, ...seen }, via: 'kept' }
  const old = JSON.stringify({
    ...record,
    source: { ...record.source, via: 'https://far.example' },
    partsFrom: { summary: ['3'] },
  })
  const row = { address: 'https://far.example', note: 'tokenFrom' }
  const content = makeSampleFolder({
    'skills/far/skill.json': old,
    'skills/near/skill.json': '{ "id": 2 }',
    'site.json': JSON.stringify({
      name: 'R',
      versions: { since: 'x', keep: 3, days: 90 },
      review: 'code',
    }),
    'sources.json': JSON.stringify([
      { ...row, tokenFrom: 'TOKEN', review: 'code', wait: 7 },
      { ...row, review: 'all' },
    ]),
  })
  expect(upgradeContent(content)).toEqual([
    `Removed partsFrom from ${content}/skills/far/skill.json.`,
    `Removed source.via from ${content}/skills/far/skill.json.`,
    `Removed versions.days from ${content}/site.json.`,
    `Removed *.tokenFrom from ${content}/sources.json.`,
    `Removed *.wait from ${content}/sources.json.`,
    `${content}/site.json: "review" is "files" instead of "code".`,
    `${content}/sources.json: "review" is "files" instead of "code".`,
  ])
  const tree = readSampleTree(content)
  expect(tree).toEqual({
    'skills/far/skill.json': print(record),
    'skills/near/skill.json': '{ "id": 2 }',
    'site.json': print({ name: 'R', versions: { since: 'x', keep: 3 }, review: 'files' }),
    'sources.json': print([
      { ...row, review: 'files' },
      { ...row, review: 'all' },
    ]),
  })
  expect(upgradeContent(content)).toEqual([])
})

test('rejections of version 1.0.0 -> in sources.lock; versions that waited -> the next update', () => {
  const url = 'https://github.com/ada/tools'
  const digest = '0123456789abcdef'
  const far = JSON.stringify({ id: 1, source: { kind: 'upstream', url, seen: '2026-01-01' } })
  const content = makeSampleFolder({
    'skills/far/skill.json': far,
    'pending/skills/far/SKILL.md': 'x',
    'sources.state.json': JSON.stringify({
      read: {},
      rejected: ['far', 'new'].map((slug) => ({ slug, digest, when: '2026-01-01', isTold: true })),
    }),
  })
  expect(upgradeContent(content)).toEqual([
    `Carried rejections over from ${content}/sources.state.json to ${content}/sources.lock: 2.`,
    `Removed ${content}/pending: the next update writes these versions into skills/, for a review in git.`,
  ])
  expect(readSampleTree(content)).toEqual({
    'skills/far/skill.json': far,
    'sources.lock':
      `{"address":"${url}","rejected":"${digest}","slug":"far"}\n` +
      `{"address":"unknown","rejected":"${digest}","slug":"new"}\n`,
  })
  expect(upgradeContent(content)).toEqual([])
})

test.each([
  [
    { status: 'copied', checked: '2026-01-02' },
    { status: 'alive', seen: '2026-01-02' },
  ],
  [{ status: 'gone', checked: '2026-01-02' }, { seen: '2026-01-02' }],
])('a record of version 1.0.0 with the source %j -> %j', (before, after) => {
  const source = { kind: 'upstream', url: 'https://github.com/ada/tools', ...before }
  const content = makeSampleFolder({ 'skills/far/skill.json': JSON.stringify({ id: 1, source }) })
  const path = `${content}/skills/far/skill.json`
  expect(upgradeContent(content)).toEqual([`${path}: its source was last seen on ${after.seen}.`])
  const text = readSampleTree(content)['skills/far/skill.json']
  expect(text).toBe(print({ id: 1, source: { ...source, ...after } }))
  expect(upgradeContent(content)).toEqual([])
})

test('a skill whose source was never found -> named, and unchanged', () => {
  const record = JSON.stringify({ id: 1, source: { kind: 'upstream', status: 'untraced' } })
  const content = makeSampleFolder({ 'skills/far/skill.json': record })
  expect(upgradeContent(content)).toEqual([
    `${content}/skills/far/skill.json: its source was never found; remove the skill (retire).`,
  ])
  expect(readSampleTree(content)).toEqual({ 'skills/far/skill.json': record })
})

test('a file that is not JSON -> an error that names it', () => {
  const content = makeSampleFolder({ 'skills/far/skill.json': '{' })
  const message = /skills\/far\/skill\.json is not JSON: .*; correct it, and run the upgrade again$/
  expect(() => upgradeContent(content)).toThrow(message)
})
