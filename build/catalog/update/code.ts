import { hash } from 'node:crypto'
import { isAlias, isMap, isNode, isScalar, parseDocument, visit } from 'yaml'
import type { Document, YAMLMap } from 'yaml'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { FrontMatterError, YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { SKILL_TIME, runInTime } from '../../../src/catalog/in-time.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { NotTextError, decodeText } from '../../../src/catalog/text.ts'

// Finds the parts of a skill that are more than plain words. Markdown parsers differ, so the text is not parsed:
// anything that is not certainly plain is significant, and is compared as it is written.

const MARKDOWN = /\.(?:md|markdown)$/i

/**
 * A line that may start or end code or HTML. All text from the first to the last such line is significant, and also the
 * text below it, unless all code and HTML is certainly closed there.
 */
const EDGE = /```|~~~|<[!?/a-z]/i

/** Markdown before the words of a line: block quotes, list items, checkboxes, headings. */
const LINE_START = /^[ >]*(?:(?:[-*+]|\d{1,3}[.)]) +)*(?:\[[ x]\] +)?(?:#{1,6} +)?/i

/** A line that may be indented code, possibly inside a list item, a definition or a block quote. */
const INDENTED = /^[ >*+\-\d.):]*(?: {4}|\t)/

/** A thematic break, or the underline of a heading. */
const RULE = /^ *(?:-+|=+|\*+)$/
/** A table row without empty cells, because `||` may be a shell operator. */
const ROW = /^ *(?:\|[^|]+)+\|$/
const DELIMITER_CELL = /^ *:?-+:? *$/
const TABLE = /^ *\|(?: *:?-+:? *\|)+ *$/m

/** Trailing spaces and tabs, which every parser ignores. */
const TRAILING = /[ \t]+$/

/** Invisible characters, and letters that look like punctuation. */
const MISLEADING = /[\p{Default_Ignorable_Code_Point}\u01C0-\u01C3\u1427\uA78F\u{1D16D}]/u

/** `.`, which is a shell command that runs a file, and `..`. */
const DOTS = /^\.\.?$/

/** Punctuation before and after a plain word. */
const AROUND = /^(?:\*\*|["'‘“„«(])+|(?:\*\*|["'’”»)。、,.;:!?])+$/g
const EMPHASIS = /^([*_])([^*_]+)\1$/

/** A word of letters and then digits, a number too short to be an IP address, or a single symbol. */
const PLAIN =
  /^(?:[\p{Lu}\p{Ll}\p{Lo}][\p{Lu}\p{Ll}\p{Lo}\p{M}ー々\d]*|\d{1,6}(?:%|st|nd|rd|th)?|\d{1,3}(?:,\d{3})+|[-—–→•✓✗✅❌]?)$/u

/** Punctuation between words without spaces. Full-width dots are missing because some programs treat them as dots. */
const BETWEEN =
  /(?<=[\p{L}\d].{0,4})[—–]|(?<=\p{L})['’-](?=[\p{L}\d])|(?<!\w)[，、：；！？（）「」『』《》【】](?!\w)/u

const isPlainWord = (word: string): boolean =>
  !MISLEADING.test(word) &&
  !DOTS.test(word) &&
  word.split(BETWEEN).every((part) => {
    // NFKC turns circled letters into letters and full-width dots into dots.
    const bare = part.normalize('NFKC').replace(AROUND, '').replace(EMPHASIS, '$2')
    return PLAIN.test(bare.replace(AROUND, ''))
  })

const isPlainLine = (line: string, isTable: boolean): boolean => {
  const text = line.replace(TRAILING, '')
  if (INDENTED.test(line) || RULE.test(text)) return RULE.test(text)
  const cells =
    isTable && ROW.test(text)
      ? text.split('|').filter((cell) => !DELIMITER_CELL.test(cell))
      : [text.replace(LINE_START, '')]
  return cells.flatMap((cell) => cell.split(/[ \t]+/)).every(isPlainWord)
}

const isPlain = (paragraph: string): boolean => {
  const isTable = TABLE.test(paragraph)
  return paragraph.split('\n').every((line) => isPlainLine(line, isTable))
}

/** The significant parts of a text: the block from the first to the last line of code or HTML, and other paragraphs. */
interface SignificantText {
  /** The block, and paragraphs that may contain code. */
  code: string[]
  /** Other paragraphs that are more than plain words. */
  other: string[]
}

/** The first line of a fenced code block: the prefix, the fence and the info string. */
const FENCE = /^([ >]*(?:(?:[-*+]|\d{1,3}[.)]) +)*)(`{3,}|~{3,})(.*)$/

