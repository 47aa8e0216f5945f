import {
  LIST_FIELDS,
  READ_FIELDS,
  isPlainBoolean,
  readBoolean,
} from '../../../src/catalog/front-matter.ts'
import { listNearest } from '../../../src/catalog/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { ANY_COMMAND, readGrant } from '../../../src/catalog/touches.ts'
import { listFields } from './places.ts'
import type { Field } from './places.ts'
import type { Violation } from '../rules.ts'

const SPECIFIED = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

const CLAUDE = 'Claude Code'

/**
 * Clients that read fields outside the specification, according to their documentation of November 2026 and the code of
 * Claude Code 2.1.330, Pi 0.73 and `npx skills` 1.7.4 (for Eve). All are case-sensitive.
 */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'disable-model-invocation': [CLAUDE, 'Cursor', 'Droid', 'GitHub Copilot', 'Pi'],
  'user-invocable': [CLAUDE, 'Droid', 'GitHub Copilot'],
  'argument-hint': [CLAUDE, 'GitHub Copilot'],
  paths: [CLAUDE, 'Cursor'],
  ...Object.fromEntries(
    'agent arguments background context disallowed-tools disallowedTools effort hooks model shell when_to_use'
      .split(' ')
      .map((field) => [field, [CLAUDE]]),
  ),
  version: [CLAUDE, 'Eve'],
  category: ['a registry such as this one'],
}

const NAMES = new Intl.ListFormat('en-GB')

const BOOLEANS: ReadonlySet<string> = new Set(['disable-model-invocation', 'user-invocable'])

/** Unquoted values that YAML reads as a number or a boolean, which clients refuse in the fields of `TEXTS`. */
const NOT_TEXT = /^(?:true|false|[-+]?(?:0x[\da-f]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))$/i
const TEXTS: ReadonlySet<string> = new Set(['name', 'description'])

/** The allowed types of a field that the registry reads; undefined for any other. */
const kindsOf = (field: string): readonly Field['kind'][] | undefined => {
  if (field === 'metadata') return ['mapping']
  if (!READ_FIELDS.some((read) => read === field)) return undefined
  return LIST_FIELDS.has(field) ? ['text', 'list'] : ['text']
}

const QUOTE = 'put it in quotes'

/** Finds a value of the wrong type; a remedy is only returned if quotes help. */
const findWrongValue = ({
  field,
  kind,
  value,
  isPlain,
}: Field): Pick<Violation, 'detail' | 'remedy'> | undefined => {
  const kinds = kindsOf(field)
  // The value of an alias is checked at its anchor.
  if (kinds === undefined || kind === 'alias' || (kind === 'text' && value === '')) return undefined
  const shown = showValue(field)
  if (!kinds.includes(kind)) {
    const detail = `${shown} must be a ${kinds.join(' or ')}, not a ${kind}`
    return kinds.length === 1 && kinds[0] === 'text' && !BOOLEANS.has(field)
      ? { detail, remedy: QUOTE }
      : { detail }
  }
  if (TEXTS.has(field) && isPlain && NOT_TEXT.test(value))
    return {
      detail: `${shown} is ${value} without quotes, which clients do not accept as text`,
      remedy: QUOTE,
    }
  return BOOLEANS.has(field) && !isPlainBoolean(value)
    ? { detail: `${shown} must be true or false, not ${showValue(value)}` }
    : undefined
}

const checkName = (field: string): Violation[] => {
  const detail = showValue(field)
  if (SPECIFIED.includes(field)) return []
  const readers = Object.hasOwn(READERS, field) ? READERS[field]! : []
  if (readers.length > 0) {
    const verb = readers.length === 1 ? 'reads' : 'read'
    const remedy = `${NAMES.format(readers)} ${verb} it; other clients ignore it`
    return [{ rule: 'client-field', detail, remedy }]
  }
  const [nearest] = listNearest(field, [...SPECIFIED, ...Object.keys(READERS)])
  const remedy = nearest && `did you mean ${showValue(nearest)}?`
  return [{ rule: 'unknown-field', detail, remedy }]
}

/** Reports fields whose value is cut short by a comment. */
export const checkCuts = (fields: readonly Field[]): Violation[] =>
  fields
    .filter(({ isCut }) => isCut)
    .map(({ field, value, line, column }) => {
      const detail = `${showValue(field)} is ${showValue(value)}`
      return { rule: 'value-cut', detail, line, column }
    })

/** Picks the text fields that a registry reads. */
const pickTextFields = (fields: readonly Field[]): Field[] =>
  fields.filter(({ field }) => !BOOLEANS.has(field) && kindsOf(field))

/** Reports the text fields of a front matter that need quotes: YAML cuts them short, or reads a list. */
export const findUnquoted = (text: string): Violation[] => {
  const fields = pickTextFields(listFields(text))
  const wrong = fields.map(findWrongValue).filter((found) => found?.remedy === QUOTE)
  return [
    ...checkCuts(fields),
    ...wrong.map((found) => Object.assign({ rule: 'field-value' }, found)),
  ]
}

const TOOLS_FIELD = 'allowed-tools'

/** Lists the tools whose command the registry reads otherwise than it is written. */
const listUnmatched = (tools: string): string[] =>
  (tools.match(/\w+\([^()]*\)/g) ?? []).filter((tool) => {
    const command = readGrant(tool) ?? ANY_COMMAND
    return command !== ANY_COMMAND && !tool.includes(command)
  })

/** Checks how tools are written; `tools` is the value as the registry reads it. */
export const checkTools = (text: string, tools = ''): Violation[] => {
  const field = listFields(text).find((found) => found.field === TOOLS_FIELD)
  if (!field) return []
  const { line, column, kind } = field
  const gap = /\S*\([^()]*[\s,][^()]*\)/.exec(tools)?.[0]
  const signs = [
    ...(kind === 'list' ? ['a list'] : []),
    ...(kind === 'text' && tools.replace(/\([^()]*\)/g, '').includes(',') ? ['commas'] : []),
    ...(gap === undefined ? [] : [showValue(gap)]),
  ]
  const notation = { rule: 'tools-notation', detail: signs.join(', '), line, column }
  return [
    ...(signs.length === 0 ? [] : [notation]),
    ...listUnmatched(tools).map((tool) => ({
      rule: 'tool-unmatched',
      detail: showValue(tool),
      line,
      column,
    })),
  ]
}

const checkInvocation = (fields: readonly Field[]): Violation[] => {
  const stated = (field: string): boolean | undefined =>
    readBoolean(fields.findLast((candidate) => candidate.field === field)?.value)
  return stated('disable-model-invocation') === true && stated('user-invocable') === false
    ? [{ rule: 'never-started' }]
    : []
}

/** Checks the names and values of the top-level fields of a front matter. */
export const checkFields = (text: string): Violation[] => {
  const fields = listFields(text)
  const seen = new Set<string>()
  const ofEach = fields.flatMap((entry): Violation[] => {
    const { field, line, column } = entry
    const isTwice = seen.has(field)
    seen.add(field)
    const wrong = findWrongValue(entry)
    const found: Violation[] = isTwice
      ? [{ rule: 'front-matter', detail: `${showValue(field)} appears twice` }]
      : checkName(field)
    if (wrong !== undefined) found.push({ rule: 'field-value', ...wrong })
    return found.map((violation) => Object.assign(violation, { line, column }))
  })
  return [...ofEach, ...checkCuts(pickTextFields(fields)), ...checkInvocation(fields)]
}
