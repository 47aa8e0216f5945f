/** Measures of the answer to a query, or their averages over many queries. */
export interface Measures {
  ndcg: number
  mrr: number
  /** 1 if one of the first ten has the best grade. */
  wanted: number
  zero: number
  total: number
}

const DEPTH = 10

// The exponential gain, one of the two usual formulas. With it, MiniSearch's defaults score .62.
const sumDiscounted = (grades: readonly number[]): number =>
  grades
    .slice(0, DEPTH)
    .reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0)

/** Measures one answer from its first keys in rank order, the total number of results, and the judged grades. */
export const measureAnswer = (
  keys: readonly string[],
  total: number,
  grades: ReadonlyMap<string, number>,
): Measures => {
  const found = keys.map((key) => grades.get(key) ?? 0)
  const ideal = [...grades.values()].sort((a, b) => b - a)
  const first = found.slice(0, DEPTH).findIndex((grade) => grade > 0)
  return {
    ndcg: sumDiscounted(found) / sumDiscounted(ideal),
    mrr: first === -1 ? 0 : 1 / (first + 1),
    wanted: Number(found.slice(0, DEPTH).includes(ideal[0] ?? 0)),
    zero: total === 0 ? 1 : 0,
    total,
  }
}

export const averageMeasures = (rows: readonly Measures[]): Measures => {
  const mean = (read: (row: Measures) => number): number =>
    rows.reduce((sum, row) => sum + read(row), 0) / rows.length
  return {
    ndcg: mean((row) => row.ndcg),
    mrr: mean((row) => row.mrr),
    wanted: mean((row) => row.wanted),
    zero: mean((row) => row.zero),
    total: mean((row) => row.total),
  }
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
