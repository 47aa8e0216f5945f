import type { Corrected, FindRequest, FoundPage, SearchBackend } from '../../src/search/index.ts'
import { listMisspelt, planQuery } from '../../src/search/query.ts'
import { QUERY_WORDS } from '../../src/search/synonyms.ts'
import type { Clause, QueryPlan } from '../../src/search/query.ts'
import { RARE_BELOW } from '../../src/search/rank.ts'
import { isStart, packVocabulary } from '../../src/search/format/vocabulary.ts'
import type { Vocabulary } from '../../src/search/format/vocabulary.ts'
import {
  chooseNearest,
  chooseShown,
  findMeant,
  listUnknown,
  rankNearest,
  startOf,
  startOfStem,
} from '../../src/search/suggest.ts'
import type { Correction } from '../../src/search/suggest.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { openDatabase } from './pool.ts'
import type { Ask } from './pool.ts'
import { SEARCH_SCHEMA, toDatabaseText } from './schema.ts'
import { browse, browsePage, rank, rankPage } from './sql.ts'
import type { AnsweredWords, Rank } from './sql.ts'
import { addCorrections, listProbes, listQueryTerms } from './terms.ts'

/** A backend that holds connections. */
export interface PostgresBackend extends SearchBackend {
  close(): Promise<void>
}

const NEAR_WORDS = `
SELECT word FROM vocabulary WHERE pieces && $1::text[] UNION
SELECT word FROM vocabulary WHERE word = ANY($2::text[])`

/** Bit mask of the query words that match too few skills. */
const findRareWords = ({ wordCount }: QueryPlan, { answered }: AnsweredWords): number => {
  const count = (bit: number): number =>
    answered.reduce((sum, { answers, skills }) => sum + (answers & bit ? skills : 0), 0)
  const bits = Array.from({ length: wordCount }, (_, word) => 1 << word)
  return bits.filter((bit) => count(bit) < RARE_BELOW).reduce((sum, bit) => sum | bit, 0)
}

/** The part of the vocabulary that holds every word near to some misspelt ones. */
const openNearWords = async (ask: Ask, misspelt: readonly Clause[]): Promise<Vocabulary> => {
  const probes = misspelt.map(({ word = '' }) => listProbes(word))
  const pieces = probes.flatMap((one) => one.pieces)
  const words = probes.flatMap((one) => one.words)
  const near = pieces.length > 0 ? await ask<{ word: string }>(NEAR_WORDS, [pieces, words]) : []
  return packVocabulary(near.map(({ word }) => word))
}

/** A page of the skills that a query finds, and the corrections of words by which nothing was found. */
interface Searched<Page> {
  plan: QueryPlan
  page: Page
  corrections: (Correction & { clause: Clause })[]
}

const search = async <Page>(
  ask: Ask,
  request: FindRequest,
  rankBy: Rank<Page>,
): Promise<Searched<Page>> => {
  const plan = planQuery(request.q ?? '', QUERY_WORDS)
  const terms = listQueryTerms(plan)
  const typed = await rankBy(ask, request, plan.wordCount, terms)
  const misspelt = listMisspelt(plan, findRareWords(plan, typed))
  const near = await openNearWords(ask, misspelt)
  const corrected = addCorrections(terms, misspelt, near)
  // Without a correction the first answer is the last.
  if (corrected.members.length === 0) return { plan, page: typed, corrections: [] }
  const corrections = misspelt.map((clause) => {
    const { word = '' } = clause
    return { clause, typed: word, words: near.correct(word).words.map((one) => near.read(one)) }
  })
  return { plan, page: await rankBy(ask, request, plan.wordCount, corrected), corrections }
}

const COUNT_HOLDERS = `
SELECT stem, count(DISTINCT skill)::int AS skills FROM postings WHERE stem = ANY($1::text[]) GROUP BY stem`

const countSkillsWith = async (
  ask: Ask,
  stems: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await ask<{ stem: string; skills: number }>(COUNT_HOLDERS, [
    stems.map(toDatabaseText),
  ])
  return new Map(rows.map(({ stem, skills }) => [stem, skills]))
}

