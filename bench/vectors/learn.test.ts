import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { VECTOR_SIZE } from '../../src/search/vectors.ts'
import { factorize, findEigenvectors } from './factorize.ts'
import { learnVectors } from './learn.ts'

/** Skills by many authors. Each is about one of 40 subjects, and a subject has six words. */
const ROWS = Array.from({ length: 2_000 }, (_, at) => {
  const word = (place: number): string => `subject${at % 40}w${place % 6}`
  const round = Math.floor(at / 40)
  const description = `${word(round)} ${word(round + 1)} ${word(round * 5 + 3)} unique${at}`
  return { name: word(round + 2), author: `author-${at % 91}`, description }
})

const dot = (x: Float64Array, y: Float64Array): number =>
  x.reduce((sum, number, at) => sum + number * y[at]!, 0)

const nearnessIn = ({ words, vectors }: ReturnType<typeof learnVectors>, a: string, b: string) => {
  const [x, y] = [a, b].map((word) => {
    const from = words.indexOf(word) * VECTOR_SIZE
    return vectors.subarray(from, from + VECTOR_SIZE)
  })
  return dot(x!, y!) / Math.sqrt(dot(x!, x!) * dot(y!, y!))
}

/** Skills of fewer than twenty authors, all with a word that no others have. */
const TRADEMARK = Array.from({ length: 200 }, (_, at) => ({
  name: 'trademark',
  author: `author-${at % 19}`,
  description: `subject1w0 subject2w0 ${at}`,
}))

const learned = learnVectors([...ROWS, ...TRADEMARK])

test('words of the same subject are near, words of different subjects are not', () => {
  expect(nearnessIn(learned, 'subject1w0', 'subject1w3')).toBeGreaterThan(0.5)
  expect(nearnessIn(learned, 'subject1w0', 'subject2w0')).toBeLessThan(0.2)
})

test('a word used by fewer than twenty authors is not learned, however often they use it', () => {
  expect(learned.words).toContain('subject1w0')
  expect(learned.words).not.toContain('trademark')
})

test('the same rows give the same numbers, and repeated texts count once', () => {
  expect(learnVectors([...structuredClone(ROWS), ...TRADEMARK, ...ROWS])).toEqual(learned)
})

const multiply = (a: Float64Array, b: Float64Array, size: number): Float64Array =>
  Float64Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size]
    return Array.from(
      { length: size },
      (__, k) => a[row * size + k]! * b[k * size + column]!,
    ).reduce((sum, product) => sum + product, 0)
  })

test('any symmetric matrix equals the product of its eigenvectors and eigenvalues', () => {
  const size = 5
  const numbers = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), {
    minLength: size * size,
    maxLength: size * size,
  })
  fc.assert(
    fc.property(numbers, (given) => {
      const matrix = Float64Array.from(given, (number, at) => {
        const [row, column] = [Math.floor(at / size), at % size]
        return row <= column ? number : given[column * size + row]!
      })
      const { values, vectors } = findEigenvectors(matrix, size)
      const scaled = vectors.map((number, at) => number * values[at % size]!)
      const transposed = vectors.map(
        (_, at) => vectors[(at % size) * size + Math.floor(at / size)]!,
      )
      multiply(scaled, transposed, size).forEach((number, at) =>
        expect(number).toBeCloseTo(matrix[at]!, 6),
      )
      // The eigenvectors are orthonormal.
      multiply(transposed, vectors, size).forEach((number, at) =>
        expect(number).toBeCloseTo(at % (size + 1) === 0 ? 1 : 0, 6),
      )
    }),
  )
})

test('the three strongest directions of a matrix of rank 3 span its rows', () => {
  const rows = 40
  const parts = [0, 1, 2].map((part) =>
    Float64Array.from({ length: rows }, (_, at) => Math.sin((at + 1) * (part + 1) * 1.3)),
  )
  const valueOf = (row: number, column: number): number =>
    parts.reduce((sum, part, at) => sum + (3 - at) * part[row]! * part[column]!, 0)
  const all = Int32Array.from({ length: rows }, (_, at) => at)
  const matrix = {
    columns: Array.from(all, () => all),
    values: Array.from(all, (row) => Float32Array.from(all, (column) => valueOf(row, column))),
  }
  const basis = factorize(matrix, 3)
  // Subtracts the three directions from each row; nothing may be left.
  for (const row of all) {
    const rest = Float64Array.from(all, (column) => valueOf(row, column))
    for (let k = 0; k < 3; k++) {
      const share = rest.reduce((sum, number, at) => sum + number * basis[at * 3 + k]!, 0)
      rest.forEach((number, at) => (rest[at] = number - share * basis[at * 3 + k]!))
    }
    expect(Math.max(...rest.map(Math.abs))).toBeLessThan(1e-4)
  }
})
