import MiniSearch from 'minisearch'
import type { AsPlainObject, SearchOptions } from 'minisearch'
import { SORTS } from '../../src/catalog/browse.ts'
import type { Sort, Sortable } from '../../src/catalog/browse.ts'
import { FACET_VALUES, bitsLeftOut } from '../../src/catalog/facets.ts'
import type { Copies } from '../../src/catalog/references.ts'
import type { ListedSkill, SkillCard } from '../../src/catalog/skill.ts'
import { makeCard } from '../../src/search/format/documents.ts'
import type { Filter, FindRequest, Found, FoundPage } from '../../src/search/read/open.ts'
import type { CardRow } from '../../src/search/format/documents.ts'
import { NAMED, readIdentifier, readNameKeys } from '../../src/search/format/names.ts'
import { indexSkills } from '../../src/search/pack/gather.ts'
import { chooseCorrections, listMisspelt, planQuery } from '../../src/search/query.ts'
import type { Clause } from '../../src/search/query.ts'
import { NEAREST_SHOWN, NO_COUNTS } from '../../src/search/read/open.ts'
import { QUERY_WORDS } from '../../src/search/synonyms.ts'
import { isAnswered, readIntent } from '../../src/search/intent.ts'
import {
  SINGLE_AUTHOR,
  FIELDS,
  FIELD_NAMES,
  LOW_RANK_FACTOR,
  AHEAD,
  joinScores,
} from '../../src/search/rank.ts'
import type { SearchDocument } from '../../src/search/rank.ts'
import { openShippedVectors } from '../../src/search/vector-file.ts'
import { findNearness } from '../../src/search/vectors.ts'
import { stemWord } from '../../src/search/tokens.ts'
import { scoreQuery } from './score.ts'
import type { TermScores } from './score.ts'
import { openVocabulary } from './vocabulary.ts'

/** A search with MiniSearch. It defines the ranking: the index file must give the same answers. */
interface Oracle {
  find: (request: FindRequest) => Found
  findPage: (request: FindRequest) => FoundPage
  /** Returns the score of every skill that matches a query, by id. */
  scoreAll: (q: string) => Map<number, number>
}

const SEARCH: SearchOptions = {
  tokenize: (term) => [term],
  processTerm: (term) => term,
  boost: Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].boost])),
}

/** A skill with everything that the oracle returns or sorts by. */
interface Ranked {
  listed: ListedSkill
  order: Sortable
  facets: number
  card: SkillCard
  vector: number[]
}

interface OracleFile {
  skills: Ranked[]
  copies: Copies
  words: string[]
  terms: AsPlainObject
}

/** Builds the index of some skills, as text. */
export const serializeOracle = (
  documents: readonly SearchDocument[],
  copies: Copies = {},
): string => {
  const sorted = documents.toSorted((a, b) => a.listed.id - b.listed.id)
  const termOf = new Map<string, string>()
  const terms = indexSkills(sorted, FIELD_NAMES, termOf)
  const file: OracleFile = {
    copies,
    skills: sorted.map((document) => ({
      listed: document.listed,
      order: { ...document.listed, updated: document.updated },
      facets: document.facets,
      card: makeCard(document),
      vector: [...document.vector],
    })),
    words: [...termOf.keys()].sort(),
    terms,
  }
  return JSON.stringify(file)
}

/** Makes a function that finds skills by name or slug: how certain each match is, by ordinal. */
const openNames = (listed: readonly ListedSkill[]) => {
  const names = listed.map(({ name }) => name)
  const byLetters = Map.groupBy(names.keys(), (at) => readNameKeys(names[at]!).letters)
  const bySpelling = Map.groupBy(names.keys(), (at) => readNameKeys(names[at]!).spelling)
  return (q: string): Map<number, number> => {
    const { letters, spelling } = readNameKeys(q)
    const named = new Map<number, number>()
    if (spelling !== '')
      for (const ordinal of bySpelling.get(spelling) ?? [])
        named.set(ordinal, NAMED.otherwiseSpelled)
    for (const ordinal of byLetters.get(letters) ?? []) named.set(ordinal, NAMED.letterForLetter)
    const { slug: wanted, author: by } = readIdentifier(q)
    listed.forEach(({ slug, author }, ordinal) => {
      if (slug === wanted && (by === undefined || by === author.toLowerCase()))
        named.set(ordinal, NAMED.bySlug)
    })
    return named
  }
}

const isWanted = (
  { categories, facets = {}, author, team }: Filter,
  { listed, card, facets: own }: Ranked,
): boolean =>
  (categories.length === 0 || categories.includes(listed.category)) &&
  (author === undefined || listed.author.toLowerCase() === author.toLowerCase()) &&
  (team === undefined || card.team === team) &&
  (own & bitsLeftOut(facets)) === 0

