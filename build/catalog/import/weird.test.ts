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
import type { ImportReport } from './run.ts'

/** A possible outcome of importing a malformed SKILL.md, with a sample file. */
interface WeirdOutcome {
  /** Whether the skill is imported, perhaps with a warning. */
  isImported: boolean
  message: RegExp
  sample: string | Uint8Array
}

const wrap = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nBody\n`

/** All outcomes of malformed files; a case may have two. */
const OUTCOMES = {
  repaired: {
    isImported: true,
    message: /^line \d+: .* read as plain text, the file stays as it is$/,
    sample: wrap('name: a', 'description: Use when: it rains'),
  },
  readAround: {
    isImported: true,
    message: /^line \d+: .* the fields beside it are read without it, the file stays as it is$/,
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
    message: /^the file holds merge conflict markers$/,
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
    message: /^NUL at byte \d+; the file is not text$/,
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
    message: /^the file is a symlink that was stored as text$/,
    sample: '../a/SKILL.md',
  },
  language: {
    isImported: false,
    message: /front matter in the language ".*" is never read$/,
    sample: '---js\n({ name: process.exit() })\n---\n',
  },
  tag: {
    isImported: false,
    message: /^line \d+: YAML: Unresolved tag/,
    sample: wrap('name: a', "description: !!js/function 'x'"),
  },
  mergeKey: {
    isImported: false,
    message: /^line 1: merge keys \(<<\) are not read$/,
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
    message: /^the file is a Git LFS pointer/,
    sample: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  },
  htmlPage: {
    isImported: false,
    message: /^the file is an HTML page/,
    sample: '<!DOCTYPE html><p>404</p>',
  },
} satisfies Record<string, WeirdOutcome>

type OutcomeName = keyof typeof OUTCOMES

const parseNames = (names: string): OutcomeName[] =>
  names.split(' ').filter((name): name is OutcomeName => Object.hasOwn(OUTCOMES, name))

/** The strange files of a collection that is not ours: by what comes of them, their folders' names. */
const CASES: Readonly<Record<string, string>> = {
  repaired: `
    001-yaml-unquoted-colon 002-yaml-unquoted-colon 003-yaml-unquoted-colon 004-yaml-unquoted-colon
    006-yaml-alias-star 007-yaml-alias-star 013-yaml-bad-start-token 014-yaml-bad-start-token
    017-yaml-unexpected-eof`,
  noDescription: `
    005-yaml-bad-quote 020-frontmatter-empty 035-desc-empty 036-desc-empty 038-desc-missing
    150-name-null 157-desc-only-spaces 167-delimiter-only`,
  conflict: `
    008-yaml-no-colon 205-conflict-markers`,
  'readAround folderName': `
    009-yaml-no-colon`,
  readAround: `
    010-yaml-expected-key 011-yaml-expected-key 015-yaml-flow-broken 173-tabs-yaml`,
  imported: `
    012-yaml-bad-escape 016-yaml-unhashable 023-frontmatter-late 028-crlf 029-crlf 034-control-chars
    042-desc-html 043-desc-html 044-desc-multiline 045-desc-folded 046-desc-folded 047-name-int
    049-name-space-upper 050-name-unicode 051-name-unicode 052-name-emoji 053-name-emoji
    054-name-slash 055-name-slash-upper 056-name-colon 057-name-underscore 058-name-other
    059-name-other 060-name-over-64 061-name-dir-mismatch 062-name-dir-mismatch 063-dup-keys
    064-dup-keys 065-yaml-date 066-yaml-date 067-yaml-date 068-zero-width 069-zero-width
    070-tag-unicode 071-script-tag 072-script-tag 074-js-link 076-data-uri 077-data-uri 078-iframe
    079-iframe 080-svg 081-form 082-rel-image 083-rel-image 084-odd-fence 086-long-fence
    087-long-fence 088-no-body 089-no-body 091-big-real 092-rtl 093-rtl 094-hangul 095-cyrillic
    096-japanese 097-cjk 098-cjk 099-tools-list 100-tools-string 101-lowercase-filename
    103-same-name-two-repos 104-same-name-two-repos 116-yaml-self-alias
    119-proto-key 120-proto-name 121-constructor-name 122-tostring-name 123-traversal-name
    124-traversal-name-deep 125-traversal-encoded 126-backslash-name 127-absolute-name 128-dot-name
    129-reserved-name 130-api-name 131-slug-md-name 134-name-all-punctuation 135-name-emoji-only
    136-name-zwj-emoji 137-name-cjk 138-name-rtl 140-name-nfd 141-name-nfc 142-name-case-a
    143-name-case-b 146-name-html 147-name-quote 149-name-bool 151-name-number-forms 152-name-octal
    153-name-date 154-name-inf 158-desc-markdown 160-desc-fold-chomp 161-desc-literal-dashes
    162-desc-dashes-inline 163-two-frontmatters 164-dots-end 165-delimiter-trailing-space
    169-frontmatter-no-final-newline 179-bom-crlf 180-ls-ps-separators 182-script-close-in-desc
    183-tag-unicode-hidden 184-variation-selector-hidden 186-html-comment-hidden
    187-display-none-hidden 188-raw-html-zoo 189-link-zoo 190-fence-info-injection 191-nested-fences
    192-unclosed-fence 193-headings-in-fence 194-no-heading 195-many-h1 196-huge-600kb
    197-long-line-200kb 198-redos-brackets 199-deep-quotes 200-wide-table 206-secret-like
    207-metadata-nested`,
  cleanedDescription: `
    018-yaml-control-char 181-nel-vt-ff 185-bidi-override 202-ansi-escapes`,
  notMapping: `
    019-frontmatter-is-a-string`,
  noFrontMatter: `
    021-frontmatter-none 022-frontmatter-none 026-bom 027-bom 030-crlf-mixed 073-onevent
    109-json-bare-frontmatter 110-toml-frontmatter 166-delimiter-four 168-delimiter-only-three
    170-html-comment-first 171-code-fence-frontmatter 172-whole-file-fenced 178-cr-only`,
  neverClosed: `
    024-frontmatter-unterminated 025-frontmatter-unterminated`,
  nul: `
    031-nul-bytes 208-null-bytes-name`,
  notUtf8: `
    032-non-utf8 033-non-utf8 159-desc-surrogate 175-latin1 176-cp1252-quotes 177-gbk`,
  list: `
    037-desc-list 048-name-list`,
  folderName: `
    039-name-missing 132-name-empty-string 133-name-whitespace`,
  longDescription: `
    040-desc-over-1024 041-desc-over-1024`,
  copy: `
    075-js-link 085-odd-fence`,
  blank: `
    090-empty-file 209-empty-after-bom 210-whitespace-only`,
  storedLink: `
    102-git-symlink`,
  language: `
    105-js-frontmatter 106-js-frontmatter-javascript 107-coffee-frontmatter 108-json-frontmatter`,
  tag: `
    111-yaml-js-function 112-yaml-js-regexp 113-yaml-python-object 114-yaml-unknown-tag`,
  mergeKey: `
    117-yaml-merge-key`,
  manyAliases: `
    115-yaml-alias-bomb`,
  tooDeep: `
    118-yaml-deep-nesting`,
  shownName: `
    139-name-homoglyph 144-name-1000-chars 145-name-newline 148-name-crlf-header`,
  mapping: `
    155-desc-object`,
  tooLong: `
    156-desc-100kb`,
  utf16: `
    174-utf16le`,
  placeholder: `
    201-template-placeholders`,
  lfsPointer: `
    203-lfs-pointer`,
  htmlPage: `
    204-html-404`,
}

/** Every case with its outcomes; `copy` says that another case before it has the same name and bytes. */
const WEIRD_CASES: readonly { name: string; outcomes: OutcomeName[]; isCopy: boolean }[] =
  Object.entries(CASES).flatMap(([key, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, outcomes: parseNames(key), isCopy: key === 'copy' })),
  )

/** A collection of strange files that may lie beside the project; without it our own samples stand for it. */
const WEIRD =
  process.env['WEIRD'] ?? fileURLToPath(new URL('../../../../shared/weird', import.meta.url))

interface Imported {
  report: ImportReport
  from: string
  content: string
}

const importAll = async (from: string): Promise<Imported> => {
  const content = makeContent()
  return { report: await runImport(from, content), from, content }
}

/** Everything that was said of the file in a folder. */
const messagesOf = ({ report }: Imported, name: string): string[] => [
  ...report.warnings
    .filter(({ path }) => path.startsWith(`${name}/`))
    .map(({ message }) => message),
  ...report.skipped.filter(({ path }) => path.startsWith(`${name}/`)).map(({ reason }) => reason),
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

/** Checks that a file has these outcomes and no other, and that what came along is as it was. */
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

describe('a sample of our own', () => {
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

  test('what came of them -> a catalog that loads', () => {
    expect(loadCatalog(imported.content).skills).toHaveLength(imported.report.imported.length)
  })
})

test('the table has 210 cases, each once', () => {
  expect(new Set(WEIRD_CASES.map(({ name }) => name)).size).toBe(210)
  expect(WEIRD_CASES).toHaveLength(210)
})

/** The collection, where it is there. */
const PRESENT = existsSync(WEIRD) ? [WEIRD] : []

let collection: Promise<Imported> | undefined
const importCollection = (): Promise<Imported> => (collection ??= importAll(WEIRD))

test.each(PRESENT.flatMap(() => WEIRD_CASES))('$name -> $outcomes', async (one) => {
  const { name, outcomes, isCopy } = one
  const imported = await importCollection()
  if (isCopy) {
    expect(messagesOf(imported, name)).toEqual([expect.stringMatching(/^is a copy of /)])
    expect(slugOf(imported, name)).toBeUndefined()
  } else {
    const expected = outcomes.map((outcome) => OUTCOMES[outcome])
    checkOutcomes(imported, name, expected)
  }
})

test.each(PRESENT)(
  '%s -> no case that the table lacks, and a catalog that loads',
  async (folder) => {
    const { content, report } = await importCollection()
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    const names = new Set(WEIRD_CASES.map(({ name }) => name))
    expect(folders.filter(({ name }) => !names.has(name))).toEqual([])
    expect(loadCatalog(content).skills).toHaveLength(report.imported.length)
  },
)
