import { posix } from 'node:path'
import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { Node } from 'yaml'
import { YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { PLACES_PER_RULE, createDiagnostic } from './rules.ts'
import type { Diagnostic, Violation } from './rules.ts'

interface Place {
  line: number
  column: number
}

export const placeAt = (text: string, offset: number): Place => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** The front matter of a Markdown file, or all of a JSON file, as a tree of YAML. */
const readTree = (text: string) => {
  const { block = text, start = 0 } = splitSkillMd(text)
  const root = parseDocument(block, YAML_OPTIONS).contents
  const locate = (node: unknown): Place =>
    placeAt(text, start + ((node as Node | null | undefined)?.range?.[0] ?? 0))
  /** The text after a node, up to the end of its line. */
  const readBehind = (node: unknown): string => {
    const end = (node as Node | null | undefined)?.range?.[1] ?? 0
    return text.slice(start + end).split('\n', 1)[0]!
  }
  return { root, locate, readBehind }
}

/** A top field of a front matter, and the place of its name. */
export interface Field extends Place {
  field: string
  kind: 'text' | 'list' | 'mapping' | 'alias'
  /** Its value as YAML reads it, if that is a text. */
  value: string
  /** Whether its value stands there without quotes. */
  isPlain: boolean
  /** Whether a comment on its lines ends a value without quotes, or stands where it would begin. */
  isCut: boolean
}

const kindOf = (node: unknown): Field['kind'] => {
  if (isSeq(node)) return 'list'
  if (isMap(node)) return 'mapping'
  return isAlias(node) ? 'alias' : 'text'
}

/** A comment between a name and its value, on the line of the name. */
const COMMENT_FIRST = /^["']?[ \t]*:[ \t]+#/

/** Lists the top fields of a front matter in the order of the text. */
export const listFields = (text: string): Field[] => {
  const { root, locate, readBehind } = readTree(text)
  const items = isMap(root) ? root.items : []
  return items.map(({ key, value }) => {
    const plain = isScalar(value) && value.type === 'PLAIN' ? value : undefined
    const isFirst = plain !== undefined && COMMENT_FIRST.test(readBehind(key))
    return Object.assign(locate(key), {
      field: isScalar(key) ? String(key.value) : '',
      kind: kindOf(value),
      value: isScalar(value) ? String(value.value) : '',
      isPlain: plain !== undefined,
      isCut: isFirst || typeof plain?.comment === 'string',
    })
  })
}

/** The fields of a record that are in it twice; JSON keeps the last of them. */
export const findDoubled = (text: string): Violation[] =>
  parseDocument(text, { ...YAML_OPTIONS, uniqueKeys: true })
    .errors.filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [start] }) => {
      const detail = text.slice(start, text.indexOf(':', start)).trim()
      return Object.assign(placeAt(text, start), { rule: 'field-twice', detail })
    })

/** Finds the value of a field such as `source.url`, or of the nearest field above it. */
export const locateField = (text: string, field: string): Place => {
  const { root, locate } = readTree(text)
  let node: unknown = root
  for (const part of field.split('.')) {
    const key = isSeq(node) ? Number(part) : part
    const next = isCollection(node) ? node.get(key, true) : undefined
    if (next === undefined) break
    node = next
  }
  return locate(node)
}

/** The position in the message of a parser. */
const STUMBLED = /\(line (\d+) column (\d+)\)|^line (\d+):/

/** Reads a file by its path in a problem; undefined where it cannot be read. */
type ReadNamed = (file: string) => Uint8Array | undefined

const placeProblem = (read: ReadNamed, { file, field, remedy }: Problem): Partial<Place> => {
  const [, jsonLine, column = 1, yamlLine] = STUMBLED.exec(remedy) ?? []
  const line = jsonLine ?? yamlLine
  if (line !== undefined) return { line: Number(line), column: Number(column) }
  const bytes = field === '' ? undefined : read(file)
  return bytes ? locateField(decodeLoosely(bytes), field) : {}
}

const reportProblem = (read: ReadNamed, shown: string, problem: Problem): Diagnostic => {
  const { file, field, value, remedy } = problem
  const detail = [field, value === undefined ? '' : showValue(value)].filter(Boolean).join(' ')
  const name = posix.join(shown, file).replace(/\/$/, '')
  const place = placeProblem(read, problem)
  return createDiagnostic(name, { rule: 'refused', ...place, detail, remedy })
}

/** Reports the problems for which the build would refuse a folder; `shown` is the name of the folder in messages. */
export const reportProblems = (
  read: ReadNamed,
  shown: string,
  problems: readonly Problem[],
): Diagnostic[] =>
  [...Map.groupBy(problems, ({ file }) => file).values()]
    .flatMap((same) => same.slice(0, PLACES_PER_RULE))
    .map((problem) => reportProblem(read, shown, problem))
