import { hash } from 'node:crypto'
import { isAlias, isMap, isNode, isScalar, parseDocument, visit } from 'yaml'
import type { Document, YAMLMap } from 'yaml'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { FrontMatterError, YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { SKILL_TIME, runInTime } from '../../../src/catalog/in-time.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { NotTextError, decodeText } from '../../../src/catalog/text.ts'

// The parts of a skill that are more than plain words. Readers of Markdown differ, so none of it is parsed: whatever is
// not certainly plain counts, and is compared as it is written.

const MARKDOWN = /\.(?:md|markdown)$/i

/** A line that may begin or end code or HTML. Everything between the first and the last such line counts; if it is not closed, the rest does too. */
const EDGE = /```|~~~|<[!?/a-z]/i

/** Marks that may begin a line of words: of quotations, items, boxes to tick, headings. */
const BEGIN = /^[ >]*(?:(?:[-*+]|\d{1,3}[.)]) +)*(?:\[[ x]\] +)?(?:#{1,6} +)?/i

/** A line that may be indented as code, in an item, a definition or a quotation too. */
const INDENTED = /^[ >*+\-\d.):]*(?: {4}|\t)/

const ACROSS = /^ *(?:-+|=+|\*+)$/
/** A row of a table without an empty cell, so that `||` of a shell is none. */
const ROW = /^ *(?:\|[^|]+)+\|$/
const UNDER_HEAD = /^ *:?-+:? *$/
const TABLE = /^ *\|(?: *:?-+:? *\|)+ *$/m

/** The blanks at the end of a line that all readers know. */
const END = /[ \t]+$/

/** Characters that nobody sees, and letters that look like signs. */
const MISLEADING = /[\p{Default_Ignorable_Code_Point}\u01C0-\u01C3\u1427\uA78F\u{1D16D}]/u

/** `.`, the command by which a shell reads a file, and `..`. */
const DOTS = /^\.\.?$/

/** Marks that stand around words of plain text. */
const AROUND = /^(?:\*\*|["'‘“„«(])+|(?:\*\*|["'’”»)。、,.;:!?])+$/g
const EMPHASIS = /^([*_])([^*_]+)\1$/

/** Letters of any script, with digits behind them, and numbers that nobody takes for an address. */
const PLAIN =
  /^(?:[\p{Lu}\p{Ll}\p{Lo}][\p{Lu}\p{Ll}\p{Lo}\p{M}ー々\d]*|\d{1,6}(?:%|st|nd|rd|th)?|\d{1,3}(?:,\d{3})+|[-—–→•✓✗✅❌]?)$/u

/** Marks between words that are written together. Full-width dots are not among them, since some programs read these as dots. */
const BETWEEN =
  /(?<=[\p{L}\d].{0,4})[—–]|(?<=\p{L})['’-](?=[\p{L}\d])|(?<!\w)[，、：；！？（）「」『』《》【】](?!\w)/u

const isPlainWord = (word: string): boolean =>
  !MISLEADING.test(word) &&
  !DOTS.test(word) &&
  word.split(BETWEEN).every((part) => {
    // In this form circled letters are letters, and wide full stops are full stops.
    const bare = part.normalize('NFKC').replace(AROUND, '').replace(EMPHASIS, '$2')
    return PLAIN.test(bare.replace(AROUND, ''))
  })

const isPlainLine = (line: string, isTable: boolean): boolean => {
  const text = line.replace(END, '')
  if (INDENTED.test(line) || ACROSS.test(text)) return ACROSS.test(text)
  const cells =
    isTable && ROW.test(text)
      ? text.split('|').filter((cell) => !UNDER_HEAD.test(cell))
      : [text.replace(BEGIN, '')]
  return cells.flatMap((cell) => cell.split(/[ \t]+/)).every(isPlainWord)
}

const isPlain = (paragraph: string): boolean => {
  const isTable = TABLE.test(paragraph)
  return paragraph.split('\n').every((line) => isPlainLine(line, isTable))
}

/**
 * The parts of a text that count: all from its first line of code or HTML to the last, and other paragraphs that are
 * not plain.
 */
interface Read {
  code: string[]
  signed: string[]
}

/** The first line of a block of code: the text before its fence, the fence, and the text after it. */
const FENCE = /^([ >]*(?:(?:[-*+]|\d{1,3}[.)]) +)*)(`{3,}|~{3,})(.*)$/

/** HTML that goes on over empty lines, and any other tag. */
const LONG_TAG =
  /<(?:[!?]|pre|script|style|textarea|xmp|listing|plaintext)|<(?:code|kbd|samp|tt)\b(?!.*<\/)/i
const TAG = /<[/a-z]/i

