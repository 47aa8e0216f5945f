import {
  FrontMatterError,
  parseFrontMatter,
  splitSkillMd,
} from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'

interface ReadFrontMatter {
  front: FrontMatter
  /** Description of the repair, if there was one. */
  repair?: string
}

/** The fields that are recovered from broken front matter. */
const KEPT_FIELDS = ['name', 'description', 'license'] as const

const KEY_LINE = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]|$)/

const wrap = (block: string): string => `---\n${block}\n---\n`

/** Removes quotes, even if the closing quote is missing. */
const unquote = (text: string): string => {
  const quote = /^["']/.exec(text)?.[0]
  if (quote === undefined) return text
  const inner = text.slice(1, text.length > 1 && text.endsWith(quote) ? -1 : undefined)
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'")
}

/** Reads the lines of one field as YAML, or else as plain text. Returns undefined for a list, a mapping or a tag. */
const readField = (
  field: (typeof KEPT_FIELDS)[number],
  lines: readonly string[],
): { text: string | undefined; isPlain: boolean } | undefined => {
  try {
    return { text: parseFrontMatter(wrap(lines.join('\n')))[field], isPlain: false }
  } catch (error) {
    const value = lines
      .map((line) => line.trim())
      .join(' ')
      .replace(/^[^:]*:/, '')
      .trim()
    if (!(error instanceof FrontMatterError)) throw error
    if (/^[[{!]/.test(value)) return undefined
    return { text: unquote(value).toWellFormed(), isPlain: true }
  }
}

/** Recovers name, description and licence from broken front matter, each from its first occurrence. */
const repairFields = (text: string, error: FrontMatterError): ReadFrontMatter => {
  const lines = (splitSkillMd(text).block ?? '').split(/\r?\n/)
  const front: FrontMatter = {}
  const plain: string[] = []
  for (const field of KEPT_FIELDS) {
    const at = lines.findIndex((line) => KEY_LINE.exec(line)?.[1] === field)
    if (at < 0) continue
    const length = lines.slice(at + 1).findIndex((line) => KEY_LINE.test(line))
    const read = readField(field, lines.slice(at, length < 0 ? undefined : at + 1 + length))
    if (!read) throw error
    if (read.text !== undefined) front[field] = read.text
    if (read.isPlain) plain.push(field)
  }
  const how =
    plain.length > 0
      ? `${plain.join(' and ')} read as plain text`
      : 'only name, description and licence are read'
  const { line, reason } = error
  return { front, repair: `line ${line}: ${reason}; ${how}; the file is unchanged` }
}

/** Parses front matter; if it is not valid YAML, recovers what it can line by line. Throws FrontMatterError. */
export const readFrontMatter = (text: string): ReadFrontMatter => {
  try {
    return { front: parseFrontMatter(text) }
  } catch (error) {
    if (!(error instanceof FrontMatterError) || error.kind !== 'syntax') throw error
    return repairFields(text, error)
  }
}
