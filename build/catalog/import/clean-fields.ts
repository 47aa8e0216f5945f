import { foldLine, showValue } from '../../../src/catalog/text.ts'
import type { Category } from '../../../src/catalog/categories.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { DESCRIPTION_LIMIT, NAME_LIMIT } from '../../../src/catalog/schema.ts'
import { readOwnCategory } from '../classify/classify.ts'
import type { Fault } from './bad-file.ts'
import { cleanText, cutAtWord, lostCharacters } from './clean.ts'

/** What a record takes from a front matter, fit to be shown. */
export interface CleanFields {
  name: string
  description: string
  /** The author's own choice. */
  category?: Category
}

/** Longest description that the specification of skills allows; clients may drop a longer one. */
const SPECIFIED_DESCRIPTION = 1_024

const warnOfName = (given: string, name: string): string[] =>
  given.trim() === name ? [] : [`the name ${showValue(given)} is shown as ${showValue(name)}`]

const warnOfDescription = (given: string, cleaned: string): string[] => [
  ...(lostCharacters(given, cleaned)
    ? ['hidden or control characters of the description are left out']
    : []),
  ...(cleaned.length > DESCRIPTION_LIMIT
    ? [`the description of ${cleaned.length} characters is cut to ${DESCRIPTION_LIMIT}`]
    : []),
  ...(cleaned.length > SPECIFIED_DESCRIPTION && cleaned.length <= DESCRIPTION_LIMIT
    ? [
        `the description has ${cleaned.length} characters; the specification allows ${SPECIFIED_DESCRIPTION}`,
      ]
    : []),
]

const missing = (field: string): Fault => ({
  reason: `the front matter gives no ${field}`,
  remedy: `add a line "${field}: …" between the --- lines`,
})

/** Takes the folder's name where the front matter gives none, as agents do that read the folder. */
const chooseName = (
  front: FrontMatter,
  folderName: string,
): { name: string; messages: string[] } => {
  const given = front.name ?? ''
  const name = cutAtWord(foldLine(given), NAME_LIMIT)
  if (name !== '') return { name, messages: warnOfName(given, name) }
  const fallback = cutAtWord(foldLine(folderName), NAME_LIMIT)
  const message = `the front matter gives no name; the folder's, ${showValue(fallback)}, is taken`
  return { name: fallback, messages: [message] }
}

/** Makes the front matter's fields fit for a record, and says what had to change. */
export const cleanFields = (
  front: FrontMatter,
  folderName: string,
): { fields: CleanFields; messages: string[] } | Fault => {
  const { name, messages } = chooseName(front, folderName)
  if (name === '') return missing('name')
  const description = cleanText(front.description ?? '')
  if (description === '') return missing('description')
  const category = readOwnCategory(front)
  return {
    fields: {
      name,
      description: cutAtWord(description, DESCRIPTION_LIMIT),
      ...(category ? { category } : {}),
    },
    messages: [...messages, ...warnOfDescription(front.description ?? '', description)],
  }
}
