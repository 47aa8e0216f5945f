/** A sparse symmetric matrix: the columns of each row that are not 0, and their values. */
export interface SparseMatrix {
  columns: readonly Int32Array[]
  values: readonly Float32Array[]
}

/** Makes a generator of random 32-bit numbers, which are the same for the same seed (mulberry32). */
export const openBits = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Makes a generator of normally distributed random numbers, which are the same in each run (Box and Muller). */
const openNormal = (): (() => number) => {
  const draw = openBits(1)
  const drawUniform = (): number => (draw() + 1) / (2 ** 32 + 1)
  return () => Math.sqrt(-2 * Math.log(drawUniform())) * Math.cos(2 * Math.PI * drawUniform())
}

/** Multiplies a sparse matrix by a matrix whose rows have `width` numbers. */
const multiply = ({ columns, values }: SparseMatrix, by: Float64Array, width: number) => {
  const product = new Float64Array(columns.length * width)
  columns.forEach((rowColumns, row) => {
    const to = row * width
    rowColumns.forEach((column, place) => {
      const value = values[row]![place]!
      const from = column * width
      for (let at = 0; at < width; at++) product[to + at]! += value * by[from + at]!
    })
  })
  return product
}

/** Returns the inner products of all columns of two matrices whose rows have `width` numbers. */
const multiplyColumns = (a: Float64Array, b: Float64Array, width: number): Float64Array => {
  const products = new Float64Array(width * width)
  for (let row = 0; row < a.length; row += width)
    for (let i = 0; i < width; i++) {
      const factor = a[row + i]!
      for (let j = 0; j < width; j++) products[i * width + j]! += factor * b[row + j]!
    }
  return products
}

/** Multiplies a matrix by a square matrix. */
const multiplyRows = (matrix: Float64Array, square: Float64Array, width: number): Float64Array => {
  const product = new Float64Array(matrix.length)
  for (let row = 0; row < matrix.length; row += width)
    for (let i = 0; i < width; i++) {
      const factor = matrix[row + i]!
      for (let j = 0; j < width; j++) product[row + j]! += factor * square[i * width + j]!
    }
  return product
}

/** Values below this share of the total, or of the largest, count as 0. */
const NEGLIGIBLE = 1e-20

/** Rotates rows and columns `p` and `q` of a symmetric matrix so that their common entry becomes 0. */
const rotate = (matrix: Float64Array, turned: Float64Array, size: number, p: number, q: number) => {
  const shared = matrix[p * size + q]!
  if (shared === 0) return
  const theta = (matrix[q * size + q]! - matrix[p * size + p]!) / (2 * shared)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  const turn = (numbers: Float64Array, i: number, j: number): void => {
    const [first, second] = [numbers[i]!, numbers[j]!]
    numbers[i] = cosine * first - sine * second
    numbers[j] = sine * first + cosine * second
  }
  for (let at = 0; at < size; at++) turn(matrix, at * size + p, at * size + q)
  for (let at = 0; at < size; at++) turn(matrix, p * size + at, q * size + at)
  for (let at = 0; at < size; at++) turn(turned, at * size + p, at * size + q)
}

/** Returns the eigenvalues of a small symmetric matrix, and its eigenvectors as columns (Jacobi's method). */
export const findEigenvectors = (symmetric: Float64Array, size: number) => {
  const matrix = symmetric.slice()
  const vectors = new Float64Array(size * size)
  for (let at = 0; at < size; at++) vectors[at * size + at] = 1
  const total = matrix.reduce((sum, value) => sum + value ** 2, 0)
  const isDiagonal = (): boolean => {
    let rest = 0
    for (let p = 0; p < size; p++) for (let q = 0; q < p; q++) rest += matrix[p * size + q]! ** 2
    return rest <= NEGLIGIBLE * total
  }
  while (!isDiagonal())
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q)
  const values = Float64Array.from({ length: size }, (_, at) => matrix[at * size + at]!)
  return { values, vectors }
}

/** Makes the columns of a matrix orthonormal with the eigenvectors of their products; dependent columns become 0. */
const orthonormalize = (matrix: Float64Array, width: number): Float64Array => {
  const { values, vectors } = findEigenvectors(multiplyColumns(matrix, matrix, width), width)
  const least = NEGLIGIBLE * values.reduce((most, value) => Math.max(most, value), 0)
  const scaled = vectors.map((number, at) => {
    const value = values[at % width]!
    return value > least ? number / Math.sqrt(value) : 0
  })
  return multiplyRows(matrix, scaled, width)
}

/** The number of extra directions, and of rounds. Higher numbers change no digit of the result. */
const [SPARE, ROUNDS] = [16, 6]

/**
 * Finds the `size` strongest directions of a symmetric matrix by randomized subspace iteration. Returns `size` numbers
 * for each row of the matrix. Columns are orthonormal. The same matrix gives the same numbers.
 */
export const factorize = (matrix: SparseMatrix, size: number): Float64Array => {
  const rows = matrix.columns.length
  const width = size + SPARE
  let basis: Float64Array = Float64Array.from({ length: rows * width }, openNormal())
  for (let round = 0; round < ROUNDS; round++) {
    // Twice, because nearly equal columns lose digits in the first pass.
    basis = orthonormalize(orthonormalize(basis, width), width)
    basis = multiply(matrix, basis, width)
  }
  basis = orthonormalize(orthonormalize(basis, width), width)
  const projected = multiplyColumns(basis, multiply(matrix, basis, width), width)
  const { values, vectors } = findEigenvectors(projected, width)
  const strongest = [...values.keys()]
    .sort((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!))
    .slice(0, size)
  const directions = multiplyRows(basis, vectors, width)
  return Float64Array.from(
    { length: rows * size },
    (_, at) => directions[Math.floor(at / size) * width + strongest[at % size]!]!,
  )
}
