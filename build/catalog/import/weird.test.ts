import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  sampleSkillMd,
  makeContent,
  makeSampleFolder,
  removeFolders,
  runImport,
} from '../../../testing/sample-folders.ts'

/** A possible outcome of importing a malformed SKILL.md, with a sample file. */
interface WeirdOutcome {
  /** Whether the skill is imported, perhaps with a warning. */
  isImported: boolean
  message: RegExp
  sample: string | Uint8Array
}

const wrap = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nBody\n`

/** All outcomes of malformed files; a file can have two. */
const OUTCOMES = {
  repaired: {
    isImported: true,
    message: /^line \d+: .* read as plain text; the file is unchanged$/,
    sample: wrap('name: a', 'description: Use when: it rains'),
  },
  readAround: {
    isImported: true,
    message: /^line \d+: .* only name, description and licence are read; the file is unchanged$/,
    sample: wrap('name: a', 'description: d', 'metadata: {"x": {'),
  },
  folderName: {
    isImported: true,
    message: /^the front matter has no name; the folder's, ".*", is used$/,
    sample: wrap('name: ""', 'description: d'),
  },
  longDescription: {
    isImported: true,
    message: /^the description has \d+ characters; the specification allows 1024$/,
    sample: sampleSkillMd('a', 'd'.repeat(1_025)),
  },
  cleanedDescription: {
    isImported: true,
    message: /^hidden and control characters were removed from the description$/,
    sample: sampleSkillMd('a', 'in\u202Ever\u200Bse'),
  },
  shownName: {
    isImported: true,
    message: /^the name ".*"…? is shown as ".*"…?$/,
    sample: sampleSkillMd('a\u200Bb'),
  },
  noFrontMatter: {
    isImported: false,
    message: /^no front matter between --- lines$/,
    sample: '# a\n',
  },
  neverClosed: {
    isImported: false,
    message: /opened by --- and never closed$/,
    sample: '---\nname: a\ndescription: d\n',
  },
  noDescription: {
    isImported: false,
    message: /^the front matter has no description$/,
    sample: wrap('name: a', 'description: ~'),
  },
  conflict: {
    isImported: false,
    message: /^the file contains merge conflict markers$/,
    sample: wrap(
      'name: a',
      '<<<<<<< HEAD',
      'description: d',
      '=======',
      'description: e',
      '>>>>>>> x',
    ),
  },
  notMapping: {
    isImported: false,
    message: /is not a list of `key: value` lines$/,
    sample: wrap('name a', 'description d'),
  },
  nul: {
    isImported: false,
    message: /^the file is not text: NUL at byte \d+$/,
    sample: sampleSkillMd('a\0'),
  },
  notUtf8: {
    isImported: false,
    message: /^the file is not valid UTF-8$/,
    sample: Buffer.from(sampleSkillMd('caf\u00E9'), 'latin1'),
  },
  utf16: {
    isImported: false,
    message: /^the file is UTF-16$/,
    sample: Buffer.from(`\uFEFF${sampleSkillMd('a')}`, 'utf16le'),
  },
  list: {
    isImported: false,
    message: /(?:name|description) is a list, but must be text$/,
    sample: wrap('name: a', 'description: [d]'),
  },
  mapping: {
    isImported: false,
    message: /description is a mapping, but must be text$/,
    sample: wrap('name: a', 'description:', '  en: d'),
  },
  blank: { isImported: false, message: /^the file is blank$/, sample: ' \n\t\n' },
  storedLink: {
    isImported: false,
    message: /^left out: a symlink that was stored as text$/,
    sample: '../a/SKILL.md',
  },
  language: {
    isImported: false,
    message: /front matter in the language ".*" is not supported$/,
    sample: '---js\n({ name: process.exit() })\n---\n',
  },
  tag: {
    isImported: false,
    message: /^line \d+: YAML: Unresolved tag/,
    sample: wrap('name: a', "description: !!js/function 'x'"),
  },
  mergeKey: {
    isImported: false,
    message: /^line 1: merge keys \(<<\) are not supported$/,
    sample: wrap('base: &b', '  name: a', '  description: d', '<<: *b'),
  },
  manyAliases: {
    isImported: false,
    message: /^line 1: \d+ aliases \(\*name\)$/,
    sample: wrap('name: &a b', 'description: d', `x: [${Array(51).fill('*a').join()}]`),
  },
  tooDeep: {
    isImported: false,
    message: /front matter is nested too deeply$/,
    sample: wrap('name: a', 'description: d', `x: ${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  },
  tooLong: {
    isImported: false,
    message: /^line 1: front matter of \d+ characters in \d+ lines$/,
    sample: sampleSkillMd('a', 'd'.repeat(65_536)),
  },
  placeholder: {
    isImported: false,
    message: /^line \d+: YAML: Unexpected scalar/,
    sample: wrap('name: {{name}}', 'description: {{ d | default("x") }} y'),
  },
  lfsPointer: {
    isImported: false,
    message: /^a Git LFS pointer/,
    sample: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  },
  htmlPage: {
    isImported: false,
    message: /^the file is an HTML page/,
    sample: '<!DOCTYPE html><p>404</p>',
  },
} satisfies Record<string, WeirdOutcome>

