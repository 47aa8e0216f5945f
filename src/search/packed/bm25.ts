import { BM25 } from '../weights.ts'

const { saturation: K, lengthShare: B, lowest: D } = BM25

/** How rare a term is in a field. Every operation and their order are MiniSearch's: scores are equal to the bit. */
export const weighRarity = (total: number, matching: number): number =>
  Math.log(1 + (total - matching + 0.5) / (matching + 0.5))

/** What a field's length takes from a term's frequency; it depends on the length alone, so it is looked up. */
export const normLength = (length: number, average: number): number =>
  K * (1 - B + (B * length) / average)

/** How much of a field a term is, its rarity aside. */
export const saturate = (frequency: number, norm: number): number =>
  D + (frequency * (K + 1)) / (frequency + norm)

/** Gives what every length up to the longest of a field takes. */
export const tabulateNorms = (longest: number, average: number): Float64Array => {
  const norms = new Float64Array(longest + 1)
  for (let length = 0; length <= longest; length++) norms[length] = normLength(length, average)
  return norms
}
