import { hash } from 'node:crypto'
import { basename } from 'node:path'
import type { Category } from '../../../src/catalog/categories.ts'
import { FrontMatterError, splitLoosely } from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { DESCRIPTION_LIMIT, NAME_LIMIT } from '../../../src/catalog/schema.ts'
import {
  NotTextError,
  dropFences,
  showValue,
  foldLine,
  typeLetters,
  SLUG_LIMIT,
  isSlug,
  isVersionName,
} from '../../../src/catalog/text.ts'
import { readStatedCategory } from '../classify/classify.ts'
import { makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import { isUnreadable } from '../cli/command.ts'
import { isPointer } from './file-faults.ts'

/** The paths of a skill's folder, relative to the root of its source; one outside of it starts with `..`. */
export interface FolderNames {
  /** Its real path first, then links to it. */
  names: string[]
  /** Paths that lead through links to folders above it. */
  through: string[]
}

/** Decides whether to leave out a skill of a source, and why; undefined to keep it. */
export type LeaveOut = (folder: FolderNames) => Violation | undefined

/** Maximum number of skills imported from one followed source. */
export const CHOSEN_LIMIT = 20_000

export const explainMany = (count: number): string =>
  `it has ${count} skills, and at most ${CHOSEN_LIMIT} are imported; choose some with "include"`

export class SkipError extends Error {
  readonly violation: Violation
  constructor(violation: Violation) {
    super(makeProblem('', violation).message)
    this.violation = violation
  }
}

/** Finds merge conflict markers. Markers in fenced code are examples and do not count. */
const hasConflict = (text: string): boolean =>
  text.includes('<<<<<<<') &&
  ['<{7}(?: .*)?', '={7}', '>{7}(?: .*)?'].every((marker) =>
    new RegExp(`^${marker}\\r?$`, 'm').test(dropFences(text)),
  )

/** Signs that a file is not a real SKILL.md; the first match is reported. */
const NOT_SKILLS: readonly (Violation & { matches: (text: string) => boolean })[] = [
  { rule: 'blank', matches: (text) => text.trim() === '' },
  {
    rule: 'lfs-pointer',
    remedy: 'run "git lfs pull" in the source and import again',
    matches: isPointer,
  },
  {
    rule: 'html',
    matches: (text) => /^\s*(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 1_000)),
  },
  {
    rule: 'stored-link',
    remedy: 'check the source out with symlinks, or import the folder that the symlink names',
    matches: (text) => /^(?:\.\.?\/)*[\w./-]*skill\.md$/i.test(text.trim().slice(0, 1_000)),
  },
  { rule: 'conflict', matches: hasConflict },
]

/** Says why a text is not a SKILL.md; undefined if it looks like one. */
export const findBadFile = (text: string): Violation | undefined =>
  NOT_SKILLS.find(({ matches }) => matches(text))

const describeFrontMatter = ({ reason, remedy, kind, line }: FrontMatterError): Violation =>
  kind === 'absent'
    ? {
        rule: 'front-matter',
        message: reason,
        remedy: 'start the file with name and description between --- lines',
      }
    : {
        rule: 'front-matter',
        line,
        message: `line ${line}: ${reason}`,
        remedy: remedy ?? 'correct the YAML between the --- lines',
      }

/** Turns an error from reading a skill into a reason to skip it; rethrows unexpected errors. */
export const describeSkip = (error: unknown): Violation => {
  if (error instanceof SkipError) return error.violation
  if (error instanceof FrontMatterError) return describeFrontMatter(error)
  if (error instanceof NotTextError) return { rule: 'not-text', message: error.reason }
  if (!isUnreadable(error)) throw error
  return { rule: 'unreadable', message: `${showValue(basename(error.path ?? ''))} is not readable` }
}

/** Record fields from the front matter, cleaned for display. */
export interface SkillFields {
  name: string
  description: string
  /** Only if the author chose one. */
  category?: Category
}

/** Longest description that the Agent Skills specification allows; clients may drop longer ones. */
const SPECIFIED_DESCRIPTION = 1_024