/** Whether code and HTML are surely over at the end: each fence is closed as it was opened, and no HTML goes on. */
const isOver = (lines: readonly string[]): boolean => {
  let prefix = ''
  let end: string | undefined
  let isHtml = false
  for (const line of lines) {
    const text = line.replace(END, '')
    if (end !== undefined) {
      // A line outside the list or quotation of a block ends it.
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

const isEdge = (line: string): boolean => EDGE.test(line)

const isCode = (paragraph: string): boolean =>
  paragraph.includes('`') || paragraph.split('\n').some((line) => INDENTED.test(line))

const listSigned = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .split(/\n[ >\t]*\n/)
    .filter((paragraph) => !isPlain(paragraph))

const readText = (text: string): Read => {
  const lines = text.split('\n')
  const first = lines.findIndex(isEdge)
  const edge = lines.findLastIndex(isEdge)
  const start = first < 0 ? lines.length : first
  const end = first >= 0 && isOver(lines.slice(0, edge + 1)) ? edge + 1 : lines.length
  const before = listSigned(lines.slice(0, start))
  const block = lines.slice(start, end).join('\n')
  const behind = listSigned(lines.slice(end))
  return {
    code: [...before.filter(isCode), block, ...behind.filter(isCode)].filter(Boolean),
    signed: [...before, ...behind].filter((paragraph) => !isCode(paragraph)),
  }
}

/** Line breaks that only some readers of YAML know: a field for one reader is part of a value for another. */
const ODD_BREAK = /[\r\u0085\u2028\u2029]/

const isOdd = (document: Document): boolean => {
  let isFound = document.errors.length + document.warnings.length > 0
  visit(document, (_, node) => {
    // An alias could carry the value of another field into the description.
    if (isAlias(node) || (isNode(node) && (('anchor' in node && node.anchor) || node.tag)))
      isFound = true
  })
  return isFound
}

const VERSION = /^(["']?)v?\d+(?:\.\d+)*\1$/

/** A field that may change: where it stands in the front matter, and the words of its value as they are written. */
interface Quiet {
  from: number
  to: number
  words: string
}

/** Finds `description`, and `version`, also below `metadata`. */
const listQuiet = ({ items }: YAMLMap, block: string, prefix = ''): Quiet[] =>
  items.flatMap(({ key, value }): Quiet[] => {
    if (!isScalar(key) || !key.range || !isNode(value) || !value.range) return []
    const name = `${prefix}${String(key.value)}`
    const [from, to] = [key.range[0], value.range[1]]
    const hasComment = (end: number): boolean => block.slice(from, end).includes('#')
    if (name === 'metadata' && isMap(value)) {
      const inside = listQuiet(value, block, 'metadata.')
      const isWhole = inside.length === value.items.length && !hasComment(to)
      return isWhole ? [{ from, to, words: '' }] : inside
    }
    if (hasComment(value.range[0])) return []
    const written = block.slice(value.range[0], to)
    if (name === 'description' && isScalar(value)) return [{ from, to, words: written }]
    const isVersion = /^(?:metadata\.)?version$/.test(name) && VERSION.test(written)
    return isVersion ? [{ from, to, words: '' }] : []
  })

/** A line of a description that a simpler reader takes for a field, or for the end of all. */
const FIELD_LINE = /(?<=\n)(?:[\w.-]+ *:.*|-{3,}.*)/g

/** What some readers take for a front matter. */
const MAY_OPEN = /^\s*-{3}/

/** The parts of a front matter that count, and the words of its description. */
const readBlock = (block: string): { field: string; words: string } => {
  const document = ODD_BREAK.test(block) ? undefined : parseDocument(block, YAML_OPTIONS)
  const root = document?.contents as unknown
  if (!document || isOdd(document) || !isMap(root)) return { field: block, words: '' }
  const quiet = listQuiet(root as YAMLMap, block)
  const rest = quiet
    .toReversed()
    .reduce((text, { from, to }) => text.slice(0, from) + text.slice(to), block)
  // The mark of a value in several lines is not one of its words.
  const written = quiet.map(({ words }) => words.replace(/^[|>][-+\d]*(?=\s*\n)/, ''))
  const words = written.join('\n\n').replace(/^[ \t]+/gm, '')
  return {
    field: [rest.replace(/^\s*\n/gm, ''), ...(words.match(FIELD_LINE) ?? [])].join('\n'),
    words,
  }
}

/** Reads a Markdown file; undefined where it counts whole. */
const readMarkdown = (bytes: Buffer): (Read & { field: string }) | undefined => {
  try {
    const whole = decodeText(bytes).replaceAll('\r\n', '\n')
    const { block = '', start, body } = splitSkillMd(whole)
    if (start === undefined && MAY_OPEN.test(whole)) return undefined
    const end = whole
      .slice((start ?? 0) + block.length, whole.length - body.length)
      .replace(/\n$/, '')
    const read = readBlock(block)
    const [about, text] = [readText(read.words), readText(body)]
    // Readers differ in what opens and ends a front matter.
    const field = [whole.slice(0, start ?? 0), read.field, end].filter(Boolean).join('\n')
    return { field, code: [...about.code, ...text.code], signed: [...about.signed, ...text.signed] }
  } catch (error) {
    if (error instanceof NotTextError || error instanceof FrontMatterError) return undefined
    throw error
  }
}

/** Ways in which code addresses files without their names: patterns, and commands on folders. */
const SWEEPS: readonly RegExp[] = [
  /[^\w\s-]\.(?:md|markdown)\b|\$\w+\.(?:md|markdown)\b|["']\*\*?["'/.]/,
  /[\w./~-]+\*(?![*\w])|(?<=\S[ \t]+)\*(?=[\s;|&).`]|$)/m,
  /(?<=\s)[\w./~-]*(?:\?|\[[^\s\]]+\])[\w./-]/,
  /(?<=\S[ \t]+)\.(?=[\s;|&)"'`]|$)/m,
  /\bcd |\bfind +["'$./~-]|\bls\b.*[|)>]|\bls-files\b|xargs|\bgrep +-\w*r|\bget-childitem\b|\bgci\b/,
  /\b(?:[ir]?glob|f?walk(?:dir)?|(?:list|scan|read|open|iter)dir)(?:sync)?\(/,
]

/** Whether code may mean a Markdown file: by its name, its folder, or as one of all. */
const createNaming = (pieces: readonly string[]) => {
  const code = pieces.join('\n').toLowerCase()
  const isSwept = SWEEPS.some((one) => one.test(code))
  return (path: string): boolean =>
    isSwept ||
    path
      .toLowerCase()
      .split('/')
      .some((part) => code.includes(part))
}

/** A name of plain words: no address, option or other sign. */
const PLAIN_NAME = /^\.?[\p{L}\d_][\p{L}\p{M}\d_-]*$/u

const isPlainPath = (path: string): boolean =>
  !MISLEADING.test(path) && path.split('/').every((name) => PLAIN_NAME.test(name))

/** Parts of an address that say nothing of a place: a commit, and the dash of GitLab. */
const NO_PLACE = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|-?)$/

/** The path of a skill inside its repository, without the commit, if it is more than plain words; else empty. */
export const findOddPlace = ({ source }: SkillRecord): string => {
  if (source.kind === 'own') return ''
  const { pathname, search, hash: fragment } = new URL(source.url)
  const parts = (pathname + search + fragment).split('/').slice(3)
  const place = parts.filter((part) => !NO_PLACE.test(part)).join('/')
  return place === '' || isPlainPath(place) ? '' : place
}

const digest = (bytes: Uint8Array): string => hash('sha256', bytes)

/** The kinds of parts that count. */
const KINDS = ['file', 'code', 'field', 'address'] as const
type Kind = (typeof KINDS)[number]

/** The parts of a skill that count, by kind and path. */
const listParts = ({ files, bytes, record }: OpenedSkill): Map<string, string> => {
  const place = record && findOddPlace(record)
  const stated = [record?.name, record?.author, record?.licence, place].join('\n')
  const parts = new Map([[`field\n${RECORD_FILE}`, stated]])
  const add = (kind: Kind, path: string, value: string): void => {
    if (value !== '') parts.set(`${kind}\n${path}`, value)
  }
  const { code, signed } = readText(record?.description ?? '')
  add('address', RECORD_FILE, [...code, ...signed].join('\n\n'))
  const texts: [path: string, bytes: Buffer][] = []
  const pieces: string[] = []
  for (const { path, isExecutable } of files) {
    const content = bytes.get(path)
    const mayRun = !MARKDOWN.test(path) || isExecutable
    const text = content && !mayRun ? readMarkdown(content) : undefined
    if (content && text) {
      add('code', path, text.code.join('\n\n'))
      add('field', path, text.field)
      add('address', path, text.signed.join('\n\n'))
      pieces.push(...text.code)
      if (!isPlainPath(path.replace(MARKDOWN, ''))) add('file', path, 'name')
      texts.push([path, content])
    } else {
      // A file without content is over a limit, so the build refuses it.
      add('file', path, content ? `${digest(content)}${isExecutable ? '*' : ''}` : 'unread')
      // In UTF-16 a zero byte stands beside each letter.
      if (content) pieces.push(content.toString('latin1').replaceAll('\0', ''))
    }
  }
  const isNamed = createNaming(pieces)
  for (const [path, content] of texts) if (isNamed(path)) add('file', path, digest(content))
  return parts
}

/** Differences beyond plain words, by kind; `unread` if they could not be found in time. */
export interface CodeChange {
  kind: Kind | 'unread'
  values: string[]
}

/** Compares the parts beyond plain words of two versions of a skill; without one before, all are new. */
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
