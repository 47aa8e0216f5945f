import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Document, Node, YAMLError, YAMLMap } from 'yaml'
import {
  YAML_OPTIONS,
  FrontMatterError,
  refuseOversize,
  splitSkillMd,
} from '../../../../src/catalog/front-matter.ts'
import { showValue } from '../../../../src/catalog/text.ts'
import { findBadFile } from '../../import/skill-md.ts'
import { checkRules, matchAt } from '../rule.ts'
import type { Match, RuleTable, Violation } from '../rule.ts'

/** The fields of a block that is YAML. */
export interface Fields {
  block: string
  document: Document
  root: YAMLMap
}

/** The text of a scalar as it was written, quotes aside. */
export const textOf = (node: unknown): string | undefined =>
  isScalar(node) ? String(node.value ?? '') : undefined

/** Where a node stands in its block. */
export const rangeOf = (node: unknown): { start: number; end: number } => {
  const [start, end] = (node as Node | null | undefined)?.range ?? [0, 0]
  return { start, end }
}

export const matchNode = (node: unknown, more: Partial<Match> = {}): Match => ({
  ...rangeOf(node),
  ...more,
})

/** The pair of a field; of two, the last, as parsers choose. */
export const findPair = (map: YAMLMap, field: string) =>
  map.items.filter(isPair).findLast(({ key }) => textOf(key) === field)

/** Fields whose value is meant as one text, whatever signs it begins with. */
const TEXT_FIELDS = new Set(
  'name description license compatibility argument-hint when_to_use'.split(' '),
)

/** A value of one line as it stands in a block. */
interface PlainValue {
  field: string
  value: string
  start: number
  end: number
}

const TOP_LINE = /^([A-Za-z_][\w-]*):[ \t]+(\S[^\n]*)$/gm