const LIST_STARTS = `
SELECT word FROM vocabulary
WHERE word >= $1 COLLATE "C" AND word < $1 || chr(1114111) COLLATE "C"`

const listStarts = async (ask: Ask, start: string): Promise<string[]> =>
  start === ''
    ? []
    : (await ask<{ word: string }>(LIST_STARTS, [toDatabaseText(start)])).map(({ word }) => word)

/** Reports the corrections of words that no skill has, not even as a prefix for the last word. */
const listCorrected = async (
  ask: Ask,
  corrections: Searched<unknown>['corrections'],
): Promise<Corrected[]> => {
  if (corrections.length === 0) return []
  const stems = corrections.flatMap(({ typed, words }) => [typed, ...words].map(stemWord))
  const holders = await countSkillsWith(ask, stems)
  const unknown: Correction[] = []
  for (const { clause, typed, words } of corrections) {
    const isHeld = clause.stems.every((stem) => holders.has(stem))
    const isBegun = clause.unfinished && isStart(typed) && (await listStarts(ask, typed)).length > 0
    if (!isHeld && !isBegun) unknown.push({ typed, words })
  }
  return chooseShown(unknown, (word) => holders.get(stemWord(word)) ?? 0)
}

const FIND_WORDS = 'SELECT word FROM vocabulary WHERE word = ANY($1::text[])'

/** Full words for corrections known only as stems. */
const listMeant = async (ask: Ask, { clauses }: QueryPlan): Promise<Corrected[]> => {
  const typed = clauses.filter((clause) => clause.typed)
  const words = typed.map(({ word = '' }) => toDatabaseText(word))
  const known = new Set((await ask<{ word: string }>(FIND_WORDS, [words])).map(({ word }) => word))
  const meant: Corrected[] = []
  for (const { word = '', stems, unfinished } of typed) {
    if (known.has(word)) continue
    if (unfinished && isStart(word) && (await listStarts(ask, word)).length > 0) continue
    const found = findMeant(word, await listStarts(ask, startOfStem(stems[0] ?? '')))
    if (found !== undefined) meant.push([word, found])
  }
  return meant
}

const searchPage = async (ask: Ask, request: FindRequest): Promise<FoundPage> => {
  const { plan, page, corrections } = await search(ask, request, rankPage)
  const { rows, total, categoryCounts } = page
  const corrected = [...(await listCorrected(ask, corrections)), ...(await listMeant(ask, plan))]
  return { rows, total, categoryCounts, corrected, plan }
}

const suggest = async (ask: Ask, q: string): Promise<string[]> => {
  const plan = planQuery(q, QUERY_WORDS)
  const holders = await countSkillsWith(
    ask,
    plan.clauses.flatMap(({ stems }) => stems),
  )
  const unknown = []
  for (const typed of listUnknown(plan, (stem) => holders.has(stem)))
    unknown.push({ typed, words: await listStarts(ask, startOf(typed)) })
  const near = chooseNearest(unknown)
  const stems = near.map(({ word }) => stemWord(word))
  const nearHolders = await countSkillsWith(ask, stems)
  return rankNearest(near, (word) => nearHolders.get(stemWord(word)) ?? 0)
}

const isQuery = ({ q = '' }: FindRequest): boolean => q.trim() !== ''

/** Opens the search database that `npm run search:sync` wrote. */
export const openPostgres = (url: string, schema = SEARCH_SCHEMA): PostgresBackend => {
  const database = openDatabase(url, schema)
  return {
    find: (request) =>
      database.read(async (ask) => {
        if (!isQuery(request)) return browse(ask, request)
        const { skills, total } = (await search(ask, request, rank)).page
        return { skills, total }
      }),
    findPage: (request) =>
      database.read((ask) =>
        isQuery(request) ? searchPage(ask, request) : browsePage(ask, request),
      ),
    suggestWords: (q) => database.read((ask) => suggest(ask, q)),
    close: () => database.close(),
  }
}