/** A skill that a query found. */
interface Result {
  skill: Ranked
  certainty: number
  score: number
}

const compareResults = (a: Result, b: Result): number =>
  b.certainty - a.certainty || b.score - a.score || SORTS.popular(a.skill.order, b.skill.order)

/**
 * Sorts by score; without scores, in the requested order. If the first results are all by one author, lowers that
 * author's other scores and sorts again.
 */
const sortResults = (results: readonly Result[], sort: Sort): Result[] => {
  if (results.every(({ certainty, score }) => certainty === 0 && score === 0))
    return results.toSorted((a, b) => SORTS[sort](a.skill.order, b.skill.order))
  const sorted = results.toSorted(compareResults)
  const scored = sorted.filter(({ certainty }) => certainty === NAMED.not)
  const first = scored.slice(0, SINGLE_AUTHOR.results)
  const [author, ...more] = new Set(first.map(({ skill }) => skill.listed.author.toLowerCase()))
  if (first.length < SINGLE_AUTHOR.results || more.length > 0) return sorted
  const lower = ({ skill, certainty, score }: Result): Result => ({
    skill,
    certainty,
    score: skill.listed.author.toLowerCase() === author ? score * SINGLE_AUTHOR.factor : score,
  })
  const others = scored.slice(SINGLE_AUTHOR.unchanged).map(lower)
  return [
    ...sorted.filter((one) => !scored.includes(one)),
    ...first.slice(0, SINGLE_AUTHOR.unchanged),
    ...others,
  ].sort(compareResults)
}

/** Raises each result above the results that must come after it; `aheadOf` returns the skill before another. */
const raise = (
  results: readonly Result[],
  aheadOf: (behind: Result) => Ranked | undefined,
  factor: number,
): Result[] => {
  const behind = Map.groupBy(results, aheadOf)
  return results.map((result) => {
    const { skill } = result
    const raised = (behind.get(skill) ?? []).map(({ certainty, score }) => {
      return { skill, certainty, score: score * factor }
    })
    return [result, ...raised].sort(compareResults)[0]!
  })
}

