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

/** The fields that are kept from a broken block. */
const TEXT_FIELDS = new Set(['name', 'description', 'license', 'compatibility'])

const KEY_LINE = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/

interface Entry {
  key: string
  value: string
  more: string[]
}

const splitEntries = (block: string): Entry[] => {
  const entries: Entry[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, key, value = ''] = KEY_LINE.exec(line) ?? []
    if (key !== undefined) entries.push({ key, value, more: [] })
    else entries.at(-1)?.more.push(line)
  }
  return entries
}

/** Lists, mappings, tags and placeholders are not turned into text. */
const isStructure = (value: string): boolean => /^[[{!]/.test(value)

/** The closing quote may be missing. */
const unquote = (text: string): string => {
  const quote = /^["']/.exec(text)?.[0]
  if (quote === undefined) return text
  const inner = text.slice(1, text.length > 1 && text.endsWith(quote) ? -1 : undefined)
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'")
}

/** A JSON string is a double-quoted YAML scalar. */
const quoteEntry = ({ key, value, more }: Entry): string => {
  const lines = [value, ...more].map((line) => line.trim()).filter((line) => line !== '')
  return `${key}: ${JSON.stringify(unquote(lines.join(' ')).toWellFormed())}`
}

const untab = (line: string): string =>
  line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '))

const wrap = (block: string): string => `---\n${block}\n---\n`

const isReadable = (block: string): boolean => {
  try {
    parseFrontMatter(wrap(block))
    return true
  } catch (error) {
    if (error instanceof FrontMatterError) return false
    throw error
  }
}

const repairEntry = (entry: Entry): { key: string; text: string; isQuoted: boolean } => {
  const asItStands = [`${entry.key}: ${entry.value}`, ...entry.more.map(untab)].join('\n')
  const isQuoted = !isStructure(entry.value) && !isReadable(asItStands)
  return { key: entry.key, text: isQuoted ? quoteEntry(entry) : asItStands, isQuoted }
}

const repair = (text: string, error: FrontMatterError): ReadFrontMatter => {
  // The first of duplicate keys counts.
  const entries = Map.groupBy(splitEntries(splitSkillMd(text).block ?? ''), ({ key }) => key)
  const repaired = [...entries.values()]
    .flatMap(([first]) => (first && TEXT_FIELDS.has(first.key) ? [first] : []))
    .map(repairEntry)
  const block = repaired.map((one) => one.text).join('\n')
  if (!isReadable(block)) throw error
  const quoted = repaired.filter(({ isQuoted }) => isQuoted).map(({ key }) => key)
  const how =
    quoted.length > 0
      ? `${quoted.join(' and ')} read as plain text`
      : 'the fields beside it are read without it'
  const reason = error.message.replace(
    / \(a value that .*\)$|, but must be text; put it in quotes$/,
    '',
  )
  return {
    front: parseFrontMatter(wrap(block)),
    repair: `line ${error.line}: ${reason}; ${how}, the file stays as it is`,
  }
}

/**
 * Parses a front matter and repairs common YAML errors: an unquoted colon, a value that begins with a special character,
 * unmatched quotes, tabs, an unreadable other field. Throws FrontMatterError if that fails.
 */
export const readFrontMatter = (text: string): ReadFrontMatter => {
  try {
    return { front: parseFrontMatter(text) }
  } catch (error) {
    if (!(error instanceof FrontMatterError) || !error.isSyntax) throw error
    return repair(text, error)
  }
}
