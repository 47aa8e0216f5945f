import type { FindRequest, Found, SearchBackend } from '../../src/search/index.ts'
import { listMisspelt, planQuery } from '../../src/search/query.ts'
import type { Clause, QueryPlan } from '../../src/search/query.ts'
import { RARE } from '../../src/search/rank.ts'
import { Vocabulary } from '../../src/search/read/vocabulary.ts'
import { openDatabase } from './pool.ts'
import type { Ask } from './pool.ts'
import { SEARCH_SCHEMA } from './schema.ts'
import { browse, rank } from './sql.ts'
import type { Ranked } from './sql.ts'
import { addCorrections, listProbes, listQueryTerms } from './terms.ts'

/** A backend that holds connections. */
export interface PostgresBackend extends SearchBackend {
  close(): Promise<void>
}

const NEAR_WORDS = `
SELECT word FROM vocabulary WHERE pieces && $1::text[] UNION
SELECT word FROM vocabulary WHERE word = ANY($2::text[])`

/** The words of the query, one bit each, that too few skills answer. */
const findRareWords = ({ wordCount }: QueryPlan, { answered }: Ranked): number => {
  const count = (bit: number): number =>
    answered.reduce((sum, { answers, skills }) => sum + (answers & bit ? skills : 0), 0)
  const bits = Array.from({ length: wordCount }, (_, word) => 1 << word)
  return bits.filter((bit) => count(bit) < RARE).reduce((sum, bit) => sum | bit, 0)
}

/** The part of the vocabulary that holds every word near to some misspelt ones. */
const openNearWords = async (ask: Ask, misspelt: readonly Clause[]): Promise<Vocabulary> => {
  const probes = misspelt.map(({ word = '' }) => listProbes(word))
  const pieces = probes.flatMap((one) => one.pieces)
  const words = probes.flatMap((one) => one.words)
  const near = pieces.length > 0 ? await ask<{ word: string }>(NEAR_WORDS, [pieces, words]) : []
  return Vocabulary.of(near.map(({ word }) => word))
}

const toFound = ({ skills, total }: Ranked): Found => ({ skills, total })

const search = async (ask: Ask, request: FindRequest): Promise<Found> => {
  const plan = planQuery(request.q ?? '')
  const terms = listQueryTerms(plan)
  const typed = await rank(ask, request, plan.wordCount, terms)
  const misspelt = listMisspelt(plan, findRareWords(plan, typed))
  const corrected = addCorrections(terms, misspelt, await openNearWords(ask, misspelt))
  // Without a correction the first answer is the last.
  if (corrected.members.length === 0) return toFound(typed)
  return toFound(await rank(ask, request, plan.wordCount, corrected))
}

/** Opens the search that `npm run search:sync` wrote into a PostgreSQL database. */
export const openPostgres = (url: string, schema = SEARCH_SCHEMA): PostgresBackend => {
  const database = openDatabase(url, schema)
  return {
    find: (request) => {
      const isQuery = (request.q ?? '').trim() !== ''
      return database.read((ask) => (isQuery ? search(ask, request) : browse(ask, request)))
    },
    close: () => database.close(),
  }
}
