import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lintTarget } from './lint-skill.ts'
import { RULES } from './rules.ts'
import { findTargets } from './lint-catalog.ts'

/**
 * Kinds of SKILL.md files that were met in the wild or made to do harm, and the rule that tells what
 * is odd about each. Where files of one kind differ, their rules stand in the order of the files.
 */
const WEIRD_RULES: Readonly<Record<string, string | readonly string[]>> = {
  'yaml-unquoted-colon': 'yaml-unquoted',
  'yaml-bad-quote': 'yaml-syntax',
  'yaml-alias-star': 'yaml-unquoted',
  'yaml-no-colon': ['not-a-skill', 'yaml-syntax'],
  'yaml-expected-key': 'yaml-unquoted',
  'yaml-bad-escape': 'yaml-escape',
  'yaml-bad-start-token': 'yaml-unquoted',
  'yaml-flow-broken': 'yaml-syntax',
  'yaml-unhashable': 'yaml-key',
  'yaml-unexpected-eof': 'yaml-syntax',
  'yaml-control-char': 'control-character',
  'frontmatter-is-a-string': 'yaml-root',
  'frontmatter-empty': 'description-missing',
  'frontmatter-none': 'front-matter-missing',
  'frontmatter-late': 'front-matter-late',
  'frontmatter-unterminated': 'front-matter-unread',
  bom: 'byte-order-mark',
  crlf: 'crlf',
  'crlf-mixed': 'mixed-line-ends',
  'nul-bytes': 'not-text',
  'non-utf8': 'not-text',
  'control-chars': 'control-character',
  'desc-empty': 'description-missing',
  'desc-list': 'text-type',
  'desc-missing': 'description-missing',
  'name-missing': 'name-missing',
  'desc-over-1024': 'description-length',
  'desc-html': 'description-markup',
  'desc-multiline': 'description-lines',
  'desc-folded': 'description-lines',
  'name-int': 'text-type',
  'name-list': 'placeholder',
  'name-space-upper': 'name-format',
  'name-unicode': 'name-format',
  'name-emoji': 'name-format',
  'name-slash': 'name-format',
  'name-slash-upper': 'name-format',
  'name-colon': 'name-format',
  'name-underscore': 'name-format',
  'name-other': 'name-format',
  'name-over-64': 'name-length',
  'name-dir-mismatch': 'name-folder',
  'dup-keys': 'yaml-duplicate-key',
  'yaml-date': 'lossy-value',
  'zero-width': ['zero-width-characters', 'nothing'],
  'tag-unicode': 'tag-characters',
  'script-tag': ['nothing', 'throwaway-host'],
  onevent: 'front-matter-missing',
  'js-link': 'nothing',
  'data-uri': ['hidden-comment', 'nothing'],
  iframe: ['nothing', 'active-html'],
  'long-fence': 'nothing',
  svg: 'nothing',
  form: 'nothing',
  'rel-image': 'nothing',
  'odd-fence': 'fence-open',
  'no-body': 'body-empty',
  'empty-file': 'not-a-skill',
  'big-real': 'body-length',
  'tools-list': 'tools-format',
  'tools-string': 'nothing',
  'lowercase-filename': 'file-name',
  'git-symlink': 'not-a-skill',
  'js-frontmatter': 'front-matter-unread',
  'js-frontmatter-javascript': 'front-matter-unread',
  'coffee-frontmatter': 'front-matter-unread',
  'json-frontmatter': 'front-matter-unread',
  'json-bare-frontmatter': 'front-matter-missing',
  'toml-frontmatter': 'front-matter-missing',
  'yaml-js-function': 'yaml-tag',
  'yaml-js-regexp': 'yaml-tag',
  'yaml-python-object': 'yaml-tag',
  'yaml-unknown-tag': 'yaml-tag',
  'yaml-alias-bomb': 'yaml-anchor',
  'yaml-self-alias': 'yaml-anchor',
  'yaml-merge-key': 'yaml-anchor',
  'yaml-deep-nesting': 'yaml-depth',
  'proto-key': 'unknown-field',
  'proto-name': 'name-format',
  'tostring-name': 'name-format',
  'traversal-name': 'name-format',
  'traversal-name-deep': 'name-format',
  'traversal-encoded': 'name-format',
  'backslash-name': 'name-format',
  'absolute-name': 'name-format',
  'dot-name': 'name-format',
  'reserved-name': 'name-reserved',
  'api-name': 'name-format',
  'slug-md-name': 'name-format',
  'name-empty-string': 'name-missing',
  'name-whitespace': 'name-missing',
  'name-all-punctuation': 'name-format',
  'name-emoji-only': 'name-format',
  'name-zwj-emoji': 'name-format',
  'name-cjk': 'name-format',
  'name-rtl': 'name-format',
  'name-homoglyph': 'zero-width-characters',
  'name-nfd': 'name-format',
  'name-nfc': 'name-format',
  'name-case-a': 'name-format',
  'name-case-b': 'nothing',
  'name-1000-chars': 'name-length',
  'name-newline': 'name-format',
  'name-html': 'name-format',
  'name-quote': 'name-format',
  'name-crlf-header': 'name-format',
  'name-bool': 'text-type',
  'name-null': 'name-missing',
  'name-number-forms': 'text-type',
  'name-octal': 'text-type',
  'name-date': 'text-type',
  'name-inf': 'text-type',
  'desc-object': 'text-type',
  'desc-100kb': 'front-matter-unread',
  'desc-only-spaces': 'description-missing',
  'desc-markdown': 'nothing',
  'desc-surrogate': 'not-text',
  'desc-fold-chomp': 'description-lines',
  'desc-literal-dashes': 'dashes-in-value',
  'desc-dashes-inline': 'dashes-in-value',
  'two-frontmatters': 'front-matter-twice',
  'dots-end': 'front-matter-end',
  'delimiter-trailing-space': 'trailing-blanks',
  'delimiter-four': 'front-matter-missing',
  'delimiter-only': 'name-missing',
  'delimiter-only-three': 'front-matter-missing',
  'frontmatter-no-final-newline': 'final-newline',
  'html-comment-first': 'front-matter-missing',
  'code-fence-frontmatter': 'front-matter-missing',
  'whole-file-fenced': 'front-matter-missing',
  'tabs-yaml': 'yaml-syntax',
  utf16le: 'not-text',
  latin1: 'not-text',
  'cp1252-quotes': 'not-text',
  gbk: 'not-text',
  'cr-only': 'lone-return',
  'bom-crlf': 'byte-order-mark',
  'ls-ps-separators': 'line-separator',
  'nel-vt-ff': 'description-controls',
  'script-close-in-desc': 'description-markup',
  'tag-unicode-hidden': 'tag-characters',
  'variation-selector-hidden': 'tag-characters',
  'bidi-override': 'bidi-characters',
  'html-comment-hidden': 'nothing',
  'display-none-hidden': 'nothing',
  'raw-html-zoo': 'active-html',
  'link-zoo': 'link-unsafe',
  'fence-info-injection': 'nothing',
  'unclosed-fence': 'fence-open',
  'no-heading': 'no-heading',
  'many-h1': 'many-titles',
  'huge-600kb': 'body-length',
  'long-line-200kb': 'long-line',
  'redos-brackets': 'long-line',
  'deep-quotes': 'hard-to-read',
  'wide-table': 'body-length',
  'template-placeholders': 'yaml-unquoted',
  'ansi-escapes': 'description-controls',
  'lfs-pointer': 'not-a-skill',
  'html-404': 'not-a-skill',
  'conflict-markers': 'not-a-skill',
  'metadata-nested': 'lossy-value',
  'null-bytes-name': 'not-text',
  'empty-after-bom': 'byte-order-mark',
  'whitespace-only': 'not-a-skill',
}