/** HTML that can continue after an empty line. */
const LONG_TAG =
  /<(?:[!?]|pre|script|style|textarea|xmp|listing|plaintext)|<(?:code|kbd|samp|tt)\b(?!.*<\/)/i
const TAG = /<[/a-z]/i

/** Whether all code and HTML is certainly closed at the end of the lines. */
const isClosed = (lines: readonly string[]): boolean => {
  let prefix = ''
  let end: string | undefined
  let isHtml = false
  for (const line of lines) {
    const text = line.replace(TRAILING, '')
    if (end !== undefined) {
      // A line outside the code block's list or block quote would end the code block early.
      if (text !== '' && !line.startsWith(prefix)) return false
      if (text === end) end = undefined
      continue
    }
    isHtml = text !== '' && (isHtml || TAG.test(line))
    const [, before = '', fence, info = ''] = FENCE.exec(line) ?? []
    const isOdd = fence === undefined ? /```|~~~/.test(line) : isHtml || info.includes('`')
    if (isOdd || LONG_TAG.test(line)) return false
    prefix = before.replace(/[^ >]/g, ' ')
    if (fence !== undefined) end = prefix + fence
  }
  return end === undefined
}

const mayBeCode = (paragraph: string): boolean =>
  paragraph.includes('`') || paragraph.split('\n').some((line) => INDENTED.test(line))

const listNotPlain = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .split(/\n[ >\t]*\n/)
    .filter((paragraph) => !isPlain(paragraph))

const readText = (text: string): SignificantText => {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => EDGE.test(line))
  const last = lines.findLastIndex((line) => EDGE.test(line))
  const start = first < 0 ? lines.length : first
  const end = first >= 0 && isClosed(lines.slice(0, last + 1)) ? last + 1 : lines.length
  const before = listNotPlain(lines.slice(0, start))
  const block = lines.slice(start, end).join('\n')
  const after = listNotPlain(lines.slice(end))
  return {
    code: [...before.filter(mayBeCode), block, ...after.filter(mayBeCode)].filter(Boolean),
    other: [...before, ...after].filter((paragraph) => !mayBeCode(paragraph)),
  }
}

/** Line breaks that only some YAML parsers know: one parser sees a field where another sees part of a value. */
const ODD_BREAK = /[\r\u0085\u2028\u2029]/

const isOdd = (document: Document): boolean => {
  let isFound = document.errors.length + document.warnings.length > 0
  visit(document, (_, node) => {
    // An alias could copy the value of another field into the description.
    if (isAlias(node) || (isNode(node) && (('anchor' in node && node.anchor) || node.tag)))
      isFound = true
  })
  return isFound
}

