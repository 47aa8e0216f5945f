import { isMap, isPair, isScalar, isSeq } from 'yaml'
import { showValue } from '../../../src/catalog/text.ts'
import { DESCRIPTION_RULES, checkDescription, findInSource } from './description-rules.ts'
import { isLossy, rangeOf, resolveNode, takenFor, textOf } from './field-values.ts'
import { NAME_RULES, checkName } from './name-rules.ts'
import type { Mark, RuleTable } from './rule.ts'
import { findPair } from './yaml-rules.ts'
import type { Fields } from './yaml-rules.ts'

/** Longest compatibility of the specification of skills, in characters. */
const COMPATIBILITY_LENGTH = 500

/** What can be wrong with the fields of a front matter. */
export const FIELD_RULES = {
  ...NAME_RULES,
  ...DESCRIPTION_RULES,
  'compatibility-length': {
    severity: 'error',
    message: `the compatibility is longer than ${COMPATIBILITY_LENGTH} characters`,
    remedy: 'shorten it',
  },
  'text-type': {
    severity: 'error',
    message: 'a value of another kind where one text is wanted',
    remedy: 'write one text, in quotes',
    fix: 'puts a number, a date or a yes in quotes',
  },
  'lossy-value': {
    severity: 'warning',
    message: 'a value that readers of YAML give back as another text',
    remedy: 'put it in quotes',
    fix: 'puts it in quotes',
  },
  'tools-format': {
    severity: 'warning',
    message: 'allowed-tools is not one text with blanks between the tools',
    remedy: 'write them on one line with blanks between: allowed-tools: Read Bash(git:*)',
  },
  'metadata-type': {
    severity: 'error',
    message: 'metadata is not a list of "key: value" lines',
    remedy: 'write "key: value" lines below it, indented',
  },
  'metadata-value': {
    severity: 'warning',
    message: 'a value of metadata that is no text',
    remedy: 'write one text',
  },
  placeholder: {
    severity: 'warning',
    message: 'a placeholder of a template',
    remedy: 'write what belongs there',
  },
  'client-field': {
    severity: 'note',
    message: 'a field that only some assistants know',
    remedy: 'keep it where you write for those; the others pass over it',
  },
  'unknown-field': {
    severity: 'warning',
    message: 'a field that the specification does not have',
    remedy: 'move it below metadata',
  },
} as const satisfies RuleTable

/** A mark of a rule about fields; places count from the block's start. */
export type FieldMark = Mark<keyof typeof FIELD_RULES>

/** Fields that well-known assistants read beside those of the specification. */
const CLIENT_FIELDS: ReadonlySet<string> = new Set([
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'disallowed-tools',
  'model',
  'effort',
  'context',
  'agent',
  'hooks',
  'paths',
  'shell',
])

/** Fields of the specification of skills. */
const SPECIFIED: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
])