const LINE_ENDS = /\r\n?|[\n\u0085\u2028\u2029]/

/**
 * Cuts a text at the last word that fits into `limit` UTF-16 units, including the added `…`. The schema counts units,
 * so a name of emoji is longer than it looks.
 */
export const cutAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = limit - 1
  // Never cut between the halves of a surrogate pair.
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
  const head = text.slice(0, end)
  const wordEnd = /\s/.test(text.charAt(end)) ? end : head.search(/\s\S*$/)
  // A text without spaces, such as Chinese, is cut at the limit.
  const cut = wordEnd > limit / 2 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s,;:.–—-]+$/u, '')}…`
}

/** Keeps paragraphs, but drops hidden and control characters. */
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

const refuseMissing = (field: 'name' | 'description'): never => {
  const remedy = `add a line "${field}: …" between the --- lines`
  throw new SkipError({ rule: `${field}-missing`, remedy })
}

/** Uses the folder's name if the front matter has none, as agents do. */
const chooseName = (original: string, folderName: string): { name: string; messages: string[] } => {
  const name = foldLine(cutAtWord(foldLine(original), NAME_LIMIT))
  if (name !== '') {
    const isShown = original.trim() === name
    const message = `the name ${showValue(original)} is shown as ${showValue(name)}`
    return { name, messages: isShown ? [] : [message] }
  }
  const fallback = foldLine(cutAtWord(foldLine(folderName), NAME_LIMIT))
  const message = `the front matter has no name; the folder's, ${showValue(fallback)}, is used`
  return { name: fallback, messages: [message] }
}

/** Makes front matter fields valid for a record; the messages describe the changes. Throws SkipError. */
export const cleanFields = (
  front: FrontMatter,
  folderName: string,
  categories?: readonly Category[],
): { fields: SkillFields; messages: string[] } => {
  const { name, messages } = chooseName(front.name ?? '', folderName)
  if (name === '') refuseMissing('name')
  const original = front.description ?? ''
  const description = cleanText(original)
  if (description === '') refuseMissing('description')
  const category = readStatedCategory(front, categories)
  return {
    fields: {
      name,
      description: cleanText(cutAtWord(description, DESCRIPTION_LIMIT)),
      ...(category ? { category } : {}),
    },
    messages: [...messages, ...listDescriptionMessages(original, description)],
  }
}

/** Longer slugs are hard to read in an address. */
const NAME_SLUG_LIMIT = 60

const cutSlug = (text: string, limit: number): string => text.slice(0, limit).replace(/-+$/, '')

/** Reduces a text to words of a-z and 0-9, joined by single hyphens; may be empty. */
export const slugify = (text: string): string =>
  cutSlug(
    typeLetters(text.normalize('NFKD'))
      .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-/, ''),
    NAME_SLUG_LIMIT,
  )

/** Shortens the base but keeps the ending, which distinguishes slugs. */
const extendSlug = (base: string, ending: string): string =>
  `${cutSlug(base, SLUG_LIMIT - ending.length - 1)}-${ending}`

/** Chooses a free slug: the name, else name and author, else both with a number, starting at 2. */
export const chooseSlug = (
  skill: { name: string; folderName: string; author: string; id: number },
  takenSlugs: ReadonlySet<string>,
): string => {
  const words = slugify(skill.name) || slugify(skill.folderName) || `skill-${skill.id}`
  // Slugs must not equal names of the site's pages or of Windows devices.
  const base = isSlug(words) && !isVersionName(words) ? words : `${words}-skill`
  if (!takenSlugs.has(base)) return base
  const withAuthor = extendSlug(base, slugify(skill.author) || 'author')
  if (!takenSlugs.has(withAuthor)) return withAuthor
  let count = 2
  while (takenSlugs.has(extendSlug(withAuthor, String(count)))) count += 1
  return extendSlug(withAuthor, String(count))
}

/** Digests the text below the front matter, so that a new name does not matter; nor do amounts of whitespace. */
export const digestBody = (text: string): string =>
  hash('sha256', splitLoosely(text).body.replace(/\s+/g, ' ').trim(), 'hex').slice(0, 16)
