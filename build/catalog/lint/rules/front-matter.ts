import { visit } from 'yaml'
import {
  FrontMatterError,
  refuseOversize,
  splitSkillMd,
} from '../../../../src/catalog/front-matter.ts'
import { findBadFile } from '../../import/bad-file.ts'
import { matchAt } from '../diagnostic.ts'
import type { Match, RuleTable, Violation } from '../diagnostic.ts'
import { rangeOf } from './yaml.ts'
import type { Fields } from './yaml.ts'

/** A front matter between its lines of dashes, in a text without a byte order mark. */
interface Subject {
  text: string
  block: string
  /** Where the block begins. */
  start: number
  body: string
  /** The fields, where the block is YAML that has some. */
  fields: Fields | undefined
}

/** Finds multi-line values, in which trailing spaces may be significant. */
const findLongValues = ({ fields, block }: Subject): { start: number; end: number }[] => {
  if (fields === undefined) return [{ start: 0, end: block.length }]
  const ranges: { start: number; end: number }[] = []
  visit(fields.document, {
    Scalar: (_, node) => {
      const start = rangeOf(node).start
      const end = node.range?.[2] ?? 0
      if (block.slice(start, end).trimEnd().includes('\n')) ranges.push({ start, end })
    },
  })
  return ranges
}

/** Finds insignificant trailing spaces, also on the --- lines. */
const findTrailingBlanks = (subject: Subject): Match[] => {
  const { text, start, block } = subject
  const values = findLongValues(subject)
  const closing = text.indexOf('\n', start + block.length)
  const head = text.slice(0, closing < 0 ? text.length : closing + 1)
  return [...head.matchAll(/(?<![ \t])[ \t]+(?=\r?\n)/g)]
    .map(({ 0: blanks, index }) => ({ start: index, end: index + blanks.length, text: '' }))
    .filter((edit) =>
      values.every((one) => edit.start < start + one.start || edit.start >= start + one.end),
    )
    .map((edit) => ({ start: edit.start, end: edit.end, edit }))
}

/** Number of characters searched for a misplaced front matter. */
const SEARCHED = 10_000

/** What can be wrong with where the front matter stands. */
export const FRONT_MATTER_RULES = {
  'not-a-skill': {
    severity: 'error',
    message: 'the file is not a SKILL.md',
    remedy: 'put a SKILL.md in its place',
  },
  'front-matter-missing': {
    severity: 'error',
    message: 'no front matter between --- lines',
    remedy: 'begin the file with ---, name: …, description: …, --- on lines of their own',
  },
  'front-matter-unread': {
    severity: 'error',
    message: 'the front matter cannot be read',
    remedy: 'open it with a line --- and close it with another, YAML of a few lines between them',
  },
  'front-matter-late': {
    severity: 'error',
    message: 'blank lines stand before the front matter, so that many readers find none',
    remedy: 'begin the file with ---',
    fix: 'removes the blank lines',
    check: ({ text }) => {
      const end = text.indexOf('---')
      return end === 0 ? [] : [{ start: 0, edit: { start: 0, end, text: '' } }]
    },
  },
  'front-matter-opening': {
    severity: 'error',
    message: 'the front matter opens with more than ---',
    remedy: 'write --- alone on the line',
    check: ({ text, start }) => {
      const opening = text.slice(text.indexOf('---'), start).trimEnd()
      return opening === '---' ? [] : matchAt(text.indexOf('---'), opening.length)
    },
  },
  'front-matter-end': {
    severity: 'error',
    message: 'the front matter ends with ..., which most readers do not know',
    remedy: 'end it with ---',
    fix: 'writes --- for it',
    check: ({ text, start, block }) => {
      const range = { start: start + block.length, end: start + block.length + 3 }
      return text.startsWith('...', range.start)
        ? [{ ...range, edit: { ...range, text: '---' } }]
        : []
    },
  },
  'front-matter-twice': {
    severity: 'warning',
    message: 'a second front matter follows the first and is read as text',
    remedy: 'move its fields into the first',
    check: ({ text, body }) => {
      const second = /^\s*(?=---[ \t]*\r?\n(?:name|description):)/.exec(body.slice(0, SEARCHED))
      return second ? matchAt(text.length - body.length + second[0].length) : []
    },
  },
  'dashes-in-value': {
    severity: 'warning',
    message: '--- inside the front matter, where simple readers, the reference one too, end it',
    remedy: 'write a dash (–) or other words',
    check: ({ block, start }) =>
      block.includes('---') ? matchAt(start + block.indexOf('---'), '---'.length) : [],
  },
  'trailing-blanks': {
    severity: 'note',
    message: 'spaces at the end of a line of the front matter',
    remedy: 'remove them',
    fix: 'removes them',
    check: findTrailingBlanks,
  },
  'body-empty': {
    severity: 'warning',
    message: 'there are no instructions below the front matter',
    remedy: 'write what an assistant should do',
    check: ({ body, start, block }) => (body.trim() === '' ? matchAt(start + block.length) : []),
  },
} as const satisfies RuleTable<Subject>

/** Beginnings of files without a front matter, with the detail to report. */
const NEAR_MISSES: readonly { shows: RegExp; detail: string }[] = [
  { shows: /^\s*(?:```|~~~)/, detail: 'the file begins with a code fence' },
  { shows: /^\s*<!--/, detail: 'a comment stands before it' },
  { shows: /^\s*-{4,}/, detail: 'it is opened by more than three dashes' },
  { shows: /^\s*\+\+\+/, detail: 'it is TOML, which no reader of skills knows' },
  { shows: /^\s*;;;/, detail: 'it is JSON, which no reader of skills knows' },
  { shows: /\n---[ \t]*\r?\nname:/, detail: 'text stands before it' },
]

const describeMissing = (text: string): Violation => {
  const head = text.slice(0, SEARCHED)
  const detail = NEAR_MISSES.find(({ shows }) => shows.test(head))?.detail
  return { rule: 'front-matter-missing', start: 0, ...(detail && { detail }) }
}

/** Finds the front matter of a text without a byte order mark, or why it has none. */
export const findFrontMatter = (
  text: string,
): { frontMatter: Omit<Subject, 'fields'> } | { violation: Violation } => {
  const bad = findBadFile(text)
  if (bad) {
    const { reason: detail, remedy } = bad
    const start = Math.max(0, text.indexOf('<<<<<<<'))
    return { violation: { rule: 'not-a-skill', start, detail, remedy } }
  }
  try {
    const { block, start, body } = splitSkillMd(text)
    if (block === undefined || start === undefined) return { violation: describeMissing(text) }
    refuseOversize(block)
    return { frontMatter: { text, block, start, body } }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    const start = Math.max(0, text.search(/\S/))
    return { violation: { rule: 'front-matter-unread', start, detail: error.message } }
  }
}
