import type { Intent } from '../../src/search/intent.ts'
import { joinScores } from '../../src/search/rank.ts'
import { readVectorFile } from '../../src/search/vector-file.ts'
import { VECTOR_SIZE, WordVectors, findNearness } from '../../src/search/vectors.ts'
import type { Ask } from './pool.ts'

/** All vectors in the tables, and their version. */
interface Vectors {
  version: string
  words: WordVectors
  ids: number[]
  /** The vectors of the skills, in the order of `ids`. */
  numbers: Int8Array
}

/** The skills that are near enough to a query for a higher score. */
export interface NearSkills {
  ids: number[]
  /** How much nearness adds to the score of each skill. */
  gains: number[]
  /** The least gain of a result that contains none of the query words. */
  alone: number
  /** The greatest nearness of all skills. */
  nearest: number
}

const READ_VECTORS = `
SELECT words,
  (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM skills) AS ids,
  (SELECT coalesce(string_agg(vector, '' ORDER BY id), '') FROM skills) AS numbers
FROM vectors`

let latest: Vectors | undefined

/** Reads the vectors of a version. The vectors last read stay in memory. */
export const readVectors = async (ask: Ask, version: string): Promise<Vectors> => {
  if (latest?.version === version) return latest
  const [row] = await ask<{ words: Buffer; ids: number[]; numbers: Buffer }>(READ_VECTORS, [])
  const { words, ids, numbers } = row!
  const { sections } = readVectorFile(words)
  latest = { version, words: new WordVectors(sections), ids, numbers: Int8Array.from(numbers) }
  return latest
}

/** Lists the skills whose vectors are near to the vector of a query. */
export const listNear = ({ meaning }: Intent, { ids, numbers }: Vectors): NearSkills => {
  const near: NearSkills = { ids: [], gains: [], alone: 0, nearest: 0 }
  if (!meaning) return near
  const { vector, share, fit } = meaning
  near.alone = joinScores(0, fit.alone)
  ids.forEach((id, at) => {
    const nearness = share * findNearness(vector, numbers, at * VECTOR_SIZE)
    near.nearest = Math.max(near.nearest, nearness)
    const gain = joinScores(0, nearness)
    if (gain === 0) return
    near.ids.push(id)
    near.gains.push(gain)
  })
  return near
}
