import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { OWN_RECORD } from '../../../src/catalog/testing/content.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
} from '../../../testing/sample-folders.ts'
import { readRecords } from '../store/records.ts'
import { makeCatalog, ownSkill } from '../testing/catalog.ts'

const FIELDS = { licence: 'MIT', parts: { summary: 'Sorts.' } }

const makeThree = () => {
  const catalog = makeCatalog({
    'retired.json': [{ id: 1, slug: 'old', movedTo: 'csv-clean' }],
    ...ownSkill('csv-clean', FIELDS),
    ...ownSkill('csv-split', { ...FIELDS, id: 2 }),
    ...ownSkill('notes', { ...FIELDS, id: 3 }),
  })
  const { content, call } = catalog
  const set = (line: string) => call('set', ...line.split(' '))
  /** Sets from a file as Windows writes it. */
  const setFrom = (lines: readonly (object | string)[]) => {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    addFiles(content, { 'lines.ndjson': `\uFEFF${texts.join('\r\n')}` })
    return call('set', '--from', join(content, 'lines.ndjson'))
  }
  return { ...catalog, set, setFrom }
}

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
  const { content, set } = makeThree()
  const before = readRecords(content).records
  expect((await set(line)).code).toBe(0)
  expect(readRecords(content).records).toEqual(
    before.map(({ slug, record }) => {
      if (!slugs.includes(slug)) return { slug, record }
      const entries = Object.entries({ ...record, ...fields })
      return { slug, record: Object.fromEntries(entries.filter(([, value]) => value)) }
    }),
  )
})

test('set -> a list of changes, and records in the usual format', async () => {
  const { read, set, setFrom } = makeThree()
  await setFrom([{ slug: 'csv-split', owner: { name: 'Pay' } }])
  await set('notes owner=docs')
  const { stdout } = await set('* owner=docs licence=')
  expect(stdout.split('\n')).toEqual([
    'csv-clean: owner none -> "docs"',
    'csv-clean: licence "MIT" -> none',
    'csv-split: owner {"name":"Pay"} -> "docs"',
    'csv-split: licence "MIT" -> none',
    'notes: licence "MIT" -> none',
    'wrote 3 records; 0 had these values already',
    '',
  ])
  expect(read('skills/csv-clean/skill.json')).toMatch(/^\{\n {2}"id": 1,\n {2}"author"[^]*\}\n$/)
})

test.each([
  ['* catgory=Writing', 2, 'catgory — unknown field; did you mean "category"?'],
  ['* category=Wrting', 2, 'category: "Wrting" — must be one of "Coding"'],
  ['* id=4', 2, 'id — unknown field'],
  ['* constructor=x', 2, 'constructor — unknown field; fields: name, '],
  ['* name=', 2, 'name: "" — must not be empty'],
  ['* updated=2026-02-30', 2, 'must be a valid date'],
  ['* author=ann author=bob', 2, '"author" appears twice'],
  ['notes csv-clean', 2, 'Name a field and its value, such as category=Writing.'],
  ['author=ann licence=MIT', 2, 'Name a skill, or several with a pattern'],
  ['notes cvs-clean author=ann', 1, 'No skill "cvs-clean"; did you mean "csv-clean"?'],
  ['old author=ann', 1, '"old" moved to "csv-clean"; use that slug.'],
])('set %s -> refused, and nothing is written', async (line, code, message) => {
  const { content, set } = makeThree()
  const before = readSampleTree(content)
  expect(await set(line)).toMatchObject({ code, stderr: expect.stringContaining(message) })
  expect(readSampleTree(content)).toEqual(before)
})

test('set --from changes fields, parts and asks of each line', async () => {
  const { recordOf, setFrom } = makeThree()
  const { code, stdout } = await setFrom([
    { slug: 'notes', category: 'Writing', summary: 'Keeps notes.', owner: { name: 'Docs' } },
    '',
    { slug: 'csv-clean', asks: ['my table is a mess'], licence: null, summary: null },
    { slug: 'csv-split', licence: 'MIT' },
  ])
  expect(code).toBe(0)
  expect(stdout).toContain('csv-clean: asks none -> ["my table is a mess"]\n')
  expect(stdout).toContain('wrote 2 records; 1 had these values already\n')
  const parts = { examples: ['my table is a mess'] }
  expect(recordOf('csv-clean')).toEqual({ ...OWN_RECORD, parts })
  const fields = { category: 'Writing', owner: { name: 'Docs' } }
  expect(recordOf('notes')).toMatchObject({ ...fields, parts: { summary: 'Keeps notes.' } })
})

