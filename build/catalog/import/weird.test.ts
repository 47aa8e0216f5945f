import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  makeContent,
  makeSampleFolder,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'

const wrap = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nBody\n`

type Sample = [name: string, message: RegExp, file: string | Uint8Array]

/** Malformed files that are imported unchanged, with a remark. */
const ADAPTED: Sample[] = [
  [
    'repaired',
    /^line \d+: .* read as plain text; the file is unchanged$/,
    wrap('name: a', 'description: Use when: it rains'),
  ],
  [
    'read around',
    /^line \d+: .* only name, description and licence are read; the file is unchanged$/,
    wrap('name: a', 'description: d', 'metadata: {"x": {'),
  ],
  [
    'name of its folder',
    /^the front matter has no name; the folder's, ".*", is used$/,
    wrap('name: ""', 'description: d'),
  ],
  [
    'long description',
    /^the description has \d+ characters; the specification allows 1024$/,
    sampleSkillMd('a', 'd'.repeat(1_025)),
  ],
  [
    'cleaned description',
    /^hidden and control characters were removed from the description$/,
    sampleSkillMd('a', 'in\u202Ever\u200Bse'),
  ],
  ['shown name', /^the name ".*"…? is shown as ".*"…?$/, sampleSkillMd('a\u200Bb')],
]

const CONFLICT = ['<<<<<<< HEAD', 'description: d', '=======', 'description: e', '>>>>>>> x']
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
const ALIASES = `x: [${Array(51).fill('*a').join()}]`
const DEEP = `x: ${'['.repeat(5_000)}${']'.repeat(5_000)}`

/** Malformed files that are not imported. */
const REFUSED: Sample[] = [
  ['no front matter', /^no front matter between --- lines$/, '# a\n'],
  ['never closed', /opened by --- and never closed$/, '---\nname: a\ndescription: d\n'],
  ['no description', /^the front matter has no description$/, wrap('name: a', 'description: ~')],
  ['conflict', /^the file contains merge conflict markers$/, wrap('name: a', ...CONFLICT)],
  ['no mapping', /is not a list of `key: value` lines$/, wrap('name a', 'description d')],
  ['nul', /^the file is not text: NUL at byte \d+$/, sampleSkillMd('a\0')],
  ['not utf-8', /^the file is not valid UTF-8$/, Buffer.from(sampleSkillMd('caf\u00E9'), 'latin1')],
  ['utf-16', /^the file is UTF-16$/, Buffer.from(`\uFEFF${sampleSkillMd('a')}`, 'utf16le')],
  ['list', /description is a list, but must be text$/, wrap('name: a', 'description: [d]')],
  ['alias', /description is a list/, wrap('x: &x [a]', 'name: a', 'description: *x')],
  ['mapping', /description is a mapping, but must/, wrap('name: a', 'description:', '  en: d')],
  ['blank', /^the file is blank$/, ' \n\t\n'],
  ['stored link', /^left out: a symlink that was stored as text$/, '../a/SKILL.md'],
  ['language', /front matter in the language ".*" is not supported$/, '---js\n({})\n---\n'],
  ['tag', /^line \d+: YAML: Unresolved tag/, wrap('name: a', "description: !!js/function 'x'")],
  ['merge key', /^line 1: merge keys/, wrap('base: &b', '  name: a', '  description: d', '<<: *b')],
  ['aliases', /^line 1: \d+ aliases \(\*name\)$/, wrap('name: &a b', 'description: d', ALIASES)],
  ['deep', /front matter is nested too deeply$/, wrap('name: a', 'description: d', DEEP)],
  ['long', /^line 1: front matter of \d+ characters in/, sampleSkillMd('a', 'd'.repeat(65_536))],
  ['placeholder', /^line \d+: YAML: Unex/, wrap('name: {{name}}', 'description: {{ d("x") }} y')],
  ['lfs', /^a Git LFS pointer/, LFS],
  ['html', /^the file is an HTML page/, '<!DOCTYPE html><p>404</p>'],
]

let content: string
let report: Awaited<ReturnType<typeof runImport>>

beforeAll(async () => {
  const files = [...ADAPTED, ...REFUSED].map(([name, , file]) => [`${name}/SKILL.md`, file])
  content = makeContent()
  report = await runImport(makeSampleFolder(Object.fromEntries(files)), content)
})

afterAll(removeFolders)

test.each(ADAPTED)('%s -> imported unchanged, with a remark', (name, message, file) => {
  const remarks = report.warnings.filter(({ rule }) => rule === 'adapted')
  const own = remarks.filter((one) => one.file.startsWith(`${name}/`)).map((one) => one.message)
  expect(own).toEqual([expect.stringMatching(message)])
  const { slug = '' } = report.imported.find(({ path }) => path === name) ?? {}
  expect(readFileSync(join(content, 'skills', slug, 'SKILL.md'), 'utf8')).toBe(file)
})

test.each(REFUSED)('%s -> not imported, and why', (name, message) => {
  const own = report.skipped.filter(({ file }) => file.startsWith(`${name}/`))
  expect(own).toMatchObject([{ message: expect.stringMatching(message) }])
})

test('all others -> a catalog that loads', () => {
  expect(loadCatalog(content).skills).toHaveLength(ADAPTED.length)
})
