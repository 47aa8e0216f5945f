import { revealHidden } from '../../catalog/text.ts'
import { withCode } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

/** Longest name that is shown in full, in characters. Untrusted names can be longer. */
const NAME_LIMIT = 160

/** Makes untrusted text a single line without hidden characters. */
export const showLine = (text: string): string =>
  revealHidden(text.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Makes an untrusted name a single line of limited length without hidden characters. */
export const showName = (text: string): string => {
  const line = showLine(text)
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT).toWellFormed()}…` : line
}

/** Counts the first texts that have at most `limit` characters together. The first one always counts. */
export const countFitting = (
  texts: readonly string[],
  separator: string,
  limit: number,
): number => {
  const isTooLong = (_: string, at: number): boolean =>
    at > 0 && texts.slice(0, at + 1).join(separator).length > limit
  const end = texts.findIndex(isTooLong)
  return end < 0 ? texts.length : end
}

/** Writes plain text from a record or a description; text between two backticks is code. */
export const showWords = (text: string): Phrase => withCode(showLine(text))
