import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { VECTOR_SIZE } from '../../src/search/vectors.ts'
import { factorize, findEigenvectors } from './factorize.ts'
import { learnVectors } from './learn.ts'

/** Skills of many authors, each about one of forty subjects with six words each. */
const ROWS = Array.from({ length: 2_000 }, (_, at) => {
  const word = (place: number): string => `subject${at % 40}w${place % 6}`
  const round = Math.floor(at / 40)
  const description = `${word(round)} ${word(round + 1)} ${word(round * 5 + 3)} unique${at}`
  return { name: word(round + 2), author: `author-${at % 91}`, description }
})

const dot = (x: Float64Array, y: Float64Array): number =>
  x.reduce((sum, one, at) => sum + one * y[at]!, 0)

const nearnessIn = ({ words, vectors }: ReturnType<typeof learnVectors>, a: string, b: string) => {
  const [one, other] = [a, b].map((word) => {
    const from = words.indexOf(word) * VECTOR_SIZE
    return vectors.subarray(from, from + VECTOR_SIZE)
  })
  return dot(one!, other!) / Math.sqrt(dot(one!, one!) * dot(other!, other!))
}

const learned = learnVectors(ROWS)

test('words that stand together are near, others are not', () => {
  expect(nearnessIn(learned, 'subject1w0', 'subject1w3')).toBeGreaterThan(0.5)
  expect(nearnessIn(learned, 'subject1w0', 'subject2w0')).toBeLessThan(0.2)
})

test('the same rows give the same numbers', () => {
  expect(learnVectors(structuredClone(ROWS))).toEqual(learned)
})

test('a word of fewer than twenty authors is not learned, however often they use it', () => {
  const own = Array.from({ length: 200 }, (_, at) => ({
    name: 'trademark',
    author: `author-${at % 19}`,
    description: `subject1w0 subject2w0 ${at}`,
  }))
  const { words } = learnVectors([...ROWS, ...own])
  expect(words).toContain('subject1w0')
  expect(words).not.toContain('trademark')
})

test('the same text again teaches nothing', () => {
  const { skills } = learnVectors([...ROWS, ...ROWS])
  expect(skills).toBe(ROWS.length)
})

const multiply = (a: Float64Array, b: Float64Array, size: number): Float64Array =>
  Float64Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size]
    return Array.from(
      { length: size },
      (__, k) => a[row * size + k]! * b[k * size + column]!,
    ).reduce((sum, one) => sum + one, 0)
  })

test('eigenvectors of any symmetric matrix are orthonormal and give it back', () => {
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
      multiply(scaled, transposed, size).forEach((one, at) =>
        expect(one).toBeCloseTo(matrix[at]!, 6),
      )
      multiply(transposed, vectors, size).forEach((one, at) =>
        expect(one).toBeCloseTo(at % (size + 1) === 0 ? 1 : 0, 6),
      )
    }),
  )
})

test('the strongest directions of a matrix of few directions give it back', () => {
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
  // What the directions do not hold of a row of the matrix.
  for (const row of all) {
    const rest = Float64Array.from(all, (column) => valueOf(row, column))
    for (let k = 0; k < 3; k++) {
      const share = rest.reduce((sum, one, at) => sum + one * basis[at * 3 + k]!, 0)
      rest.forEach((one, at) => (rest[at] = one - share * basis[at * 3 + k]!))
    }
    expect(Math.max(...rest.map(Math.abs))).toBeLessThan(1e-4)
  }
})