test('set --from: wrong lines -> each is named, and nothing is written', async () => {
  const { content, setFrom } = makeThree()
  const asks = ['My caf\u00e9 is a mess!', 'long '.repeat(20)]
  addFiles(content, ownSkill('notes', { id: 3, parts: { examples: asks } }))
  const good = { slug: 'notes', category: 'Writing' }
  const before = readRecords(content)
  const { code, stderr } = await setFrom([
    good,
    '{',
    { slug: 'csv-cleen', category: 'Writing' },
    { slug: 'old', category: 'Writing' },
    { slug: 'notes', category: 'Coding' },
    { slug: 'csv-split', asks: ['x'.repeat(101), 'b'], colour: 'red' },
    { slug: 'csv-clean', asks: ['my cafe\u0301 is a  mess', 'one', 'One?'] },
    { category: 'Writing' },
    '{"slug": "old", "owner": {"name": "a", "name": "b"}}',
  ])
  expect(code).toBe(1)
  for (const line of [
    'lines.ndjson:2: is not JSON',
    'lines.ndjson:3: slug: "csv-cleen" — No skill "csv-cleen"; did you mean "csv-clean"?',
    'lines.ndjson:4: slug: "old" — "old" moved to "csv-clean"',
    'lines.ndjson:5: slug: "notes" — has lines.ndjson:1 already',
    'lines.ndjson:6: asks.0: "xx',
    'lines.ndjson:6: colour — unknown field',
    'lines.ndjson:7: asks.0: "my cafe\u0301 is a  mess" — is an ask of "notes", too',
    'lines.ndjson:7: asks.2: "One?" — appears twice',
    'lines.ndjson:8: slug — is missing',
    'lines.ndjson:9: "name" appears twice',
  ])
    expect(stderr).toContain(line)
  expect(stderr).not.toContain('lines.ndjson:1:')
  expect(readRecords(content)).toEqual(before)
})

test('set --from: two skills of a line each may swap asks, and a copy may have those of its original', async () => {
  const { content, setFrom } = makeThree()
  const set = (asks: Record<string, string>) =>
    setFrom(Object.entries(asks).map(([slug, ask]) => ({ slug, asks: [ask] })))
  expect((await set({ notes: 'one', 'csv-clean': 'two' })).code).toBe(0)
  expect((await set({ notes: 'two', 'csv-clean': 'one' })).code).toBe(0)
  expect((await set({ notes: 'one' })).code).toBe(1)
  addFiles(content, ownSkill('notes', { id: 3, copyOf: 'csv-clean' }))
  expect((await set({ notes: 'one' })).code).toBe(0)
})

const LATIN = join(makeSampleFolder({ x: Buffer.from('{"slug": "caf\u00e9"}', 'latin1') }), 'x')
afterAll(removeFolders)

test.each([
  [['notes', 'category=Writing', '--from', 'x'], 'With --from, the file names skills and values.'],
  [['--from', 'no-such-file'], '"no-such-file" cannot be read: ENOENT'],
  [['--from', '.'], '"." cannot be read: it is not a file.'],
  [['--from', LATIN], 'not valid UTF-8; save it as UTF-8'],
])('set %j -> refused', async (line, message) => {
  const { code, stderr } = await makeThree().call('set', ...line)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('set --from: no room for one of the records -> none is written', () => {
  const { content } = makeThree()
  const path = join(content, 'lines.ndjson')
  const items = Array.from({ length: 40 }, () => 'word '.repeat(150).trim())
  const lines = [
    { slug: 'csv-clean', summary: 'Other.' },
    { slug: 'notes', capabilities: items },
  ]
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  const before = readSampleTree(content)
  const main = fileURLToPath(new URL('../../cli/main.mjs', import.meta.url))
  const command = `ulimit -f 16; exec "$0" "$@"`
  const args = [process.execPath, main, 'catalog', 'set', '--from', path, '--content', content]
  const { status, stderr } = spawnSync('sh', ['-c', command, ...args], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')])
  expect(readSampleTree(content)).toEqual(before)
})
