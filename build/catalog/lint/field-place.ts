import { isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml'
import { YAML_OPTIONS } from '../../../src/catalog/front-matter.ts'
import { rangeOf } from './field-values.ts'

/** Finds the next part of a field's path in a node: the value, or the item of a list. */
const findPart = (node: unknown, part: string): unknown => {
  if (isSeq(node)) return node.items[Number(part)]
  if (!isMap(node)) return undefined
  const isPart = (key: unknown): boolean => isScalar(key) && String(key.value) === part
  return node.items.filter(isPair).findLast(({ key }) => isPart(key))?.value
}

/**
 * Finds where a field such as `source.url` stands in JSON or YAML, which JSON is a part of; where it is
 * missing, what it is missing from.
 */
export const locateField = (text: string, field: string): { at: number; end: number } => {
  let node: unknown = parseDocument(text, YAML_OPTIONS).contents
  for (const part of field === '' ? [] : field.split('.')) {
    const next = findPart(node, part)
    if (next === undefined || next === null) break
    node = next
  }
  const { at, end } = rangeOf(node)
  // All of a record is no place to look at; its beginning is.
  return isScalar(node) ? { at, end } : { at, end: at }
}
