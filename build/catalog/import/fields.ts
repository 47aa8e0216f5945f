import type { Category } from '../../../src/catalog/categories.ts'
import { foldLine, showValue } from '../../../src/catalog/text.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { DESCRIPTION_LIMIT, NAME_LIMIT } from '../../../src/catalog/schema.ts'
import { readOwnCategory } from '../classify/classify.ts'
import { SkipError } from './bad-file.ts'

/** The record fields from the front matter, cleaned for display. */
export interface SkillFields {
  name: string
  description: string
  /** Only if the author chose one. */
  category?: Category
}

/** Longest description that the specification of skills allows; clients may drop a longer one. */
const SPECIFIED_DESCRIPTION = 1_024

const LINE_ENDS = /\r\n?|[\n\u0085\u2028\u2029]/

/**
 * Cuts a text at the last word that fits in `limit` UTF-16 units, the added `…` included: the
 * schema counts units, so a name of emoji is longer there than it looks.
 */
export const cutAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = limit - 1
  // Never between the halves of a surrogate pair.
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
  const head = text.slice(0, end)
  const wordEnd = /\s/.test(text.charAt(end)) ? end : head.search(/\s\S*$/)
  // A text without spaces, such as Chinese, is cut at the limit.
  const cut = wordEnd > limit / 2 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s,;:.–—-]+$/u, '')}…`
}

/** Keeps paragraphs, and drops hidden and control characters. */
const cleanText = (text: string): string =>
  text
    .split(LINE_ENDS)
    .map(foldLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const listDescriptionMessages = (original: string, cleaned: string): string[] => {
  const messages: string[] = []
  const { length } = cleaned
  if (original.replace(/\s+/g, '') !== cleaned.replace(/\s+/g, '')) {
    messages.push('hidden and control characters were removed from the description')
  }
  if (length > DESCRIPTION_LIMIT) {
    messages.push(`the description of ${length} characters is cut to ${DESCRIPTION_LIMIT}`)
  } else if (length > SPECIFIED_DESCRIPTION) {
    const limit = `the specification allows ${SPECIFIED_DESCRIPTION}`
    messages.push(`the description has ${length} characters; ${limit}`)
  }
  return messages
}

const refuseMissing = (field: string): never => {
  throw new SkipError({
    reason: `the front matter has no ${field}`,
    remedy: `add a line "${field}: …" between the --- lines`,
  })
}

/** Without a name in the front matter the folder's is used, as agents do. */
const chooseName = (original: string, folderName: string): { name: string; messages: string[] } => {
  const name = cutAtWord(foldLine(original), NAME_LIMIT)
  if (name !== '') {
    const isShown = original.trim() === name
    const message = `the name ${showValue(original)} is shown as ${showValue(name)}`
    return { name, messages: isShown ? [] : [message] }
  }
  const fallback = cutAtWord(foldLine(folderName), NAME_LIMIT)
  const message = `the front matter has no name; the folder's, ${showValue(fallback)}, is used`
  return { name: fallback, messages: [message] }
}

/** Makes front matter fields valid for a record; the messages list the changes. Throws SkipError. */
export const cleanFields = (
  front: FrontMatter,
  folderName: string,
): { fields: SkillFields; messages: string[] } => {
  const { name, messages } = chooseName(front.name ?? '', folderName)
  if (name === '') refuseMissing('name')
  const original = front.description ?? ''
  const description = cleanText(original)
  if (description === '') refuseMissing('description')
  const category = readOwnCategory(front)
  return {
    fields: {
      name,
      description: cutAtWord(description, DESCRIPTION_LIMIT),
      ...(category ? { category } : {}),
    },
    messages: [...messages, ...listDescriptionMessages(original, description)],
  }
}
