import type { Corrected, FindRequest, FoundPage, SearchBackend } from '../../src/search/index.ts'
import { listMisspelt, planQuery } from '../../src/search/query.ts'
import { QUERY_WORDS } from '../../src/search/synonyms.ts'
import type { Clause } from '../../src/search/query.ts'
import { readIntent } from '../../src/search/intent.ts'
import { canBeCompleted, packVocabulary } from '../../src/search/format/vocabulary.ts'
import { chooseShown } from '../../src/search/correction.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { openDatabase } from './pool.ts'
import type { Ask } from './pool.ts'
import { SEARCH_SCHEMA, toDatabaseText } from './schema.ts'
import { browse, browsePage, rank, rankPage } from './sql.ts'
import { listProbes, listQueryTerms } from './terms.ts'
import type { CorrectedClause } from './terms.ts'
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

/** Corrects words. Reads only the part of the vocabulary that contains all nearby words. */
const correct = async (ask: Ask, misspelt: readonly Clause[]): Promise<CorrectedClause[]> => {
  const probes = misspelt.map(({ word = '' }) => listProbes(word))
  const pieces = probes.flatMap((probe) => probe.pieces)
  if (pieces.length === 0) return []
  const swapped = probes.flatMap((probe) => probe.words)
  const near = await ask<{ word: string }>(NEAR_WORDS, [pieces, swapped])
  const vocabulary = packVocabulary(near.map(({ word }) => word))
  return misspelt.map((clause) => {
    const { word: typed = '' } = clause
    const { words, distance } = vocabulary.correct(typed)
    return { clause, typed, words: words.map((word) => vocabulary.read(word)), distance }
  })
}

/** Reads plan, terms, intent and near skills of a query. */
const readQuery = async (ask: Ask, request: FindRequest) => {
  const plan = planQuery(request.q ?? '', QUERY_WORDS)
  const typed = plan.clauses.filter((clause) => clause.typed)
  const stems = typed.map((clause) => toDatabaseText(clause.stems[0] ?? ''))
  const { word = '' } = typed.find(({ unfinished }) => unfinished) ?? {}
  const prefix = canBeCompleted(word) ? toDatabaseText(word) : null
  const [facts] = await ask<WordFacts>(READ_FACTS, [stems, prefix])
  const { version, isPrefixed } = facts!
  const holders = new Map(Object.entries(facts!.holders))
  const vectors = await readVectors(ask, version)
  const isKnown = ({ stems: [stem = ''], unfinished }: Clause): boolean =>
    holders.has(stem) || vectors.words.has(stem) || (unfinished && isPrefixed)
  const corrections = await correct(ask, listMisspelt(plan, isKnown))
  const terms = listQueryTerms(plan, corrections)
  const countHolders = (stem: string): number => holders.get(stem) ?? 0
  const intent = readIntent(plan, vectors.words, countHolders, vectors.ids.length)
  const near = listNear(intent, vectors)
  return { request, plan, corrections, terms, intent, near }
}

type ReadQuery = Awaited<ReturnType<typeof readQuery>>

const listCorrected = async (ask: Ask, { corrections }: ReadQuery): Promise<Corrected[]> => {
  if (corrections.length === 0) return []
  const stems = corrections.flatMap(({ words }) => words.map(stemWord)).map(toDatabaseText)
  const rows = await ask<{ stem: string; skills: number }>(COUNT_HOLDERS, [stems])
  const holders = new Map(rows.map(({ stem, skills }) => [stem, skills]))
  return chooseShown(corrections, (word) => holders.get(toDatabaseText(stemWord(word))) ?? 0)
}

const searchPage = async (ask: Ask, request: FindRequest): Promise<FoundPage> => {
  const query = await readQuery(ask, request)
  const { page, isFitting } = await rankPage(ask, query)
  const corrected = isFitting ? await listCorrected(ask, query) : []
  return { ...page, corrected, plan: query.plan }
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
