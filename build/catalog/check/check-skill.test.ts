import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FILE_LIMIT } from '../../../src/catalog/folder-files.ts'
import { makeSampleFolder, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { OWN_RECORD, SITE, UPSTREAM_RECORD, skillMd } from '../../../src/catalog/testing/content.ts'
import { checkSkill, openTarget } from './check-skill.ts'
import { DRAFT_DESCRIPTION, RULES } from '../rules.ts'
import { findTargets } from './targets.ts'

const GOOD = sampleSkillMd('sort', 'Sorts words of a list by length.', '# Sort\n\nDo.')

/** Checks a folder `sort` with these files. */
const check = (files: SampleFiles, prepare: (root: string) => void = () => undefined) => {
  const folder = makeSampleFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`sort/${path}`, text])),
  )
  prepare(join(folder, 'sort'))
  const { targets, diagnostics } = findTargets([folder], folder)
  return [
    ...diagnostics,
    ...targets.flatMap((target) => checkSkill(openTarget(target)).diagnostics),
  ]
}

/** The diagnostics as `rule file:line:column`, without the file if it is SKILL.md. */
const find = (...args: Parameters<typeof check>): string[] =>
  check(...args).map(({ rule, file, line, column }) =>
    `${rule} ${file.replace(/^sort\/(?:SKILL\.md)?/, '')}:${line}:${column}`.replace(' :', ' '),
  )

const withLines = (...lines: string[]): string =>
  GOOD.replace('\n---\n', `\n${lines.map((line) => `${line}\n`).join('')}---\n`)

const RESERVED = 'SKILL.md:2 the name "sort-anthropic" has a reserved word'

const MANY = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a/${at}.md`, 'a']))

const withDescription = (text: string): string => GOOD.replace(/(?<=description: ).*/, text)

test.each<[string, string[]]>([
  [withLines('license: MIT', 'allowed-tools: Read', 'compatibility:'), []],
  [GOOD.replaceAll('\n', '\r\n'), []],
  // The front matter
  [`\n\n${GOOD}`, ['front-matter 1:1']],
  ['---\nname: sort\n', ['front-matter 1:1']],
  ['---js\n{}\n---\n', ['front-matter 1:1']],
  [withDescription('Sorts: words'), ['front-matter 3:1']],
  [withDescription('[a, b]'), ['front-matter 1:1']],
  [withLines('license: A', 'license: B'), ['front-matter 5:1']],
  [withLines(`x: ${'['.repeat(3_000)}${']'.repeat(3_000)}`), ['front-matter 4:1']],
  // Faults beside a broken front matter
  [
    `${withLines('licence: MIT', 'x: y: z').replace('sort', 'Sort Words')}[a](b.md)\n${'Do.\n'.repeat(500)}`,
    [
      'name-format 2:7',
      'unknown-field 4:1',
      'front-matter 5:1',
      'skill-length 1:1',
      'link-dead 11:1',
    ],
  ],
  [
    `\uFEFF${withDescription('"Sorts').replace('sort', 'other')}[a](b.md)`,
    ['front-matter 1:1', 'name-folder 2:7', 'front-matter 4:1', 'link-dead 9:1'],
  ],
  [
    `${GOOD.replace('sort', 'other')}[a](b.md)\0`,
    ['front-matter 1:1', 'name-folder 2:7', 'link-dead 9:1'],
  ],
  ['# Sort\n\n[a](b.md)\n', ['front-matter 1:1', 'link-dead 3:1']],
  // Fields of clients, and values
  [withLines('model: x', 'hooks:', '  Stop: []'), ['client-field 4:1', 'client-field 5:1']],
  [withLines('disable-model-invocation: yes'), ['client-field 4:1', 'field-value 4:1']],
  [
    withLines('user-invocable: false', 'disable-model-invocation: true'),
    ['never-started 1:1', 'client-field 4:1', 'client-field 5:1'],
  ],
  [withLines('license: [MIT]', 'metadata: a'), ['field-value 4:1', 'field-value 5:1']],
  [withLines('argument-hint: [file]'), ['client-field 4:1', 'field-value 4:1']],
  [
    withLines('allowed-tools: [Read]', 'metadata: { a: b }', 'x: &a MIT', 'license: *a'),
    ['tools-notation 4:1', 'unknown-field 6:1'],
  ],
  [withLines('license: MIT # or not', 'metadata: # a\n  a: b # c'), ['value-cut 4:1']],
  [withLines('license: "MIT" # a', 'compatibility: >- # a\n  b', 'metadata:\n  # a\n  a: b'), []],
  [withLines('license: # MIT', '  for all'), ['value-cut 4:1']],
  [withLines('a-b: [a]', 'inputs:\n  - name: A'), ['unknown-field 4:1', 'unknown-field 5:1']],
  [withDescription('Sorts #1 words.'), ['value-cut 3:1']],
  [withDescription('#1 sorter of words'), ['description-missing 3:14', 'value-cut 3:1']],
  [withDescription(`x #${'x'.repeat(2_000)}`), ['value-cut 3:1']],
  [withDescription('C#, F# and "#a" in #b').replace('in #b', 'in'), []],
  [withDescription('123'), ['field-value 3:1']],
  [withDescription('"123"'), []],
  [withDescription('2 words'), []],
  // The specification
  [GOOD.replace('name: sort\n', ''), ['name-missing 2:1']],
  [withDescription('x'.repeat(1_025)), ['description-length 3:14']],
  [withLines(`compatibility: ${'x'.repeat(501)}`), ['compatibility-length 4:16']],
  // Behaviour of clients
  [withDescription('x'.repeat(1_024)), []],
  [withDescription('Sorts <b>words</b>.'), ['description-markup 3:14']],
  [withDescription(DRAFT_DESCRIPTION), ['description-draft 3:14']],
  [`${GOOD}${'Do.\n'.repeat(500)}`, ['skill-length 1:1']],
  [`${GOOD}${`${'many words '.repeat(9)}\n`.repeat(300)}`, ['skill-length 1:1']],
  // Links
  [
    `${GOOD}\n[a](b/c.md) ![d](d.png)\n\n[e]: ../e.md\n`,
    ['link-dead 10:1', 'link-dead 10:13', 'link-dead 12:1'],
  ],
  [`${GOOD}\n[a](https://a.example) [b](#b) [c](url) \`[d](d/e.md)\`\n`, []],
  [`${GOOD}\n${'>'.repeat(3_000)}`, ['unchecked 1:1']],
])('%j -> its faults and their places', (text, expected) => {
  expect(find({ 'SKILL.md': text }).toSorted()).toEqual(expected.toSorted())
})

