import { sampleSkillMd } from '../../../../testing/sample-folders.ts'

/** A possible outcome of importing a malformed SKILL.md, with a sample file. */
export interface WeirdOutcome {
  /** Whether the skill is imported, perhaps with a warning. */
  isImported: boolean
  message: RegExp
  sample: string | Uint8Array
}

const wrap = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nBody\n`

/** All outcomes of malformed files; a case may have two. */
export const OUTCOMES = {
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

export type OutcomeName = keyof typeof OUTCOMES