// Quoted, tagged, anchored and block values need no quotes.
const SELF_DELIMITED = /^["'|>!&#]/
const FLOW = /^[[{]/

const isContinued = (block: string, end: number): boolean =>
  /^\r?\n(?:[ \t]*\r?\n)*[ \t]+\S/.test(block.slice(end, end + 2_000))

/** Lists unquoted single-line values. */
const listPlainValues = (block: string): PlainValue[] =>
  [...block.matchAll(TOP_LINE)].flatMap(({ 0: line, 1: field = '', 2: rest = '', index }) => {
    const value = rest.trimEnd()
    const start = index + line.length - rest.length
    const end = start + value.length
    const isText = TEXT_FIELDS.has(field) || !FLOW.test(value)
    const isPlain = isText && !SELF_DELIMITED.test(value) && !isContinued(block, end)
    return isPlain ? [{ field, value, start, end }] : []
  })

/** Quotes a text for YAML; undefined if no single-line quoting preserves it. */
const quoteText = (text: string): string | undefined => {
  const quoted =
    text.includes("'") && !/["\\]/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "''")}'`
  const { contents, errors, warnings } = parseDocument(quoted, YAML_OPTIONS)
  return errors.length + warnings.length === 0 && textOf(contents) === text ? quoted : undefined
}

const isYaml = (line: string): boolean => {
  const { errors, warnings } = parseDocument(line, YAML_OPTIONS)
  return errors.length + warnings.length === 0
}

/** Whether a value that begins with a star may be an alias: only if there are anchors. */
const isLostAlias = (value: string, block: string): boolean =>
  value.startsWith('*') && !/(?:^|[\s[{,])&\S/.test(block)

/** Finds values that are valid YAML only when quoted. */
const findUnquoted = (block: string): Violation[] =>
  listPlainValues(block).flatMap(({ field, value, start, end }) => {
    if (!isLostAlias(value, block) && isYaml(`${field}: ${value}`)) return []
    const text = quoteText(value)
    if (text === undefined) return []
    const edit = { start, end, text }
    return [{ rule: 'yaml-unquoted', start, end, detail: showValue(field), edit }]
  })

const findInNodes = (document: Document, find: (node: Node) => Match | undefined): Match[] => {
  const found: Match[] = []
  visit(document, {
    Node: (_, node) => {
      const match = find(node)
      if (match) found.push(match)
    },
  })
  return found
}

const HALF_ESCAPE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/

/** What can be wrong with a front matter as YAML. */
export const YAML_RULES = {
  'yaml-unquoted': {
    severity: 'error',
    message: 'the value of a field is not valid YAML without quotes',
    remedy: 'put it in quotes',
    fix: 'puts it in quotes',
  },
  'yaml-syntax': {
    severity: 'error',
    message: 'not valid YAML',
    remedy: 'quote values that hold ": " or begin with a special character, and indent with spaces',
  },
  'yaml-depth': {
    severity: 'error',
    message: 'the front matter is nested too deeply',
    remedy: 'write it flat',
  },
  'yaml-root': {
    severity: 'error',
    message: 'the front matter is not a list of "key: value" lines',
    remedy: 'write name: … and description: … on lines of their own',
  },
  'yaml-tag': {
    severity: 'error',
    message: 'a YAML tag, which readers of skills must not resolve',
    remedy: 'remove it, or put the value in quotes where it is text',
  },
  'yaml-anchor': {
    severity: 'warning',
    message: 'an anchor, which strict parsers reject',
    remedy: 'repeat the value where it is used',
    check: ({ document }) =>
      findInNodes(document, (node) =>
        'anchor' in node && node.anchor !== undefined
          ? { start: rangeOf(node).start, detail: showValue(node.anchor) }
          : undefined,
      ).slice(0, 1),
  },
  'yaml-key': {
    severity: 'error',
    message: 'a mapping or a list is used as the name of a field',
    remedy: 'write one name, or put the whole value in quotes',
    check: ({ document }) =>
      findInNodes(document, (node) => {
        const odd = isMap(node) ? node.items.find(({ key }) => isMap(key) || isSeq(key)) : undefined
        return odd && { start: rangeOf(odd.key).start }
      }),
  },
  'yaml-escape': {
    severity: 'error',
    message: 'an escape that is half a character, which JSON allows and YAML does not',
    remedy: 'write the character itself, or \\U and its eight digits',
    check: ({ document, block }) =>
      findInNodes(document, (node) => {
        const { start, end } = rangeOf(node)
        const isQuoted = isScalar(node) && node.type === 'QUOTE_DOUBLE'
        const found = isQuoted ? HALF_ESCAPE.exec(block.slice(start, end)) : undefined
        return found ? { start: start + found.index } : undefined
      }).slice(0, 1),
  },
  'yaml-duplicate-key': {
    severity: 'error',
    message: 'the field appears twice',
    remedy: 'keep one of the two',
    check: ({ root }) => {
      const seen = new Set<string>()
      return root.items.flatMap(({ key }) => {
        const field = textOf(key) ?? ''
        if (seen.has(field)) return [matchNode(key, { detail: showValue(field) })]
        if (field !== '') seen.add(field)
        return []
      })
    },
  },
  'yaml-comment-in-text': {
    severity: 'warning',
    message: 'the text ends here: what follows a space and # is a comment',
    remedy: 'put the whole value in quotes, or the comment on a line of its own',
    check: ({ block }) =>
      listPlainValues(block).flatMap(({ field, value, start }) => {
        const cut = value.search(/[ \t]#/)
        return TEXT_FIELDS.has(field) && cut > 0 ? [{ start: start + cut + 1 }] : []
      }),
  },
} as const satisfies RuleTable<Fields>

const SHOWN_REASON = 100

const describeError = ({ pos, message, code }: YAMLError): Violation => {
  if (message.includes('call stack')) return { rule: 'yaml-depth', start: 0 }
  const reason = message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? code
  const rule = code === 'TAG_RESOLVE_FAILED' ? 'yaml-tag' : 'yaml-syntax'
  return { rule, start: pos[0], end: pos[1], detail: reason.slice(0, SHOWN_REASON) }
}

const MAYBE_ALIAS = /:[ \t]+\*/

const readBlock = (block: string): { fields?: Fields; violations: Violation[] } => {
  const document = parseDocument(block, YAML_OPTIONS)
  const error = document.errors[0] ?? document.warnings[0]
  // Skip follow-up errors after a value that needs quotes.
  const unquoted = error || MAYBE_ALIAS.test(block) ? findUnquoted(block) : []
  if (unquoted.length > 0) return { violations: unquoted }
  if (error) return { violations: [describeError(error)] }
  const root = document.contents
  if (root === null) return { violations: [] }
  if (!isMap(root)) return { violations: [{ rule: 'yaml-root', start: 0 }] }
  const fields = { block, document, root }
  return { fields, violations: checkRules(YAML_RULES, fields) }
}

/** Parses a block as YAML without resolving tags; no fields if it is empty or not a mapping. */
export const readYaml = (block: string): { fields?: Fields; violations: Violation[] } => {
  try {
    return readBlock(block)
  } catch (error) {
    // Excessive nesting overflows the parser's stack.
    if (error instanceof RangeError) return { violations: [{ rule: 'yaml-depth', start: 0 }] }
    throw error
  }
}

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
