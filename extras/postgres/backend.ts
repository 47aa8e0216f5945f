import type { FindRequest, FoundPage, SearchBackend } from '../../src/search/read/open.ts'
import { chooseCorrections, listMisspelt, planQuery } from '../../src/search/query.ts'
import { QUERY_WORDS } from '../../src/search/synonyms.ts'
import type { Clause, Corrected, QueryPlan } from '../../src/search/query.ts'
import { readIntent } from '../../src/search/intent.ts'
import { canBeCompleted, packVocabulary } from '../../src/search/format/vocabulary.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { openDatabase } from './pool.ts'
import type { Ask } from './pool.ts'
import { SEARCH_SCHEMA, toDatabaseText } from './schema.ts'
import { browse, browsePage, rank, rankPage } from './sql.ts'
import { listProbes, listQueryTerms } from './terms.ts'
import { listNear, readVectors } from './vectors.ts'

/** A backend that holds connections. */
export interface PostgresBackend extends SearchBackend {
  readDigest(): Promise<string>
  close(): Promise<void>
}

const NEAR_WORDS = `
SELECT word FROM vocabulary WHERE pieces && $1::text[] UNION
SELECT word FROM vocabulary WHERE word = ANY($2::text[])`

const COUNT_HOLDERS = `
SELECT stem, count(*)::int AS skills
FROM (SELECT DISTINCT stem, skill FROM postings WHERE stem = ANY($1::text[])) AS pairs GROUP BY stem`

/** Writes the condition for words that start with a prefix. */
const beginsWith = (prefix: string): string =>
  `word >= ${prefix} COLLATE "C" AND word < ${prefix} || chr(1114111) COLLATE "C"`

const READ_FACTS = `
SELECT (SELECT version FROM vectors) AS version,
  (SELECT coalesce(json_object_agg(stem, skills), '{}') FROM (${COUNT_HOLDERS}) AS counts) AS holders,
  EXISTS (SELECT FROM vocabulary WHERE ${beginsWith('$2')}) AS "isPrefixed"`

/** What the tables contain about the words of a query. */
interface WordFacts {
  version: string
  /** Number of skills that contain each stem. */
  holders: Record<string, number>
  /** Whether some word starts with the last word of the query. */
  isPrefixed: boolean
}

const countHolders = async (ask: Ask, stems: readonly string[]): Promise<Map<string, number>> => {
  const rows = await ask<{ stem: string; skills: number }>(COUNT_HOLDERS, [stems])
  return new Map(rows.map(({ stem, skills }) => [stem, skills]))
}

/** Corrects words. Reads only the part of the vocabulary that contains all nearby words. */
const correct = async (ask: Ask, misspelt: readonly string[]): Promise<Corrected[]> => {
  const probes = misspelt.map(listProbes)
  const pieces = probes.flatMap((probe) => probe.pieces)
  if (pieces.length === 0) return []
  const swapped = probes.flatMap((probe) => probe.words)
  const near = await ask<{ word: string }>(NEAR_WORDS, [pieces, swapped])
  const vocabulary = packVocabulary(near.map(({ word }) => word))
  const corrections = misspelt.map((typed) => ({
    typed,
    words: vocabulary.correct(typed).map((word) => vocabulary.read(word)),
  }))
  const stems = corrections.flatMap(({ words }) => words.map(stemWord))
  const holders = await countHolders(ask, stems)
  return chooseCorrections(corrections, (word) => holders.get(stemWord(word)) ?? 0)
}

const listTypedStems = ({ clauses }: QueryPlan): string[] =>
  clauses.filter(({ typed }) => typed).map(({ stems: [stem = ''] }) => toDatabaseText(stem))

/** Reads plan, corrections, terms, intent and near skills of a query. */
const readQuery = async (ask: Ask, request: FindRequest) => {
  const { q = '' } = request
  const typed = planQuery(q, QUERY_WORDS)
  const { word = '' } = typed.clauses.find((clause) => clause.typed && clause.unfinished) ?? {}
  const prefix = canBeCompleted(word) ? toDatabaseText(word) : null
  const [facts] = await ask<WordFacts>(READ_FACTS, [listTypedStems(typed), prefix])
  const { version, isPrefixed } = facts!
  let holders = new Map(Object.entries(facts!.holders))
  const vectors = await readVectors(ask, version)
  const isKnown = ({ stems: [stem = ''], unfinished }: Clause): boolean =>
    holders.has(stem) || vectors.words.has(stem) || (unfinished && isPrefixed)
  const corrected = await correct(ask, listMisspelt(typed, isKnown))
  const plan = planQuery(q, QUERY_WORDS, corrected)
  if (corrected.length > 0) holders = await countHolders(ask, listTypedStems(plan))
  const intent = readIntent(
    plan,
    vectors.words,
    (stem) => holders.get(toDatabaseText(stem)) ?? 0,
    vectors.ids.length,
  )
  const near = listNear(intent, vectors)
  return { request, plan, corrected, terms: listQueryTerms(plan), intent, near }
}

const searchPage = async (ask: Ask, request: FindRequest): Promise<FoundPage> => {
  const query = await readQuery(ask, request)
  const { page, isFitting } = await rankPage(ask, query)
  return { ...page, corrected: isFitting ? query.corrected : [], plan: query.plan }
}

const isQuery = ({ q = '' }: FindRequest): boolean => q.trim() !== ''

const READ_DIGEST = 'SELECT digest FROM build'

/** Opens the search database, which `npm run search:sync` fills. */
export const openPostgres = (url: string, schema = SEARCH_SCHEMA): PostgresBackend => {
  const database = openDatabase(url, schema)
  return {
    find: (request) =>
      database.read(async (ask) =>
        isQuery(request) ? rank(ask, await readQuery(ask, request)) : browse(ask, request),
      ),
    findPage: (request) =>
      database.read((ask) =>
        isQuery(request) ? searchPage(ask, request) : browsePage(ask, request),
      ),
    readDigest: () =>
      database.read(
        async (ask) => (await ask<{ digest: string }>(READ_DIGEST, []))[0]?.digest ?? '',
      ),
    close: () => database.close(),
  }
}