const VERSION = /^(["']?)v?\d+(?:\.\d+)*\1$/

/** A field that can change without review: its range in the front matter, and the raw words of its value. */
interface FreeField {
  from: number
  to: number
  words: string
}

/** Finds `description`, `version` and `metadata.version`. */
const listFreeFields = ({ items }: YAMLMap, block: string, prefix = ''): FreeField[] =>
  items.flatMap(({ key, value }): FreeField[] => {
    if (!isScalar(key) || !key.range || !isNode(value) || !value.range) return []
    const name = `${prefix}${String(key.value)}`
    const [from, to] = [key.range[0], value.range[1]]
    const hasComment = (end: number): boolean => block.slice(from, end).includes('#')
    if (name === 'metadata' && isMap(value)) {
      const inside = listFreeFields(value, block, 'metadata.')
      const isWhole = inside.length === value.items.length && !hasComment(to)
      return isWhole ? [{ from, to, words: '' }] : inside
    }
    if (hasComment(value.range[0])) return []
    const written = block.slice(value.range[0], to)
    if (name === 'description' && isScalar(value)) return [{ from, to, words: written }]
    const isVersion = /^(?:metadata\.)?version$/.test(name) && VERSION.test(written)
    return isVersion ? [{ from, to, words: '' }] : []
  })

/** A line of a description that a simple parser would take for a field or for the end of the front matter. */
const FIELD_LINE = /(?<=\n)(?:[\w.-]+ *:.*|-{3,}.*)/g

/** A start that only some parsers accept as front matter. */
const MAY_OPEN = /^\s*-{3}/

/** Splits a front matter into its significant part and the words of its description. */
const readBlock = (block: string): { field: string; words: string } => {
  const document = ODD_BREAK.test(block) ? undefined : parseDocument(block, YAML_OPTIONS)
  const root = document?.contents as unknown
  if (!document || isOdd(document) || !isMap(root)) return { field: block, words: '' }
  const fields = listFreeFields(root as YAMLMap, block)
  const remaining = fields
    .toReversed()
    .reduce((text, { from, to }) => text.slice(0, from) + text.slice(to), block)
  // Removes the block scalar indicator, such as `>-`.
  const written = fields.map(({ words }) => words.replace(/^[|>][-+\d]*(?=\s*\n)/, ''))
  const words = written.join('\n\n').replace(/^[ \t]+/gm, '')
  return {
    field: [remaining.replace(/^\s*\n/gm, ''), ...(words.match(FIELD_LINE) ?? [])].join('\n'),
    words,
  }
}

/** Finds the significant parts of a Markdown file; undefined if the whole file is significant. */
const readMarkdown = (bytes: Buffer): (SignificantText & { field: string }) | undefined => {
  try {
    const whole = decodeText(bytes).replaceAll('\r\n', '\n')
    const { block = '', start, body } = splitSkillMd(whole)
    if (start === undefined && MAY_OPEN.test(whole)) return undefined
    const end = whole
      .slice((start ?? 0) + block.length, whole.length - body.length)
      .replace(/\n$/, '')
    const read = readBlock(block)
    const [description, text] = [readText(read.words), readText(body)]
    // Parsers differ in what opens and closes a front matter, so both delimiters are significant.
    const field = [whole.slice(0, start ?? 0), read.field, end].filter(Boolean).join('\n')
    const code = [...description.code, ...text.code]
    return { field, code, other: [...description.other, ...text.other] }
  } catch (error) {
    if (error instanceof NotTextError || error instanceof FrontMatterError) return undefined
    throw error
  }
}

/** Code that may use files without naming them: patterns, and commands that list folders. */
const IMPLICIT_USES: readonly RegExp[] = [
  /[^\w\s-]\.(?:md|markdown)\b|\$\w+\.(?:md|markdown)\b|["']\*\*?["'/.]/,
  /[\w./~-]+\*(?![*\w])|(?<=\S[ \t]+)\*(?=[\s;|&).`]|$)/m,
  /(?<=\s)[\w./~-]*(?:\?|\[[^\s\]]+\])[\w./-]/,
  /(?<=\S[ \t]+)\.(?=[\s;|&)"'`]|$)/m,
  /\bcd |\bfind +["'$./~-]|\bls\b.*[|)>]|\bls-files\b|xargs|\bgrep +-\w*r|\bget-childitem\b|\bgci\b/,
  /\b(?:[ir]?glob|f?walk(?:dir)?|(?:list|scan|read|open|iter)dir)(?:sync)?\(/,
]

/** Returns a test for Markdown files that code may use: by name, by folder, or through a pattern. */
const createUseTest = (pieces: readonly string[]) => {
  const code = pieces.join('\n').toLowerCase()
  const isAnyUsed = IMPLICIT_USES.some((one) => one.test(code))
  return (path: string): boolean =>
    isAnyUsed ||
    path
      .toLowerCase()
      .split('/')
      .some((part) => code.includes(part))
}

/** A name of plain words, not an address or an option. */
const PLAIN_NAME = /^\.?[\p{L}\d_][\p{L}\p{M}\d_-]*$/u

const isPlainPath = (path: string): boolean =>
  !MISLEADING.test(path) && path.split('/').every((name) => PLAIN_NAME.test(name))

/** Address segments that are not part of a path: a commit, and GitLab's dash. */
const NOT_PATH = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|-?)$/

/** Returns the path of a skill in its repository if it is more than plain words, otherwise an empty string. */
export const findOddPlace = ({ source }: SkillRecord): string => {
  if (source.kind === 'own') return ''
  const { pathname, search, hash: fragment } = new URL(source.url)
  const parts = (pathname + search + fragment).split('/').slice(3)
  const place = parts.filter((part) => !NOT_PATH.test(part)).join('/')
  return place === '' || isPlainPath(place) ? '' : place
}

const digest = (bytes: Uint8Array): string => hash('sha256', bytes)

/** The kinds of significant parts; `address` is text without code, but with more than plain words. */
const KINDS = ['file', 'code', 'field', 'address'] as const
type Kind = (typeof KINDS)[number]

/** The significant parts of a skill, by kind and path. */
const listParts = ({ files, bytes, record }: OpenedSkill): Map<string, string> => {
  const place = record && findOddPlace(record)
  const stated = [record?.name, record?.author, record?.licence, place].join('\n')
  const parts = new Map([[`field\n${RECORD_FILE}`, stated]])
  const add = (kind: Kind, path: string, value: string): void => {
    if (value !== '') parts.set(`${kind}\n${path}`, value)
  }
  const { code, other } = readText(record?.description ?? '')
  add('address', RECORD_FILE, [...code, ...other].join('\n\n'))
  const texts: [path: string, bytes: Buffer][] = []
  const pieces: string[] = []
  for (const { path, isExecutable } of files) {
    const content = bytes.get(path)
    const mayRun = !MARKDOWN.test(path) || isExecutable
    const text = content && !mayRun ? readMarkdown(content) : undefined
    if (content && text) {
      add('code', path, text.code.join('\n\n'))
      add('field', path, text.field)
      add('address', path, text.other.join('\n\n'))
      pieces.push(...text.code)
      if (!isPlainPath(path.replace(MARKDOWN, ''))) add('file', path, 'name')
      texts.push([path, content])
    } else {
      // A file without content exceeds a limit, so the build refuses the skill.
      add('file', path, content ? `${digest(content)}${isExecutable ? '*' : ''}` : 'unread')
      // Removing zero bytes makes ASCII in UTF-16 readable.
      if (content) pieces.push(content.toString('latin1').replaceAll('\0', ''))
    }
  }
  const isUsed = createUseTest(pieces)
  for (const [path, content] of texts) if (isUsed(path)) add('file', path, digest(content))
  return parts
}

/** Changes beyond plain words, by kind; `unread` if the comparison took too long. */
export interface CodeChange {
  kind: Kind | 'unread'
  values: string[]
}

/** Compares the significant parts of two versions; without a previous version, all parts are new. */
export const compareCode = (before: OpenedSkill | undefined, after: OpenedSkill): CodeChange[] => {
  const compared = runInTime(SKILL_TIME, () => {
    const [old, now] = [before && listParts(before), listParts(after)]
    const keys = new Set([...(old?.keys() ?? []), ...now.keys()])
    const differing = [...keys].filter((key) => old?.get(key) !== now.get(key))
    return KINDS.map((kind): CodeChange => {
      const values = differing.filter((key) => key.startsWith(`${kind}\n`))
      return { kind, values: values.map((key) => key.slice(kind.length + 1)) }
    })
  })
  return 'fault' in compared
    ? [{ kind: 'unread', values: [compared.fault] }]
    : compared.result.filter(({ values }) => values.length > 0)
}