/** What a template leaves where nobody filled it in. */
const PLACEHOLDER = /(?<!\$)\{\{[^{}\n]*\}\}|\[TODO\b|<%=|\$\{(?!\{)/

const quote = (node: unknown): Pick<FieldMark, 'edit'> => {
  const { at, end } = rangeOf(node)
  return { edit: { start: at, end, text: `"${textOf(node) ?? ''}"` } }
}

const isNothing = (node: unknown): boolean => {
  if (isMap(node) || isSeq(node)) return false
  const isEmpty = (textOf(node) ?? '').trim() === ''
  return isEmpty || (isScalar(node) && takenFor(node) === 'nothing')
}

const checkType = (field: string, node: unknown): FieldMark[] => {
  const range = rangeOf(node)
  const marked = (kind: string): FieldMark => ({
    rule: 'text-type',
    ...range,
    message: `${field} is ${kind} to readers of YAML, where one text is wanted`,
  })
  if (isMap(node)) return [marked('a mapping')]
  if (isSeq(node)) return [marked('a list')]
  if (!isScalar(node) || isNothing(node)) return []
  const taken = takenFor(node)
  return taken === 'text' ? [] : [{ ...marked(`a ${taken}`), ...quote(node) }]
}

/** One field's value, where the front matter gives it: as written, and what an alias leads to. */
interface Given {
  written: unknown
  node: unknown
  text: string
}

const findGiven = (fields: Fields, field: string): Given | undefined => {
  const written = findPair(fields, field)?.value
  const node = resolveNode(written, fields.document)
  return isNothing(node) ? undefined : { written, node, text: textOf(node) ?? '' }
}

const checkGiven = (
  field: string,
  { written, node }: Given,
  block: string,
  check: () => FieldMark[],
): FieldMark[] => {
  const left = findInSource(block, written, PLACEHOLDER).map(({ at, end }): FieldMark => ({
    rule: 'placeholder',
    at,
    end,
  }))
  // What an alias leads to is written elsewhere, and marked there.
  const wrong = written === node ? checkType(field, node) : []
  const isText = wrong.every(({ edit }) => edit !== undefined)
  return [...left, ...wrong, ...(isText ? check() : [])]
}

const whereMissing = (fields: Fields, field: string): { at: number; end: number } => {
  const key = findPair(fields, field)?.key
  return key === undefined ? { at: 0, end: 0 } : rangeOf(key)
}

/** What is asked of a front matter beside its text. */
export interface Context {
  block: string
  /** Name of the skill's folder, where the name has to be that. */
  folder: string | undefined
}

const checkRequired = (fields: Fields, { block, folder }: Context): FieldMark[] => {
  // A merge key may give either; that an anchor is used is said elsewhere.
  const isMerged = findPair(fields, '<<') !== undefined
  return (['name', 'description'] as const).flatMap((field) => {
    const given = findGiven(fields, field)
    if (given === undefined) {
      const missing = { rule: `${field}-missing` as const, ...whereMissing(fields, field) }
      return isMerged ? [] : [missing]
    }
    const { text, written } = given
    return checkGiven(field, given, block, () =>
      field === 'name'
        ? checkName(text.trim(), rangeOf(written), folder)
        : checkDescription(text, block, written),
    )
  })
}

const checkCompatibility = ({ text, written }: Given): FieldMark[] => {
  const length = [...text].length
  if (length <= COMPATIBILITY_LENGTH) return []
  const message = `the compatibility has ${length} characters; at most ${COMPATIBILITY_LENGTH} are allowed`
  return [{ rule: 'compatibility-length', ...rangeOf(written), message }]
}

const checkOptional = (fields: Fields, { block }: Context): FieldMark[] =>
  (['license', 'compatibility'] as const).flatMap((field) => {
    const given = findGiven(fields, field)
    if (given === undefined) return []
    return checkGiven(field, given, block, () =>
      field === 'compatibility' ? checkCompatibility(given) : [],
    )
  })

const checkTools = (fields: Fields): FieldMark[] => {
  const given = findGiven(fields, 'allowed-tools')
  if (given === undefined) return []
  // A comma inside brackets belongs to one tool's own pattern.
  const isCut = given.text.replace(/\([^()]*\)/g, '').includes(',')
  return isScalar(given.node) && !isCut ? [] : [{ rule: 'tools-format', ...rangeOf(given.written) }]
}

const markLossy = (node: unknown): FieldMark[] =>
  isScalar(node) && isLossy(node)
    ? [
        {
          rule: 'lossy-value',
          ...rangeOf(node),
          message: `${showValue(textOf(node))} is a ${takenFor(node)} to readers of YAML, which give back another text`,
          ...quote(node),
        },
      ]
    : []

const checkMetadata = (fields: Fields): FieldMark[] => {
  const written = findPair(fields, 'metadata')?.value
  const node = resolveNode(written, fields.document)
  if (isNothing(node)) return []
  if (!isMap(node)) return [{ rule: 'metadata-type', ...rangeOf(written) }]
  return node.items.filter(isPair).flatMap(({ key, value }) => {
    if (!isMap(value) && !isSeq(value)) return markLossy(value)
    const kind = isMap(value) ? 'a mapping' : 'a list'
    const message = `${showValue(textOf(key))} of metadata is ${kind}, where one text is wanted`
    return [{ rule: 'metadata-value' as const, ...rangeOf(value), message }]
  })
}

const checkOthers = (fields: Fields): FieldMark[] =>
  fields.root.items.filter(isPair).flatMap(({ key, value }) => {
    const field = textOf(key) ?? ''
    if (SPECIFIED.has(field) || field === '<<') return []
    const rule = CLIENT_FIELDS.has(field) ? 'client-field' : 'unknown-field'
    const message = `${showValue(field)} is ${FIELD_RULES[rule].message}`
    const { at, end } = rangeOf(key)
    const mark: FieldMark = { rule, at, end, message }
    return [mark].concat(markLossy(value))
  })

/** Marks what is wrong with the fields of a front matter. */
export const checkFields = (fields: Fields, context: Context): FieldMark[] => [
  ...checkRequired(fields, context),
  ...checkOptional(fields, context),
  ...checkTools(fields),
  ...checkMetadata(fields),
  ...checkOthers(fields),
]