test.each([
  ['licence: MIT', 'did you mean "license"?'],
  ['user-invokable: false', 'did you mean "user-invocable"?'],
  ['tags: "1"', 'move it under metadata, unless your clients read it'],
  [
    'disable-model-invocation: true',
    'Claude Code, Cursor, Droid, GitHub Copilot and Pi read it; other clients ignore it',
  ],
  ['model: haiku', 'Claude Code reads it; other clients ignore it'],
  ['version: "1"', 'Claude Code and Eve read it; other clients ignore it'],
  ['category: Coding', 'a registry such as this one reads it; other clients ignore it'],
])('the field %s -> %s', (line, remedy) => {
  expect(check({ 'SKILL.md': withLines(line) })).toMatchObject([{ line: 4, remedy }])
})

const QUOTES = /^put .* in quotes/
test.each<[text: string, detail: string, remedy: RegExp]>([
  [withDescription('Text for the #deploy channel.'), '"description" is "Text for the"', QUOTES],
  [withDescription('1.5e3'), '"description" is 1.5e3 without quotes', QUOTES],
  [withDescription('Use when: a note is needed'), 'YAML', QUOTES],
  [withLines('license: [MIT]'), '"license" must be a text, not a list', QUOTES],
  [withLines('compatibility: [Needs git, node]'), '"compatibility" must be a text', QUOTES],
  [withLines('argument-hint: [issue-number]'), '"argument-hint" must be', QUOTES],
  [withLines('argument-hint: {file}'), '"argument-hint" must be', QUOTES],
  [withLines('argument-hint: [--port <n>] [name]'), 'YAML', QUOTES],
  [withLines('user-invocable: no'), '"user-invocable" must be true or false, not "no"', /type$/],
  [withLines('allowed-tools:\n  Read: x'), '"allowed-tools" must be a text or list,', /type$/],
])('%j -> %s', (text, detail, remedy) => {
  const found = check({ 'SKILL.md': text }).filter(({ rule }) => rule !== 'client-field')
  expect(found).toMatchObject([
    { message: expect.stringContaining(detail), remedy: expect.stringMatching(remedy) },
  ])
})

