import { countEdits } from './edits.ts'

/** Number of characters of a value that are compared with names. */
const COMPARED = 64

/** A part of a name, or a name in the value, is nearer than any misspelling. */
const distance = (value: string, name: string): number => {
  const isPart = value.length > 1 && (name.includes(value) || value.includes(name))
  return isPart ? 0.5 : countEdits(value, name, COMPARED)
}

/** Lists the names that a value could be a misspelling of, nearest first; ties keep the order of `names`. */
export const listNearest = (value: string, names: readonly string[]): string[] => {
  const folded = value.toLowerCase().slice(0, COMPARED)
  // Two typing errors, or one in every four letters.
  const most = Math.max(2, Math.floor(folded.length / 4))
  return names
    .map((name) => ({ name, edits: countEdits(folded, name, most + 1) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name)
}

/** Finds the name nearest to a value, ignoring case and surrounding spaces. Of equally near names, the first wins. */
export const findNearest = <Name extends string>(value: string, names: readonly Name[]): Name => {
  const folded = value.trim().toLowerCase().slice(0, COMPARED)
  const ranked = names.map((name) => ({ name, distance: distance(folded, name.toLowerCase()) }))
  return ranked.reduce((best, candidate) => (candidate.distance < best.distance ? candidate : best))
    .name
}
