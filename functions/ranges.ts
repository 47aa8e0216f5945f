/** A part of a file, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

const rangeFrom = (first: number, last: number, size: number): ByteRange | 'unsatisfiable' =>
  first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable'

/**
 * Parses a Range header against the size of a file (RFC 9110 14.1.2). Undefined where the whole
 * file is the answer: no range, several, another unit, a malformed one, or an empty file.
 */
export const parseRange = (
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const [, set] = /^bytes=(.*)$/is.exec(header ?? '') ?? []
  const specs = (set ?? '').split(',').map((spec) => spec.trim())
  const [only = '', ...others] = specs.filter((spec) => spec !== '')
  const [, first, last] = /^([0-9]*)-([0-9]*)$/.exec(only) ?? []
  if (first === undefined || last === undefined || others.length > 0 || size === 0) return undefined
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { first: size - length, last: size - 1 } : 'unsatisfiable'
  }
  if (last === '') return rangeFrom(Number(first), size - 1, size)
  // A range that ends before it begins is malformed, not unsatisfiable.
  return Number(last) < Number(first) ? undefined : rangeFrom(Number(first), Number(last), size)
}