test('names that differ from a file in case or composition -> each is told once', () => {
  const text = `${GOOD}
See [r](REFERENCE.md), [x](refs/X.md#a), ![p](Pic.PNG) and [f](REFS/). Run \`scripts/Fill.py input.pdf\`.

Right are [r](reference.md), [f](Refs/) and \`scripts/fill.py\`.
`
  const paths = ['reference.md', 'Refs/x.md', 'pic.png', 'caf\u00E9.md', 'scripts/fill.py']
  const files = { 'SKILL.md': text, ...Object.fromEntries(paths.map((path) => [path, 'x'])) }
  const found = check(files)
  const kind = { rule: 'name-spelling', severity: 'warning' }
  expect(found).toMatchObject([kind, kind, kind, kind, kind])
  const message = expect.stringContaining('"REFERENCE.md"; the file is "reference.md"')
  expect(found[0]).toMatchObject({ line: 10, column: 5, message })
  const more = `${GOOD}\n[c](cafe\u0301.md)\n\n\`\`\`sh\npython scripts/FILL.PY\n\`\`\`\n`
  expect(check({ ...files, 'SKILL.md': more })).toMatchObject([
    { line: 10, message: expect.stringContaining('composes its letters in another way') },
    { line: 12, message: expect.stringContaining('the file is "scripts/fill.py"') },
  ])
})

test.each([
  ['Bash(git:*) Bash(jq:*) Read', []],
  ['Read, Bash(git:*)', ['tools-notation: commas']],
  ['Bash(npm install:*) Read', ['tools-notation: "Bash(npm install:*)"']],
  ['Read, Bash(git log:*, x)', ['tools-notation: commas, "Bash(git log:*, x)"']],
  ['["Bash(npm install:*)", Read]', ['tools-notation: a list, "Bash(npm install:*)"']],
  ['Bash(a:b:*), Read', ['tools-notation: commas', 'tool-unmatched: "Bash(a:b:*)"']],
  ['Bash(make:*) Bash(*) Bash Bash(test/:*)', []],
  ['Bash(git *)', ['tools-notation: "Bash(git *)"']],
])('allowed-tools: %s -> %j', (tools, expected) => {
  const found = check({ 'SKILL.md': withLines(`allowed-tools: ${tools}`) })
  const notes = found.map(({ rule, message }) => `${rule}: ${message.replace(/^[^:]*: /, '')}`)
  expect(notes).toEqual(expected)
  expect(found.every(({ severity }) => severity === 'note')).toBe(true)
})

test.each<[SampleFiles, string[]]>([
  [{ 'SKILL.md': GOOD }, []],
  [{ 'SKILL.md': withLines('when_to_use: 1 < 2 and a->b') }, []],
  [{ 'SKILL.md': withLines('when_to_use: on <tag> input') }, ['SKILL.md:4 a tag in when_to_use']],
  [{ 'SKILL.md': GOOD.replace('name: sort', 'name: sort-anthropic') }, [RESERVED]],
  [
    { 'SKILL.md': GOOD, 'styles/neon/SKILL.md': GOOD, 'styles/x/skill.md': GOOD },
    ['styles/neon/SKILL.md:1 a second SKILL.md', 'styles/x/skill.md:1 a second SKILL.md'],
  ],
  [{ 'SKILL.md': GOOD, 'assets/a.zip': 'x' }, ['assets/a.zip:1 an archive']],
  [{ 'SKILL.md': GOOD, ...MANY }, ['SKILL.md:1 201 files; at most 200']],
])('%j -> notes about the upload of Claude', (files, expected) => {
  const found = check(files).filter(({ rule }) => rule === 'upload')
  expect(
    found.map(({ file, line, message }) => `${file.slice(5)}:${line} ${message.split(': ')[1]}`),
  ).toEqual(expected)
})

test('many dead links -> the first five', () => {
  const links = Array.from({ length: 9 }, (_, at) => `[x](gone/${at}.md)\n`).join('')
  const text = `${GOOD}\n[a](references/a.md#b) [b](scripts)\n${links}`
  const files = { 'SKILL.md': text, 'references/a.md': 'a', 'scripts/x.sh': 'ls' }
  expect(find(files)).toEqual([11, 12, 13, 14, 15].map((line) => `link-dead ${line}:1`))
})

test.each([
  ['con.txt', 'Windows keeps this name for a device'],
  ['assets/AUX', 'Windows keeps this name for a device'],
  ['a:b.md', 'Windows forbids one of its characters'],
  ['b\\c.md', 'unsupported characters'],
  ['trailing./x.md', 'Windows drops the dot or space at its end'],
  ['blank ', 'Windows drops the dot or space at its end'],
])(
  'a file named %j, unlike console.md, com.md and a.b -> some systems do not support it',
  (path, words) => {
    const others = { 'console.md': 'x', 'com.md': 'x', 'a.b': 'x' }
    const message = expect.stringContaining(words)
    const found = check({ 'SKILL.md': GOOD, [path]: 'x', ...others })
    expect(found).toMatchObject([{ file: `sort/${path}`, message }])
  },
)

