import { HIDDEN_CHARACTERS } from '../../../src/catalog/text.ts'

/** Control, invisible and lone surrogate characters, except the line feed. */
const UNSEEN = new RegExp(`(?!\\n)\\p{Cc}|\\p{Surrogate}|${HIDDEN_CHARACTERS.source}`, 'gu')

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** Escapes control characters, so that no file can manipulate the terminal. */
export const escapeUnseen = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${codeOf(character).toString(16).toUpperCase()}}`)

const escapeUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/** Renders JSON with invisible characters escaped. */
export const renderJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(UNSEEN, escapeUnits)

/** Pads cells to aligned columns. */
export const renderColumns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export const pluralize = (number: number, name: string, plural = `${name}s`): string =>
  `${number} ${number === 1 ? name : plural}`