/** Kinds that are odd to others and right for a skill, and why no rule tells of them. */
const RIGHT_KINDS: Readonly<Record<string, string>> = {
  'constructor-name': 'a good name that only careless code trips over',
  'name-case-b': 'a good name; the one like it in capitals is told of',
  'same-name-two-repos': 'two repositories may use one name; an import gives two slugs',
  'zero-width': 'the joiner of an emoji',
  'script-tag': 'in a code block or a code span',
  'js-link': 'in a code span',
  iframe: 'in a code block',
  'desc-markdown': 'shown as plain text',
  'html-comment-hidden': 'a comment that orders nothing',
  'display-none-hidden': 'hidden words that order nothing',
  'fence-info-injection': 'words behind a fence, which are not shown',
  'data-uri': 'in a code block, where nothing is loaded',
  svg: 'in a code block',
  form: 'in a code block',
  'rel-image': 'in a code block or a code span',
  'long-fence': 'well-formed',
  'nested-fences': 'well-formed',
  'headings-in-fence': 'well-formed',
  'tools-string': 'one tool, and one text',
  rtl: 'a language',
  hangul: 'a language',
  cyrillic: 'a language',
  japanese: 'a language',
  cjk: 'a language',
  'secret-like': 'an example that is no secret',
}

const FOLDER =
  process.env['WEIRD'] ?? fileURLToPath(new URL('../../../../shared/weird', import.meta.url))

/** The cases, where the collection lies beside the project; every rule has samples of our own too. */
const cases = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => /^\d{3}-/.test(name)) : []

const kindOf = (name: string): string => name.slice('000-'.length)

/** The rule of a case: that of its kind, or its own among those of its kind. */
const expectedOf = (name: string): string | undefined => {
  const rules = WEIRD_RULES[kindOf(name)]
  if (typeof rules === 'string' || rules === undefined) return rules
  return rules[cases.filter((one) => kindOf(one) === kindOf(name)).indexOf(name)]
}

test('every kind has a rule that is there, or a reason to have none', () => {
  for (const [kind, rules] of Object.entries(WEIRD_RULES)) {
    for (const rule of [rules].flat()) {
      if (rule === 'nothing') expect(RIGHT_KINDS, kind).toHaveProperty(kind)
      else expect(RULES).toHaveProperty(rule)
    }
  }
})

test('every case of the collection -> the diagnostic it is about', () => {
  for (const name of cases) {
    const expected = expectedOf(name) ?? 'nothing'
    if (expected === 'nothing') expect(RIGHT_KINDS, name).toHaveProperty(kindOf(name))
    const { targets } = findTargets([join(FOLDER, name)], FOLDER)
    const diagnostics = targets.flatMap(lintTarget)
    const rules = diagnostics.map(({ rule }) => rule)
    if (expected !== 'nothing') expect(rules, name).toContain(expected)
    // The collection's folders are numbered, so no name is that of its folder.
    const errors = diagnostics.filter(
      ({ severity, rule }) => severity === 'error' && rule !== 'name-folder',
    )
    if (expected === 'nothing') expect(errors, name).toEqual([])
  }
})
