import type { Place } from './rule.ts'

const lineStarts = (text: string): number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Finds the last line that starts at or before an offset. */
const lineOf = (starts: readonly number[], offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Makes a lookup of the line and column of an offset in a text. */
export const createLocator = (text: string): ((offset: number) => Place) => {
  const starts = lineStarts(text)
  return (offset) => {
    const line = lineOf(starts, offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}

/** Finds the first places of a pattern, which must be global: a text may hold millions. */
export const findFirst = (text: string, pattern: RegExp, most: number): RegExpExecArray[] => {
  const found: RegExpExecArray[] = []
  for (const place of text.matchAll(pattern)) {
    found.push(place)
    if (found.length === most) break
  }
  return found
}
