import { isScalar } from 'yaml'
import { rangeOf } from './field-values.ts'
import type { Mark, RuleTable } from './rule.ts'

/** Longest description of the specification of skills, in characters. */
const DESCRIPTION_LENGTH = 1_024

/** Below this a description can hardly say what the skill does and when to use it. */
const SHORT_DESCRIPTION = 20

/** What can be wrong with a description. */
export const DESCRIPTION_RULES = {
  'description-missing': {
    severity: 'error',
    message: 'the front matter gives no description',
    remedy: 'add a line "description: …" that says what the skill does and when to use it',
  },
  'description-length': {
    severity: 'error',
    message: `the description is longer than ${DESCRIPTION_LENGTH} characters`,
    remedy: 'shorten it; the details belong into the text below',
  },
  'description-short': {
    severity: 'note',
    message: 'the description is very short',
    remedy: 'say what the skill does and when to use it',
  },
  'description-controls': {
    severity: 'warning',
    message: 'the description holds control characters once its escapes are read',
    remedy: 'write it without them',
  },
  'description-lines': {
    severity: 'note',
    message: 'the description runs over several lines, of which simple readers show the first',
    remedy: 'write it on one line, in quotes where it holds ": "',
  },
  'description-markup': {
    severity: 'warning',
    message: 'an angle bracket in the description, which packers of skills refuse',
    remedy: 'write it in words',
  },
} as const satisfies RuleTable

/** Controls that an escape of YAML leaves in a text; a line end is none, written as a line or not. */
const UNSEEN = /(?!\n)\p{Cc}/u

/** Signs that say as much as some letters do. */
const DENSE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu

type DescriptionMark = Mark<keyof typeof DESCRIPTION_RULES>

const isBlockScalar = (node: unknown): boolean =>
  isScalar(node) && (node.type === 'BLOCK_FOLDED' || node.type === 'BLOCK_LITERAL')

/** Finds a sign in the source of a value, the header of a block scalar left out. */
export const findInSource = (
  block: string,
  node: unknown,
  pattern: RegExp,
): { at: number; end: number }[] => {
  const { at, end } = rangeOf(node)
  const source = block.slice(at, end)
  const header = isBlockScalar(node) ? source.indexOf('\n') + 1 : 0
  const found = pattern.exec(source.slice(header))
  const start = at + header + (found?.index ?? 0)
  return found ? [{ at: start, end: start + found[0].length }] : []
}

const markLength = (text: string, range: { at: number; end: number }): DescriptionMark[] => {
  const length = [...text.trim()].length
  if (text.trim().replace(DENSE, '$&$&$&').length < SHORT_DESCRIPTION)
    return [{ rule: 'description-short', ...range }]
  if (length <= DESCRIPTION_LENGTH) return []
  const message = `the description has ${length} characters; at most ${DESCRIPTION_LENGTH} are allowed`
  return [{ rule: 'description-length', ...range, message }]
}

/** Marks what is wrong with a description; `node` is its value in the block. */
export const checkDescription = (text: string, block: string, node: unknown): DescriptionMark[] => {
  const range = rangeOf(node)
  const isLong = block.slice(range.at, range.end).trimEnd().includes('\n')
  return [
    ...markLength(text, range),
    ...(isLong ? [{ rule: 'description-lines' as const, ...range }] : []),
    ...findInSource(block, node, /[<>]/).map(({ at, end }) => ({
      rule: 'description-markup' as const,
      at,
      end,
    })),
    ...(UNSEEN.test(text) ? [{ rule: 'description-controls' as const, ...range }] : []),
  ]
}
