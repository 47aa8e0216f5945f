import { hash } from 'node:crypto'
import type { MarkedToken } from 'marked'
import { isAlias, isMap, isNode, isScalar, parseDocument, visit } from 'yaml'
import type { Document, YAMLMap } from 'yaml'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { FrontMatterError, YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { SKILL_TIME, runInTime } from '../../../src/catalog/in-time.ts'
import { childrenOf, readMarkdown } from '../../../src/catalog/markdown.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { NotTextError, decodeText } from '../../../src/catalog/text.ts'

// What of a skill runs, is opened or is obeyed as a setting. No rule and no list of commands decides it: all that is not
// prose counts, and what cannot be read as prose counts whole.

const MARKDOWN = /\.(?:md|markdown)$/i

/** Names of pictures and fonts, and the first bytes that they need to be some. SVG is a text, which may hold scripts. */
const PASSIVE: readonly (readonly [name: RegExp, head: RegExp])[] = [
  [/\.png$/i, /^\x89PNG\r\n/],
  [/\.jpe?g$/i, /^\xff\xd8\xff/],
  [/\.gif$/i, /^GIF8[79]a/],
  [/\.webp$/i, /^RIFF[^]{4}WEBP/],
  [/\.avif$/i, /^[^]{4}ftypavi[fs]/],
  [/\.ico$/i, /^\0\0[^\0]\0/],
  [/\.[ot]tf$/i, /^(?:\0[^\0]\0\0|true|OTTO)/],
  [/\.woff2?$/i, /^wOF[F2]/],
]

const isPassive = (path: string, bytes: Buffer): boolean =>
  PASSIVE.some(([name, head]) => name.test(path) && head.test(bytes.toString('latin1', 0, 16)))

/** A piece of code; a listing may name files without a command. */
interface Piece {
  text: string
  isListing: boolean
}

/** What counts of a Markdown file. */
interface Read {
  code: Piece[]
  fields: unknown[]
  prose: string
}

const LISTINGS = /^(?:|text|txt|tree|plaintext|markdown|md)$/

const listSpans = (token: MarkedToken): string[] =>
  token.type === 'codespan' ? [token.raw] : childrenOf(token).flatMap(listSpans)

/** A tag, a backtick that begins no code, or a line that is indented as code. */
const LOOKS_LIKE_CODE = /[<`]|~~~|\n(?: {4}|\t)/

/** The code in a block of words; all of it if it has a tag, or what a reader may take for code. */
const listWordCode = (token: MarkedToken): Piece[] => {
  const spans = listSpans(token)
  const rest = spans.reduce((text, span) => text.replace(span, ''), token.raw)
  return LOOKS_LIKE_CODE.test(rest)
    ? [{ text: token.raw, isListing: false }]
    : spans.map((text) => ({ text, isListing: true }))
}

const HOLDERS = new Set(['list', 'list_item', 'blockquote'])

/** The blocks of code, spans of code and HTML of a text. */
const listCode = (tokens: readonly MarkedToken[]): Piece[] =>
  tokens.flatMap((token): Piece[] => {
    if (token.type === 'code') {
      const lang = token.lang ?? ''
      const text = token.text.replaceAll('\\\n', ' ')
      return [{ text: `${lang}\n${text}`, isListing: LISTINGS.test(lang) }]
    }
    return HOLDERS.has(token.type) ? listCode(childrenOf(token)) : listWordCode(token)
  })

/** Line breaks of some readers of YAML alone: what is a field for one is a part of a value for another. */
const ODD_BREAK = /[\r\u0085\u2028\u2029]/

const isOdd = (document: Document): boolean => {
  let isFound = document.errors.length + document.warnings.length > 0
  visit(document, (_, node) => {
    // Through an anchor the description may be the value of any field.
    if (isAlias(node) || (isNode(node) && (('anchor' in node && node.anchor) || node.tag)))
      isFound = true
  })
  return isFound
}

/** Fields that count, and the text of those that do not: `description` and `version`, also below `metadata`. */
const readFields = (block: string): { fields: unknown[]; prose: string } => {
  const whole = { fields: [block], prose: '' }
  if (ODD_BREAK.test(block)) return whole
  const document = parseDocument(block, YAML_OPTIONS)
  const root = document.contents as unknown
  if (isOdd(document) || (root !== null && !isMap(root))) return whole
  const prose: string[] = []
  const list = (map: YAMLMap, prefix: string): unknown[] =>
    map.items.flatMap(({ key, value }): unknown[] => {
      const name = prefix + (isScalar(key) ? String(key.value) : JSON.stringify(key))
      if (isScalar(value) && /^(?:description|(?:metadata\.)?version)$/.test(name)) {
        prose.push(String(value.value))
        return []
      }
      return name === 'metadata' && isMap(value)
        ? list(value, 'metadata.')
        : [[name, JSON.stringify(value)]]
    })
  return { fields: root === null ? [] : list(root, ''), prose: prose.join('\n\n') }
}

/** Reads a Markdown file; undefined where it counts whole. */
const readParts = (bytes: Buffer): Read | undefined => {
  let split: ReturnType<typeof splitSkillMd>
  try {
    split = splitSkillMd(decodeText(bytes).replaceAll('\r\n', '\n'))
  } catch (error) {
    if (error instanceof NotTextError || error instanceof FrontMatterError) return undefined
    throw error
  }
  const { block = '', body } = split
  const { fields, prose } = readFields(block)
  const code: Piece[] = []
  for (const text of [prose, body]) {
    const reading = readMarkdown(text)
    if ('fault' in reading) return undefined
    code.push(...listCode(reading.result))
  }
  return { code, fields, prose: `${prose}\n${body}` }
}

/** Signs that stand around words of plain text. */
const AROUND = /^[*_"'‘“„«([{<>|#+]+|[*_"'’”»)\]}<>|,.;:!?]+$/g
const NUMBER = /^[v~<>=≈€$+-]*\d+(?:[.,:/-]\d+){0,2}[%x+°]*$/i
/** No sign of a plain word, in any script. What some take for the dot of an address is one between Latin letters. */
const SIGN = /[^\p{L}\p{M}\p{N}'’\-、。，：；（）「」『』《》【】！？…—–“”‘·～]|^-+\w|\w[。．｡]\w/u

/** The words of a text that are neither plain nor code: addresses, paths, variables, options, however they are written. */
const listSigned = (text: string): string[] =>
  text
    .split(/[\s–—…]+/)
    .map((word) => word.replace(AROUND, ''))
    .filter(
      (word) =>
        SIGN.test(word) && !word.includes('`') && /[\p{L}\p{N}]/u.test(word) && !NUMBER.test(word),
    )

const digest = (bytes: Uint8Array | string): string => hash('sha256', bytes)

/** The kinds of what counts. */
type Kind = 'file' | 'code' | 'field'

/** A path at the begin of a line, as in a picture of a tree. */
const LISTED = /^[\s│├└─┬|`+*-]*[\w./@-]+/gm

/** Whether code names a picture or a font: by a part of its path, or as one of all. */
const namesPassive = (code: string, path: string): boolean =>
  [...path.toLowerCase().split(/[/.]+/), '*'].some((part) => part !== '' && code.includes(part))

/** Whether a command names a Markdown file: by its name, its folder, or as one of all such files. */
const namesText = (commands: string, folders: string, path: string): boolean => {
  const [name = '', folder = ''] = path.toLowerCase().split('/').toReversed()
  const pattern = folder.replace(/[^\w-]/g, '.')
  const isFolder = new RegExp(`(?:^|[^\\w-])${pattern}(?:[/"'\`]|\\s+[-|>;&]|$)`, 'm')
  const isNamed = commands.includes(name) || /\*\.(?:md|markdown)/.test(commands)
  return isNamed || (folder !== '' && isFolder.test(folders))
}

/** What counts of a skill, by kind and path, and the words of its texts that are not plain. */
const listParts = ({ files, bytes, record }: OpenedSkill) => {
  const parts = new Map<string, string>()
  const words = new Set(listSigned(record?.description ?? ''))
  const add = (kind: Kind, path: string, value: string) => parts.set(`${kind}\n${path}`, value)
  add('field', RECORD_FILE, record?.name ?? '')
  const pieces: Piece[] = []
  const quiet: { path: string; bytes: Buffer; isText: boolean }[] = []
  const read = ({ path, isExecutable }: SkillFile): void => {
    const content = bytes.get(path)
    // One that is not read is beyond all limits, so the build refuses it.
    if (!content) return void add('file', path, 'unread')
    const isText = MARKDOWN.test(path) && !isExecutable
    const text = isText ? readParts(content) : undefined
    if (text) {
      pieces.push(...text.code)
      if (text.code.length > 0) add('code', path, JSON.stringify(text.code))
      if (text.fields.length > 0) add('field', path, JSON.stringify(text.fields))
      for (const word of listSigned(text.prose)) words.add(word)
    }
    if (text || (isPassive(path, content) && !isExecutable))
      quiet.push({ path, bytes: content, isText })
    else {
      add('file', path, `${digest(content)}${isExecutable ? '*' : ''}`)
      pieces.push({ text: content.toString('latin1'), isListing: false })
    }
  }
  for (const file of files) read(file)
  const all = pieces.map(({ text }) => text.toLowerCase()).join('\n')
  const commands = pieces
    .map(({ text, isListing }) => (isListing ? text.replace(LISTED, '') : text))
    .join('\n')
    .toLowerCase()
  const folders = commands.replace(/\/[\w./-]*\.md/g, '')
  for (const { path, bytes: content, isText } of quiet) {
    const isNamed = isText ? namesText(commands, folders, path) : namesPassive(all, path)
    if (isNamed) add('file', path, digest(content))
  }
  return { parts, words }
}

/** What differs of what runs in a version, by kind; `unread` if that could not be told in time. */
export interface CodeChange {
  kind: Kind | 'address' | 'unread'
  values: string[]
}

/** Compares what runs, is opened or is obeyed in two versions of a skill; all is new without one before. */
export const compareCode = (before: OpenedSkill | undefined, after: OpenedSkill): CodeChange[] => {
  const compared = runInTime(SKILL_TIME, () => {
    const [old, now] = [before && listParts(before), listParts(after)]
    const keys = new Set([...(old?.parts.keys() ?? []), ...now.parts.keys()])
    const differing = [...keys].filter((key) => old?.parts.get(key) !== now.parts.get(key))
    const added = [...now.words].filter((word) => !old?.words.has(word))
    const changes = (['file', 'code', 'field'] as const).map((kind): CodeChange => {
      const values = differing.filter((key) => key.startsWith(`${kind}\n`))
      return { kind, values: values.map((key) => key.slice(kind.length + 1)) }
    })
    return [...changes, { kind: 'address' as const, values: added }]
  })
  return 'fault' in compared
    ? [{ kind: 'unread', values: [compared.fault] }]
    : compared.result.filter(({ values }) => values.length > 0)
}
