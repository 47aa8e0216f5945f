import { isAlias, isScalar, parse } from 'yaml'
import type { Document, Node, Scalar } from 'yaml'

/** What readers of YAML take a value for that was written without quotes. */
export type TakenFor = 'text' | 'number' | 'boolean' | 'date' | 'nothing'

/** Only what looks so can be anything but a text. */
const MAY_BE_MORE = /^(?:[-+]?\.?\d[\w.:+ -]*|[-+]?\.(?:inf|nan)|~|true|false|yes|no|on|off|null)$/i

/** Longest number or date. */
const LONGEST = 64

const kindOf = (value: unknown): TakenFor => {
  if (value === null) return 'nothing'
  if (value instanceof Date) return 'date'
  return typeof value === 'number' || typeof value === 'boolean'
    ? (typeof value as TakenFor)
    : 'text'
}

const readAs = (source: string): unknown[] =>
  source.length <= LONGEST && MAY_BE_MORE.test(source)
    ? (['core', 'yaml-1.1'] as const).map((schema) => parse(source, { schema, logLevel: 'silent' }))
    : [source]

/** Says what YAML 1.2 or, where that sees a text, YAML 1.1 takes a plain scalar for. */
export const takenFor = (node: Scalar): TakenFor => {
  if (node.type !== 'PLAIN') return 'text'
  return (
    readAs(String(node.value))
      .map(kindOf)
      .find((kind) => kind !== 'text') ?? 'text'
  )
}

/** Says whether a plain scalar is given back as another text than was written: 1.10, a date. */
export const isLossy = (node: Scalar): boolean => {
  const source = String(node.value)
  if (node.type !== 'PLAIN') return false
  return readAs(source).some(
    (value) => value instanceof Date || (typeof value === 'number' && String(value) !== source),
  )
}

/** Follows an alias to what it stands for. */
export const resolveNode = (node: unknown, document: Document): unknown =>
  isAlias(node) ? node.resolve(document) : node

/** Gives the text of a scalar as it was written, quotes aside; undefined where it is none. */
export const textOf = (node: unknown): string | undefined =>
  isScalar(node) ? String(node.value ?? '') : undefined

/** Gives where a node lies in its block. */
export const rangeOf = (node: unknown): { at: number; end: number } => {
  const range = (node as Node | null)?.range
  return { at: range?.[0] ?? 0, end: range?.[1] ?? 0 }
}
