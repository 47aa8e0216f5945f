import { countEdits } from './edits.ts'

/** Number of characters of a value that are compared with names. */
const COMPARED = 64

const fold = (text: string): string => text.trim().toLowerCase().slice(0, COMPARED)

/** Whether `b` is `a` with two neighbouring letters swapped, which is one typing error. */
const isSwapped = (a: string, b: string): boolean => {
  const at = [...a].findIndex((letter, index) => letter !== b[index])
  return at >= 0 && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b
}

/** Counts the typing errors between two words. At most one in short words and two in longer ones, or one in four letters. */
const countErrors = (a: string, b: string): number => {
  if (isSwapped(a, b)) return 1
  const longest = Math.max(a.length, b.length)
  const most = longest < 6 ? Math.min(1, longest - 1) : Math.max(2, Math.floor(longest / 4))
  const edits = countEdits(a, b, most + 1)
  return edits > most ? Infinity : edits
}

/** Whether one of two texts is a part of the other. Parts of one or two letters say nothing. */
const isPart = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a))

const listNear = (
  value: string,
  names: readonly string[],
  distance: (value: string, name: string) => number,
): string[] =>
  names
    .map((name) => ({ name, errors: distance(fold(value), fold(name)) }))
    .filter(({ errors }) => errors < Infinity)
    .sort((a, b) => a.errors - b.errors)
    .map(({ name }) => name)

/** Lists the names that a value could be a misspelling of, nearest first; ties keep the order of `names`. */
export const listNearest = (value: string, names: readonly string[]): string[] =>
  listNear(value, names, countErrors)

/**
 * Finds the name that a value could mean: one that is a part of it or contains it, or else a misspelling. Undefined if
 * all names are far. Of equally near names, the first wins.
 */
export const findNearest = (value: string, names: readonly string[]): string | undefined =>
  listNear(value, names, (a, b) => (a !== b && isPart(a, b) ? 0.5 : countErrors(a, b)))[0]

/** Writes `; did you mean "name"?` for a refused value; empty if no name is near. */
export const suggestNearest = (value: string, names: readonly string[]): string => {
  const nearest = findNearest(value, names)
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}
