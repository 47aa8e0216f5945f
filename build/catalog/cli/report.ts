import { HIDDEN_CHARACTERS } from '../../../src/catalog/text.ts'

/** Every character that a terminal would obey or not show, except the line feed. */
const UNSEEN = new RegExp(`(?!\\n)\\p{Cc}|\\p{Surrogate}|${HIDDEN_CHARACTERS.source}`, 'gu')

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** Escapes what a terminal would obey, so that no file can colour or move our output. */
export const escapeUnseen = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${codeOf(character).toString(16).toUpperCase()}}`)

const escapeUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/** Renders a value as JSON for a terminal or a pipe: the same value, with invisible characters escaped. */
export const renderJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(UNSEEN, escapeUnits)

/** Lays rows out in columns, each as wide as its widest cell. */
export const renderColumns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** A number with its noun: `1 view`, `2 views`. */
export const pluralize = (number: number, name: string, plural = `${name}s`): string =>
  `${number} ${number === 1 ? name : plural}`
