import { posix } from 'node:path'
import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { Node } from 'yaml'
import { YAML_OPTIONS, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import type { Violation } from '../rules.ts'

/** Maximum number of diagnostics per rule and file. */
export const PLACES_PER_RULE = 5

interface Place {
  line: number
  column: number
}

export const placeAt = (text: string, offset: number): Place => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Parses a front matter, or a whole JSON file, as YAML. */
const readTree = (text: string) => {
  const { block = text, start = 0 } = splitSkillMd(text)
  const root = parseDocument(block, YAML_OPTIONS).contents
  const locate = (node: unknown): Place =>
    placeAt(text, start + ((node as Node | null | undefined)?.range?.[0] ?? 0))
  /** The text after a node, up to the end of its line. */
  const readAfter = (node: unknown): string => {
    const end = (node as Node | null | undefined)?.range?.[1] ?? 0
    return text.slice(start + end).split('\n', 1)[0]!
  }
  return { root, locate, readAfter }
}

/** A top-level field of a front matter, and the place of its name. */
export interface Field extends Place {
  field: string
  kind: 'text' | 'list' | 'mapping' | 'alias'
  /** The value as YAML reads it; empty unless it is a scalar. */
  value: string
  /** Whether the value is written without quotes. */
  isPlain: boolean
  /** Whether a comment ends the unquoted value, or comes before it. */
  isCut: boolean
}

const kindOf = (node: unknown): Field['kind'] => {
  if (isSeq(node)) return 'list'
  if (isMap(node)) return 'mapping'
  return isAlias(node) ? 'alias' : 'text'
}

/** A comment between a name and its value, on the line of the name. */
const COMMENT_FIRST = /^["']?[ \t]*:[ \t]+#/

/** Lists the top-level fields of a front matter in order. */
export const listFields = (text: string): Field[] => {
  const { root, locate, readAfter } = readTree(text)
  const items = isMap(root) ? root.items : []
  return items.map(({ key, value }) => {
    const plain = isScalar(value) && value.type === 'PLAIN' ? value : undefined
    const isFirst = plain !== undefined && COMMENT_FIRST.test(readAfter(key))
    return Object.assign(locate(key), {
      field: isScalar(key) ? String(key.value) : '',
      kind: kindOf(value),
      value: isScalar(value) ? String(value.value) : '',
      isPlain: plain !== undefined,
      isCut: isFirst || typeof plain?.comment === 'string',
    })
  })
}

/** Reports duplicate fields of a JSON file, of which only the last counts. */
export const findDuplicates = (text: string): Violation[] =>
  parseDocument(text, { ...YAML_OPTIONS, uniqueKeys: true })
    .errors.filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [start] }) => {
      const detail = text.slice(start, text.indexOf(':', start)).trim()
      return Object.assign(placeAt(text, start), { rule: 'field-twice', detail })
    })

/** Finds the place of a field such as `source.url`, or of its nearest existing parent. */
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

/** Reads the file that a problem names; undefined if it cannot be read. */
type ReadNamed = (file: string) => Uint8Array | undefined

const placeProblem = (read: ReadNamed, { file, field, line, column = 1 }: Problem): Place => {
  const bytes = field === undefined || line !== undefined ? undefined : read(file)
  return bytes ? locateField(decodeLoosely(bytes), field!) : { line: line ?? 1, column }
}

/** Finds the places of problems for which the build refuses a folder; `shown` is the folder's name in messages. */
export const placeProblems = (
  read: ReadNamed,
  shown: string,
  problems: readonly Problem[],
): Problem[] =>
  [...Map.groupBy(problems, ({ file }) => file).values()]
    // Of the policy, each rule is a problem that a curator has to accept.
    .flatMap((same) => same.filter(({ rule }, at) => at < PLACES_PER_RULE || rule === 'policy'))
    .map((problem) =>
      Object.assign({}, problem, placeProblem(read, problem), {
        file: posix.join(shown, problem.file).replace(/\/$/, ''),
      }),
    )
