/** Longest value that is compared with names; a longer one matches none. */
const COMPARED = 64

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbouring letters. */
const editDistance = (from: string, to: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

const distance = (value: string, name: string): number => {
  const isPart = value.length > 1 && (name.includes(value) || value.includes(name))
  return isPart ? 0.5 : editDistance(value, name)
}

/** Lists the names that a value may be a misspelling of, the nearest first; ties keep the order of `names`. */
export const listNearest = (value: string, names: readonly string[]): string[] => {
  const folded = value.toLowerCase().slice(0, COMPARED)
  // Two typing errors, or one in every four letters.
  const most = Math.max(2, folded.length / 4)
  return names
    .filter((name) => Math.abs(name.length - folded.length) <= most)
    .map((name) => ({ name, edits: editDistance(folded, name) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name)
}

/** Finds the name nearest to a value, ignoring case and surrounding blanks; the first of equally near ones. */
export const findNearest = <Name extends string>(value: string, names: readonly Name[]): Name => {
  const folded = value.trim().toLowerCase().slice(0, COMPARED)
  const ranked = names.map((name) => ({ name, distance: distance(folded, name.toLowerCase()) }))
  return ranked.reduce((best, one) => (one.distance < best.distance ? one : best)).name
}
