import { isScalar, visit } from 'yaml'
import type { Mark, RuleTable } from './rule.ts'
import type { Fields } from './yaml-rules.ts'

/** What can be left over at the end of a front matter's lines. */
export const BLANK_RULES = {
  'trailing-blanks': {
    severity: 'note',
    message: 'blanks at the end of a line of the front matter',
    remedy: 'remove them',
    fix: 'removes them',
  },
} as const satisfies RuleTable

interface Range {
  start: number
  end: number
}

/** Finds the values of several lines, in which blanks may be part of the text. */
const findLongValues = ({ document }: Fields, block: string): Range[] => {
  const ranges: Range[] = []
  visit(document, {
    Scalar: (_, node) => {
      const [start = 0, , end = 0] = isScalar(node) ? (node.range ?? []) : []
      if (block.slice(start, end).trimEnd().includes('\n')) ranges.push({ start, end })
    },
  })
  return ranges
}

const TRAILING = /(?<![ \t])[ \t]+(?=\r?\n)/g

/**
 * Marks blanks at the ends of the lines of a front matter, its --- lines included, where they are
 * no part of a value. `start` is where the block begins, `close` where the line after it does.
 */
export const checkBlanks = (
  text: string,
  { start, close }: { start: number; close: number },
  fields: Fields | undefined,
): Mark<keyof typeof BLANK_RULES>[] => {
  const block = text.slice(start, close)
  const kept = fields ? findLongValues(fields, block) : [{ start: 0, end: block.length }]
  const isValue = (at: number): boolean =>
    kept.some((range) => at >= start + range.start && at < start + range.end)
  const closing = text.indexOf('\n', close)
  return [...text.slice(0, closing < 0 ? text.length : closing + 1).matchAll(TRAILING)]
    .map(({ 0: blanks, index }) => ({ start: index, end: index + blanks.length, text: '' }))
    .filter((edit) => !isValue(edit.start))
    .map((edit) => ({ rule: 'trailing-blanks', at: edit.start, end: edit.end, edit }) as const)
}
