import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import {
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { readRecords } from '../store/records.ts'
import { runCommand } from '../testing/run-command.ts'

afterEach(removeFolders)

const RECORD = { ...OWN_RECORD, licence: 'MIT', parts: { summary: 'Sorts.' } }

const makeCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'retired.json': JSON.stringify([{ id: 1, slug: 'old', movedTo: 'csv-clean' }]),
    ...Object.fromEntries(
      ['csv-clean', 'csv-split', 'notes'].flatMap((slug, at) => [
        [`skills/${slug}/skill.json`, JSON.stringify({ ...RECORD, id: at + 1 })],
        [`skills/${slug}/SKILL.md`, sampleSkillMd(slug)],
      ]),
    ),
  })

const callSet = (content: string, line: string, ...options: string[]) =>
  runCommand('set', ...line.split(' '), ...options, '--content', content)

test.each<[line: string, fields: object, slugs: string[]]>([
  ['csv-clean category=Writing', { category: 'Writing' }, ['csv-clean']],
  ['csv-* category=Writing', { category: 'Writing' }, ['csv-clean', 'csv-split']],
  ['csv-split notes author=ann', { author: 'ann' }, ['csv-split', 'notes']],
  ['* licence=', { licence: undefined }, ['csv-clean', 'csv-split', 'notes']],
  [
    'notes difficulty=Advanced licence=CC-BY-4.0 updated=2026-02-03',
    { difficulty: 'Advanced', licence: 'CC-BY-4.0', updated: '2026-02-03' },
    ['notes'],
  ],
  ['notes description=a=b', { description: 'a=b' }, ['notes']],
  ['* category=Coding', {}, []],
])('set %s', async (line, fields, slugs) => {
  const content = makeCatalog()
  const before = readRecords(content).records
  const texts = readSampleTree(content)
  const planned = await callSet(content, line, '--dry-run')
  expect(readSampleTree(content)).toEqual(texts)
  const { code, stdout } = await callSet(content, line)
  expect(code).toBe(0)
  expect(planned.stdout).toBe(stdout.replace('wrote', 'would write'))
  expect(readRecords(content).records).toEqual(
    before.map(({ slug, record }) => {
      if (!slugs.includes(slug)) return { slug, record }
      const entries = Object.entries({ ...record, ...fields })
      return { slug, record: Object.fromEntries(entries.filter(([, value]) => value)) }
    }),
  )
})

test('set csv-* category=Writing -> a list of changes, and records in the usual format', async () => {
  const content = makeCatalog()
  await callSet(content, 'csv-split category=Writing')
  const { stdout } = await callSet(content, 'csv-* category=Writing')
  expect(stdout.split('\n')).toEqual([
    'csv-clean: category "Coding" -> "Writing"',
    'wrote 1 record; 1 had these values already',
    '',
  ])
  const record = { ...RECORD, id: 1, category: 'Writing' }
  const tree = readSampleTree(content)
  expect(JSON.parse(tree['skills/csv-clean/skill.json'] ?? '')).toEqual(record)
  expect(tree['skills/csv-clean/skill.json']).toMatch(/^\{\n {2}"id": 1,\n {2}"author"[^]*\}\n$/)
})

test('set notes owner=docs-team replaces an owner with an address', async () => {
  const content = makeCatalog()
  const owner = { name: 'Payments', url: 'https://pay.example' }
  const path = join(content, 'skills/notes/skill.json')
  const record = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...record, owner }))
  const { stdout } = await callSet(content, 'notes owner=docs-team')
  expect(stdout).toContain(`notes: owner ${JSON.stringify(owner)} -> "docs-team"\n`)
  expect(readRecords(content).records.find(({ slug }) => slug === 'notes')?.record.owner).toBe(
    'docs-team',
  )
})

test('set notes licence= -> prints the previous value', async () => {
  const { stdout } = await callSet(makeCatalog(), 'notes licence=')
  expect(stdout).toContain('notes: licence "MIT" -> none\n')
})

test.each([
  ['* catgory=Writing', 2, 'No field "catgory"; did you mean "category"?'],
  ['* category=Wrting', 2, 'category: "Wrting" — must be one of "Coding"'],
  ['* category=Wrting', 2, 'did you mean "Writing"?'],
  ['* id=4', 2, '"id" cannot be set with this command; edit it in skill.json.'],
  ['* constructor=x', 2, 'No field "constructor"'],
  ['* name=', 2, 'name: "" — must not be empty'],
  ['* updated=2026-02-30', 2, 'must be a valid date'],
  ['* author=ann author=bob', 2, '"author" appears twice'],
  ['notes csv-clean', 2, 'Name a field and its value, such as category=Writing.'],
  ['author=ann licence=MIT', 2, 'Name a skill, or several with a pattern'],
  ['notes cvs-clean author=ann', 1, 'No skill "cvs-clean"; did you mean "csv-clean"?'],
  ['old author=ann', 1, '"old" moved to "csv-clean"; use that slug.'],
])('set %s -> refused, and nothing is written', async (line, code, message) => {
  const content = makeCatalog()
  const before = readSampleTree(content)
  const result = await callSet(content, line)
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)])
  expect(readSampleTree(content)).toEqual(before)
})