/** A collection of malformed files, which may exist next to the project. Otherwise only our own samples are tested. */
const WEIRD =
  process.env['WEIRD'] ?? fileURLToPath(new URL('../../../../shared/weird', import.meta.url))

interface Imported {
  report: Awaited<ReturnType<typeof runImport>>
  from: string
  content: string
}

const importAll = async (from: string): Promise<Imported> => {
  const content = makeContent()
  return { report: await runImport(from, content), from, content }
}

/** Returns all messages about the SKILL.md in a folder alone. */
const messagesOf = ({ report }: Imported, name: string): string[] => [
  ...report.warnings
    .filter(({ file, rule }) => rule === 'adapted' && file.startsWith(`${name}/`))
    .map(({ message }) => message),
  ...report.skipped.filter(({ file }) => file.startsWith(`${name}/`)).map(({ message }) => message),
]

const slugOf = ({ report }: Imported, name: string): string | undefined =>
  report.imported.find(({ path }) => path === name)?.slug

const checkSameBytes = (imported: Imported, name: string, slug: string): void => {
  const folder = join(imported.from, name)
  const file = readdirSync(folder).find((one) => one.toUpperCase() === 'SKILL.MD') ?? ''
  expect(readFileSync(join(imported.content, 'skills', slug, 'SKILL.md'))).toEqual(
    readFileSync(join(folder, file)),
  )
}

/** Checks that a file has exactly these outcomes, and that an imported file is unchanged. */
const checkOutcomes = (
  imported: Imported,
  name: string,
  outcomes: readonly WeirdOutcome[],
): void => {
  const messages = messagesOf(imported, name)
  expect(messages).toHaveLength(outcomes.length)
  for (const { message } of outcomes) {
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(message)]))
  }
  const slug = slugOf(imported, name)
  expect(slug !== undefined).toBe(outcomes.every(({ isImported }) => isImported))
  if (slug !== undefined) checkSameBytes(imported, name, slug)
}

afterAll(removeFolders)

describe('our own samples', () => {
  let imported: Imported
  beforeAll(async () => {
    const samples = Object.entries<WeirdOutcome>(OUTCOMES).map(([name, { sample }]) => [
      `${name}/SKILL.md`,
      sample,
    ])
    imported = await importAll(
      makeSampleFolder(Object.fromEntries(samples) as Record<string, string | Uint8Array>),
    )
  })

  test.each(Object.entries<WeirdOutcome>(OUTCOMES))('%s', (name, outcome) => {
    checkOutcomes(imported, name, [outcome])
  })

  test('all imported -> a catalog that loads', () => {
    expect(loadCatalog(imported.content).skills).toHaveLength(imported.report.imported.length)
  })
})

/** The collection, if it exists. */
const PRESENT = existsSync(WEIRD) ? [WEIRD] : []

test.each(PRESENT)(
  '%s -> each file imported or reported, and a catalog that loads',
  async (folder) => {
    const imported = await importAll(folder)
    const { report, content } = imported
    expect(loadCatalog(content).skills).toHaveLength(report.imported.length)
    const outcomes = Object.values<WeirdOutcome>(OUTCOMES)
    const folders = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
    for (const { name } of folders) {
      const slug = slugOf(imported, name)
      const messages = messagesOf(imported, name)
      if (slug !== undefined) checkSameBytes(imported, name, slug)
      else expect(messages).toHaveLength(1)
      for (const message of messages) {
        const isKnown = outcomes.some((one) => one.message.test(message))
        expect(isKnown || message.startsWith('is a copy of')).toBe(true)
      }
    }
  },
)