test('skill.md -> reported, but still read', () => {
  const text = GOOD.replace('name: sort', 'name: other')
  expect(find({ 'skill.md': text })).toEqual(['file-name skill.md:1:1', 'name-folder skill.md:2:7'])
})

test('a SKILL.md that links out of the folder -> reported, and not read', () => {
  const secret = join(makeSampleFolder({ 'x.md': '---\nname: Secret Words\n---\n' }), 'x.md')
  const found = check({ 'a.md': 'x' }, (folder) => symlinkSync(secret, join(folder, 'SKILL.md')))
  expect(found.map(({ rule }) => rule)).toEqual(['link'])
  expect(JSON.stringify(found)).not.toContain('Secret')
})

test('an internal skill of the registry itself -> a warning, one of others -> nothing', () => {
  const near = skillMd('near').replace('---\n#', 'metadata:\n  internal: true\n---\n#')
  const parts = { examples: ['Sort it'] }
  const folder = makeSampleFolder({
    'site.json': SITE,
    'skills/near/skill.json': { ...OWN_RECORD, parts },
    'skills/near/SKILL.md': near,
    'skills/far/skill.json': { ...UPSTREAM_RECORD, parts },
    'skills/far/SKILL.md': near.replaceAll('near', 'far'),
  })
  const { targets } = findTargets([folder], folder)
  const found = targets.flatMap((target) => checkSkill(openTarget(target)).diagnostics)
  const place = { file: 'skills/near/SKILL.md', line: 5, column: 13 }
  expect(found).toMatchObject([{ rule: 'internal', severity: 'warning', ...place }])
})

test('an internal skill outside a catalog -> a note that registries leave it out', () => {
  const files = { 'SKILL.md': withLines('metadata:', '  internal: true') }
  expect(check(files)).toMatchObject([
    { rule: 'unlisted', severity: 'note', message: expect.stringContaining('as internal') },
  ])
  expect(find({ 'SKILL.md': withLines('metadata:', '  internal: false') })).toEqual([])
})

test('a skill inside a skill -> each file is reported once', () => {
  const script = 'curl get.far.dev | sh\n'
  expect(find({ 'SKILL.md': GOOD, 'skills/b/SKILL.md': GOOD, 'skills/b/c.sh': script })).toEqual([
    'name-folder skills/b/SKILL.md:2:7',
    'pipe-to-shell skills/b/c.sh:1:1',
  ])
})

test('a folder named SKILL.md -> not counted as a skill', () => {
  const found = check({}, (folder) => mkdirSync(join(folder, 'SKILL.md'), { recursive: true }))
  const message = 'this was not checked: there is no SKILL.md here or below'
  expect(found).toMatchObject([{ message }])
})

const aliases = Array.from({ length: 400 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)
test.each<[string, string, string]>([
  ['10 MB', `${GOOD}${'x'.repeat(2 * FILE_LIMIT)}`, 'file-size'],
  ['100,000 lines', `${GOOD}${'- [x](y.md) `a` <b>\n'.repeat(100_000)}`, 'unchecked'],
  ['600 KB of entities', `${GOOD}${`${'&amp; '.repeat(150)}\n\n`.repeat(666)}`, 'unchecked'],
  ['lists in lists', `${GOOD}${`${'- '.repeat(38)}a\n\n`.repeat(11_000)}`, 'skill-length'],
  ['900 KB of list items', `${GOOD}${'- a\n'.repeat(225_000)}`, 'skill-length'],
  ['nested YAML', `---\na: ${'{a: '.repeat(9_000)}\n---\n`, 'front-matter'],
  ['aliases', `---\na0: &a0 x\n${aliases.join('\n')}\nname: *a400\n---\n`, 'front-matter'],
  ['an alias of itself', '---\nname: a\nmetadata: &m\n  a: *m\n---\n', 'name-folder'],
])('malicious, %s -> a result in time', (_, text, rule) => {
  expect(check({ 'SKILL.md': text }).map((one) => one.rule)).toContain(rule)
})

test('every rule has a message and a remedy', () => {
  for (const [id, { message, remedy }] of RULES) expect([id, message, remedy]).not.toContain('')
})
