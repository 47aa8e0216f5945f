import Prism from 'prismjs'
import type { Grammar, Token } from 'prismjs'
import 'prismjs/components/prism-bash.js'
import 'prismjs/components/prism-diff.js'
import 'prismjs/components/prism-go.js'
import 'prismjs/components/prism-java.js'
import 'prismjs/components/prism-json.js'
import 'prismjs/components/prism-jsx.js'
import 'prismjs/components/prism-powershell.js'
import 'prismjs/components/prism-python.js'
import 'prismjs/components/prism-ruby.js'
import 'prismjs/components/prism-rust.js'
import 'prismjs/components/prism-sql.js'
import 'prismjs/components/prism-toml.js'
import 'prismjs/components/prism-typescript.js'
import 'prismjs/components/prism-tsx.js'
import 'prismjs/components/prism-yaml.js'
import { escapeText } from './markup.ts'
import type { Html } from './markup.ts'
import { plainLanguage } from './md.ts'

/** A piece of code in one style. `kind` is a class name of the stylesheets, or empty. */
interface CodePiece {
  kind: string
  text: string
}

/** Inverts a table: the keys are the space-separated words of each value. */
const byName = (lists: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([key, names]) => names.split(' ').map((name) => [name, key])),
  )

/** Grammars by the names that authors write. Markdown is left out: its grammar is quadratic and colours little. */
const GRAMMARS = byName({
  bash: 'bash sh shell zsh console',
  // The grammars of these languages are slow. `clike` knows only comments, strings, numbers and common keywords.
  clike: 'c cpp cs csharp c++ c# dart groovy kotlin kt php scala solidity swift',
  css: 'css',
  diff: 'diff patch',
  go: 'go golang',
  java: 'java',
  javascript: 'javascript js mjs cjs',
  json: 'json jsonc json5',
  jsx: 'jsx',
  markup: 'html xml svg vue svelte',
  powershell: 'powershell ps1 pwsh',
  python: 'python py python3',
  ruby: 'ruby rb',
  rust: 'rust rs',
  sql: 'sql postgresql mysql',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'typescript ts',
  yaml: 'yaml yml',
})

/**
 * Limits in characters. Grammars take quadratic time on long lines: one line of 4,000 characters took 160 ms, 20 lines
 * of 400 at most 70 ms (CSS: 220). Longer code stays plain, which affects 9 of the 6,205 blocks in 1,080 skills.
 */
const LONGEST_LINE = 400
const LONGEST_BLOCK = 8_000
export const LONGEST_PAGE = 48_000

/** Prism's token types by the class names that the stylesheets know. */
const KINDS: Readonly<Record<string, string>> = {
  ...byName({
    comment: 'comment prolog doctype shebang',
    string:
      'string char attr-value template-string triple-quoted-string string-interpolation regex url scalar',
    keyword: 'keyword boolean null atrule important',
    name: 'builtin function class-name tag selector key property decorator',
    value: 'attr-name number variable constant symbol parameter',
    inserted: 'inserted inserted-sign',
    deleted: 'deleted deleted-sign',
  }),
  plain: '',
  interpolation: '',
}

const grammarOf = (lang: string | null | undefined): Grammar | undefined => {
  const name = plainLanguage(lang).toLowerCase()
  return Object.hasOwn(GRAMMARS, name) ? Prism.languages[GRAMMARS[name]!] : undefined
}

const hasLongLine = (code: string): boolean => {
  for (let start = 0; start <= code.length;) {
    const next = code.indexOf('\n', start)
    const end = next < 0 ? code.length : next
    if (end - start > LONGEST_LINE) return true
    start = end + 1
  }
  return false
}

const addPieces = (
  tokens: readonly (string | Token)[],
  kind: string,
  pieces: CodePiece[],
): void => {
  for (const token of tokens) {
    if (typeof token !== 'string') {
      const { type, content } = token
      const inner = Object.hasOwn(KINDS, type) ? KINDS[type]! : kind
      addPieces(Array.isArray(content) ? content : [content], inner, pieces)
      continue
    }
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += token
    else pieces.push({ kind, text: token })
  }
}

/** Splits code into pieces by style; undefined if the language is unknown or the code is too long. */
export const highlightCode = (
  code: string,
  lang: string | null | undefined,
): CodePiece[] | undefined => {
  if (code.length > LONGEST_BLOCK || hasLongLine(code)) return undefined
  const grammar = grammarOf(lang)
  if (!grammar) return undefined
  const pieces: CodePiece[] = []
  addPieces(Prism.tokenize(code, grammar), '', pieces)
  return pieces
}

/** Renders a code block. Long code scrolls sideways. With a tab index, the keyboard can scroll it. */
export const renderCode = (
  text: string,
  lang: string | null | undefined,
  isColoured = true,
): Html => {
  const language = plainLanguage(lang)
  const code = text === '' ? '' : text.replace(/\n?$/, '\n')
  const pieces = isColoured ? highlightCode(code, language) : undefined
  const words = (pieces ?? [{ kind: '', text: code }]).map(({ kind, text: piece }) =>
    kind === '' || piece.trim() === ''
      ? escapeText(piece)
      : `<span class="${kind}">${escapeText(piece)}</span>`,
  )
  const mark = language === '' ? '' : ` data-language="${language}"`
  return { html: `<pre tabindex="0"${mark}><code>${words.join('')}</code></pre>\n` }
}
