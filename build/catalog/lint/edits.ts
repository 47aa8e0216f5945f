import type { Edit } from './rule.ts'

/** Makes changes that do not overlap in a text; of two that do, the first wins. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  let done = 0
  let result = ''
  for (const { start, end, text: wanted } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue
    result += text.slice(done, start) + wanted
    done = end
  }
  return result + text.slice(done)
}