/** Opens a text made by `serializeOracle`. */
export const openOracle = (text: string): Oracle => {
  const { skills, copies, words, terms } = JSON.parse(text) as OracleFile
  const index = MiniSearch.loadJS(terms, { fields: FIELD_NAMES })
  const ordinals = new Map(skills.map(({ listed }, ordinal) => [listed.id, ordinal]))
  const match = (stem: string): TermScores =>
    new Map(index.search(stem, SEARCH).map(({ id, score }) => [ordinals.get(id as number)!, score]))
  const vocabulary = openVocabulary(words)
  const bySlug = new Map(skills.map((skill) => [skill.listed.slug, skill]))
  // Skills are sorted by id, so the last entry of a name is that of its eldest skill.
  const eldest = new Map(
    skills
      .filter(({ card }) => card.tokens !== undefined && !card.deprecated)
      .toReversed()
      .map((skill) => [readNameKeys(skill.listed.name).key, skill]),
  )
  const vectors = skills.map(({ vector }) => Int8Array.from(vector))
  const findNamed = openNames(skills.map(({ listed }) => listed))

  const isKnown = ({ stems: [stem = ''], word = '', unfinished }: Clause): boolean =>
    match(stem).size > 0 ||
    openShippedVectors().has(stem) ||
    (unfinished && vocabulary.complete(word).length > 0)
  const plan = (q: string): Pick<FoundPage, 'plan' | 'corrected'> => {
    const misspelt = listMisspelt(planQuery(q, QUERY_WORDS), isKnown)
    const corrections = misspelt.map((typed) => ({ typed, words: vocabulary.correct(typed) }))
    const corrected = chooseCorrections(corrections, (word) => match(stemWord(word)).size)
    return { plan: planQuery(q, QUERY_WORDS, corrected), corrected }
  }
  const score = (q: string) => scoreQuery(plan(q).plan, match, vocabulary)

  /** Joins the scores of words with the nearness of vectors, and decides whether any skill fits. */
  const scoreByIntent = (q: string) => {
    const { scores, bestAnswers } = score(q)
    const intent = readIntent(
      plan(q).plan,
      openShippedVectors(),
      (stem) => match(stem).size,
      skills.length,
    )
    const { meaning } = intent
    if (!meaning) return { scores, isFitting: isAnswered(intent, bestAnswers, 0) }
    const joined = new Map<number, number>()
    let nearest = 0
    skills.forEach((_, ordinal) => {
      const nearness = meaning.share * findNearness(meaning.vector, vectors[ordinal]!)
      const own = scores.get(ordinal) ?? 0
      nearest = Math.max(nearest, nearness)
      if (own > 0 || nearness >= meaning.fit.alone) joined.set(ordinal, joinScores(own, nearness))
    })
    return { scores: joined, isFitting: isAnswered(intent, bestAnswers, nearest) }
  }

  /** Returns all results of a query, or every skill if the query is empty. */
  const findAll = (q: string): Result[] => {
    if (q.trim() === '') return skills.map((skill) => ({ skill, certainty: 0, score: 0 }))
    const named = findNamed(q)
    const { scores } = scoreByIntent(q)
    // A name without searchable tokens, such as an emoji, is still found by its exact text.
    const results = [...new Set([...named.keys(), ...scores.keys()])].map((ordinal) => {
      const certainty = named.get(ordinal) ?? NAMED.not
      const skill = skills[ordinal]!
      const share = skill.card.tokens === undefined || skill.card.deprecated ? LOW_RANK_FACTOR : 1
      // Skills with the same name match a query for it equally well.
      const ownScore = certainty ? 1 : (scores.get(ordinal) ?? 0)
      return { skill, certainty, score: Math.fround(ownScore * share) }
    })
    const withSuccessors = raise(
      results,
      ({ skill }) => bySlug.get(skill.card.deprecated?.use ?? ''),
      AHEAD.successor,
    )
    const findEldest = ({ skill, certainty }: Result): Ranked | undefined => {
      const oldest = eldest.get(readNameKeys(skill.listed.name).key)
      return certainty === NAMED.bySlug || oldest === skill ? undefined : oldest
    }
    return raise(withSuccessors, findEldest, AHEAD.eldest)
  }

  const isFitting = (q: string): boolean =>
    q.trim() === '' || findNamed(q).size > 0 || scoreByIntent(q).isFitting

  /** Removes the copies whose original is also among the results. */
  const fold = (results: readonly Result[]): Result[] => {
    const certainties = new Map(results.map(({ skill, certainty }) => [skill.listed.id, certainty]))
    return results.filter(({ skill: { listed }, certainty }) => {
      const ofOriginal = certainties.get(copies[listed.id] ?? 0)
      return ofOriginal === undefined || certainty > ofOriginal
    })
  }

  const known = new Set(skills.map(({ listed }) => listed.id))
  const toCardRow = ({ skill: { listed, card } }: Result): CardRow => {
    const isCopy = (copy: string): boolean => copies[copy] === listed.id && known.has(Number(copy))
    return { ...listed, ...card, copies: Object.keys(copies).filter(isCopy).length }
  }

  const findPage = (request: FindRequest): FoundPage => {
    const { q = '', limit, offset, sort } = request
    const all = findAll(q)
    if (!isFitting(q)) {
      const wanted = all.filter(({ skill }) => isWanted(request, skill))
      const folded = sortResults(fold(wanted), 'popular')
      const nearest = folded.slice(0, NEAREST_SHOWN).map(toCardRow)
      return { rows: [], total: 0, ...NO_COUNTS, nearest, corrected: [], plan: plan(q).plan }
    }
    const listWanted = (filter: Partial<FindRequest>): Result[] =>
      all.filter(({ skill }) => isWanted({ ...request, ...filter }, skill))
    const results = sortResults(fold(listWanted({})), sort)
    return {
      rows: results.slice(offset, offset + limit).map(toCardRow),
      total: results.length,
      nearest: [],
      categoryCounts: Object.fromEntries(
        [...new Set(all.map(({ skill }) => skill.listed.category))]
          .map(
            (category) => [category, fold(listWanted({ categories: [category] })).length] as const,
          )
          .filter(([, count]) => count > 0),
      ),
      facetCounts: FACET_VALUES.map(({ name, bit }) => {
        const wanted = listWanted({ facets: { ...request.facets, [name]: [] } })
        return fold(wanted.filter(({ skill }) => (skill.facets & bit) !== 0)).length
      }),
      ...plan(q),
    }
  }

  const find = (request: FindRequest): Found => {
    const { q = '', limit, offset, sort } = request
    const wanted = isFitting(q) ? findAll(q).filter(({ skill }) => isWanted(request, skill)) : []
    const rows = sortResults(wanted, sort).map(({ skill }) => skill.listed)
    return { skills: rows.slice(offset, offset + limit), total: wanted.length }
  }

  return {
    find,
    findPage,
    scoreAll: (q) =>
      new Map([...score(q).scores].map(([ordinal, own]) => [skills[ordinal]!.listed.id, own])),
  }
}
