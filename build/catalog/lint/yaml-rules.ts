import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Document, Node, YAMLError, YAMLMap } from 'yaml'
import { showValue } from '../../../src/catalog/text.ts'
import { YAML_OPTIONS } from '../../../src/catalog/front-matter.ts'
import { findCutTexts, findUnquoted } from './quote.ts'
import type { Mark, RuleTable } from './rule.ts'

/** What can be wrong with a front matter as YAML. */
export const YAML_RULES = {
  'yaml-unquoted': {
    severity: 'error',
    message: 'the value is no YAML without quotes',
    remedy: 'put it in quotes',
    fix: 'puts it in quotes',
  },
  'yaml-syntax': {
    severity: 'error',
    message: 'no YAML',
    remedy: 'put values with ": ", quotes or a sign in front in quotes, and indent with blanks',
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
    message: 'a tag, which no reader of skills may follow',
    remedy: 'remove it, or put the value in quotes where it is a text',
  },
  'yaml-anchor': {
    severity: 'warning',
    message: 'an anchor, which strict readers refuse',
    remedy: 'write the value out where it is wanted',
  },
  'yaml-key': {
    severity: 'error',
    message: 'a mapping or a list stands where the name of a field is wanted',
    remedy: 'write one name, or put the whole value in quotes',
  },
  'yaml-escape': {
    severity: 'error',
    message: 'an escape that is half a character, which JSON allows and YAML does not',
    remedy: 'write the character itself, or \\U and its eight digits',
  },
  'yaml-duplicate-key': {
    severity: 'error',
    message: 'the field is given twice',
    remedy: 'keep one of the two',
  },
  'yaml-comment-in-text': {
    severity: 'warning',
    message: 'the text ends here: what follows a blank and # is a comment',
    remedy: 'put the whole value in quotes, or the comment on a line of its own',
  },
} as const satisfies RuleTable

/** A mark of a rule about YAML; places count from the block's start. */
export type YamlMark = Mark<keyof typeof YAML_RULES>

/** The fields of a block that is YAML. */
export interface Fields {
  root: YAMLMap
  document: Document
}

const SHOWN_REASON = 100

const markFault = (fault: YAMLError): YamlMark => {
  const [at, end] = fault.pos
  if (fault.message.includes('call stack')) return { rule: 'yaml-depth', at: 0 }
  const reason = fault.message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? fault.code
  const rule = fault.code === 'TAG_RESOLVE_FAILED' ? 'yaml-tag' : 'yaml-syntax'
  return { rule, at, end, message: `YAML: ${reason.slice(0, SHOWN_REASON)}` }
}

const findAnchors = (document: Document): YamlMark[] => {
  const marks: YamlMark[] = []
  visit(document, {
    Node: (_, node) => {
      if (!('anchor' in node) || node.anchor === undefined) return undefined
      const message = `the anchor ${showValue(node.anchor)}, which strict readers refuse`
      marks.push({ rule: 'yaml-anchor', at: node.range?.[0] ?? 0, message })
      return visit.BREAK
    },
  })
  return marks
}

const findOddKeys = (document: Document): YamlMark[] => {
  const marks: YamlMark[] = []
  visit(document, {
    Pair: (_, { key }) => {
      if (!isMap(key) && !isSeq(key)) return undefined
      marks.push({ rule: 'yaml-key', at: key.range?.[0] ?? 0 })
      return visit.SKIP
    },
  })
  return marks
}

const HALF_ESCAPE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/

const findHalfEscapes = (document: Document, block: string): YamlMark[] => {
  const marks: YamlMark[] = []
  visit(document, {
    Scalar: (_, { type, range }) => {
      const found =
        type === 'QUOTE_DOUBLE' && range
          ? HALF_ESCAPE.exec(block.slice(range[0], range[1]))
          : undefined
      if (!found) return undefined
      marks.push({ rule: 'yaml-escape', at: (range?.[0] ?? 0) + found.index })
      return visit.BREAK
    },
  })
  return marks
}

const keyOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '')

const findDuplicates = (root: YAMLMap): YamlMark[] => {
  const seen = new Set<string>()
  return root.items.flatMap(({ key }) => {
    const field = keyOf(key)
    if (field === '' || !seen.has(field)) {
      seen.add(field)
      return []
    }
    const range = (key as Node).range ?? [0, 0]
    return [
      {
        rule: 'yaml-duplicate-key' as const,
        at: range[0],
        end: range[1],
        message: `the field ${showValue(field)} is given twice`,
      },
    ]
  })
}

const markUnquoted = (block: string): YamlMark[] =>
  findUnquoted(block).map(({ value: { field, start, end }, edit }) => ({
    rule: 'yaml-unquoted',
    at: start,
    end,
    message: `the value of ${showValue(field)} is no YAML without quotes`,
    edit,
  }))

const MAYBE_ALIAS = /:[ \t]+\*/

const readBlock = (block: string): { fields?: Fields; marks: YamlMark[] } => {
  const document = parseDocument(block, YAML_OPTIONS)
  const fault = document.errors[0] ?? document.warnings[0]
  // A value that wants quotes makes the parser stumble somewhere behind it; that is no second fault.
  const unquoted = fault || MAYBE_ALIAS.test(block) ? markUnquoted(block) : []
  if (unquoted.length > 0) return { marks: unquoted }
  if (fault) return { marks: [markFault(fault)] }
  const root = document.contents
  if (root !== null && !isMap(root)) return { marks: [{ rule: 'yaml-root', at: 0 }] }
  if (root === null) return { marks: [] }
  const cut = findCutTexts(block).map(({ at }) => ({ rule: 'yaml-comment-in-text' as const, at }))
  return {
    fields: { root, document },
    marks: [
      ...findAnchors(document),
      ...findOddKeys(document),
      ...findHalfEscapes(document, block),
      ...findDuplicates(root),
      ...cut,
    ],
  }
}

/** Reads a block as YAML and marks what is wrong with it; nothing in it is resolved or run. */
export const readYaml = (block: string): { fields?: Fields; marks: YamlMark[] } => {
  try {
    return readBlock(block)
  } catch (error) {
    // A stack that overflows is the file's fault: nesting that no metadata needs.
    if (error instanceof RangeError) return { marks: [{ rule: 'yaml-depth', at: 0 }] }
    throw error
  }
}

/** Gives the pair of a field, or nothing where the block does not have it. */
export const findPair = ({ root }: Fields, field: string) =>
  root.items.filter(isPair).findLast(({ key }) => keyOf(key) === field)
