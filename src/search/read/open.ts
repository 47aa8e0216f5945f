import type { Sort } from '../../catalog/browse.ts'
import type { Category } from '../../catalog/categories.ts'
import { COUNTED, RANKS_FIRST, bitsLeftOut } from '../../catalog/facets.ts'
import type { Facets } from '../../catalog/facets.ts'
import type { ListedSkill } from '../../catalog/skill.ts'
import { Documents } from '../format/documents.ts'
import type { CardRow } from '../format/documents.ts'
import { checkBytes, documentsStart, openSections, readHeader } from '../format/layout.ts'
import type { Header, ReadBytes, Sections } from '../format/layout.ts'
import { NAMED, NameTable, findAuthor } from '../format/names.ts'
import { Postings } from '../format/postings.ts'
import { StringTable } from '../format/bytes.ts'
import { readIntent } from '../intent.ts'
import { AHEAD, SINGLE_AUTHOR, LOW_RANK_FACTOR } from '../rank.ts'
import { chooseCorrections, listMisspelt, planQuery, readQueryWords } from '../query.ts'
import type { Clause, Corrected, QueryPlan, QueryWords } from '../query.ts'
import { stemWord } from '../tokens.ts'
import { Scoring, TopSkills } from './score.ts'
import type { Scored } from './score.ts'
import { WordVectors } from '../vectors.ts'
import { Vocabulary } from '../format/vocabulary.ts'

/** Restricts the skills of a listing or search. */
export interface Filter {
  /** Skills in any of these categories; an empty list means all. */
  categories: readonly Category[]
  /** Skills that these values leave. */
  facets?: Facets | undefined
  /** Skills of this author, ignoring case; for install clients only. */
  author?: string | undefined
  /** Skills that this team owns; only for pages. */
  team?: string | undefined
}

/** A validated request: `limit` is at least 1, `offset` at least 0. */
export interface FindRequest extends Filter {
  q?: string | undefined
  /** The order of a listing; the results of a query are ordered by score. */
  sort: Sort
  limit: number
  offset: number
}

/** A page of skills with the total of all pages. */
export interface Found {
  skills: ListedSkill[]
  total: number
}

/** A page of rows for people, with counts for all results. */
export interface FoundPage {
  rows: CardRow[]
  /** Total of all pages; a copy does not count if its original is a result. */
  total: number
  /** If the catalog has no skill for the query, at most three nearest skills. There are no results then. */
  nearest: CardRow[]
  /** Number of results in each category that has results. */
  categoryCounts: Readonly<Record<Category, number>>
  /** For each of `FACET_VALUES`, the number of results with it, if nothing were chosen in its facet. */
  facetCounts: readonly number[]
  /** Misspelt words, each with its correction. */
  corrected: Corrected[]
  /** The plan of the corrected query. */
  plan: QueryPlan
}

/** Answers listings and searches, from an index file or from a database. */
export interface SearchBackend {
  /** Finds a page. Throws UNAVAILABLE if the database cannot be read, or InvalidIndexError if the index file cannot. */
  find(request: FindRequest): Found | Promise<Found>
  /**
   * Finds a page for people: a copy is left out if its original is also a result, unless the query names the copy more
   * exactly. Throws like `find`.
   */
  findPage(request: FindRequest): FoundPage | Promise<FoundPage>
  /** Databases only: SHA-256 in hex of the index file that was loaded. It can belong to another build. */
  readDigest?(): Promise<string>
}

interface OrdinalPage {
  ordinals: number[]
  total: number
}

class FilteredSkills {
  readonly #categories: Uint8Array
  /** One bit for each category of the filter. */
  readonly #mask: number
  readonly #facets: Uint32Array
  /** Bits of facets that the filter leaves out. */
  readonly leftOut: number
  readonly #authors: Uint32Array
  /** The number of the wanted author, -1 if no skill has this author; undefined for any author. */
  readonly #author: number | undefined
  readonly #team: string | undefined
  readonly #teams: readonly string[]

  constructor(
    sections: Sections,
    names: readonly Category[],
    { categories, facets = {}, author, team }: Filter,
  ) {
    const chosen = categories.map((category) => 1 << names.indexOf(category))
    this.#categories = sections.categories
    this.#mask = chosen.length === 0 ? -1 : chosen.reduce((sum, bit) => sum | bit)
    this.#facets = sections.facets
    this.leftOut = bitsLeftOut(facets)
    this.#authors = sections.authors
    this.#author = author === undefined ? undefined : findAuthor(sections, author)
    this.#team = team
    // Decoded only if needed: few searches name a team.
    this.#teams = team === undefined ? [] : new TextDecoder().decode(sections.teams).split('\n')
  }

  has(ordinal: number): boolean {
    return this.isInCategory(ordinal) && this.hasFacets(ordinal) && this.isOwned(ordinal)
  }

  isInCategory(ordinal: number): boolean {
    return ((this.#mask >> this.#categories[ordinal]!) & 1) === 1
  }

  hasFacets(ordinal: number): boolean {
    return (this.#facets[ordinal]! & this.leftOut) === 0
  }

  isOwned(ordinal: number): boolean {
    return (
      (this.#author === undefined || this.#authors[ordinal] === this.#author) &&
      (this.#team === undefined || this.#teams[ordinal] === this.#team)
    )
  }
}

/** How many nearest skills a page shows if the catalog has none for the query. */
export const NEAREST_SHOWN = 3

/** The counts of a page without results. */
export const NO_COUNTS = {
  categoryCounts: {} as Readonly<Record<Category, number>>,
  facetCounts: COUNTED.map(() => 0),
}

const NOTHING: ReadonlySet<number> = new Set()

/** Lists a page of the filtered skills in an order, without those in `leftOut`. */
const browseSkills = (
  { categories, byInstalls, byViews, byName, byNewest }: Sections,
  filtered: FilteredSkills,
  leftOut: ReadonlySet<number>,
  { sort, offset, limit }: FindRequest,
): OrdinalPage => {
  // Popular order is the order of ordinals, so it needs no table.
  const orders = { installs: byInstalls, views: byViews, name: byName, newest: byNewest }
  const order = sort === 'popular' ? undefined : orders[sort]
  const ordinals: number[] = []
  let total = 0
  for (let place = 0; place < categories.length; place++) {
    const ordinal = order === undefined ? place : order[place]!
    if (!filtered.has(ordinal) || leftOut.has(ordinal)) continue
    if (total >= offset && ordinals.length < limit) ordinals.push(ordinal)
    total++
  }
  return { ordinals, total }
}

/** Returns the `limit` best-scored skills, and the number of all scored skills. Sets the scores of `leftOut` to 0. */
const pickBest = (
  { count, ordinals, scores }: Scored,
  leftOut: Iterable<number>,
  filtered: FilteredSkills,
  limit: number,
): OrdinalPage => {
  const top = new TopSkills(limit, count)
  for (const ordinal of leftOut) scores[ordinal] = 0
  let total = 0
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at]!
    const score = scores[ordinal]!
    if (score === 0 || !filtered.has(ordinal)) continue
    total++
    top.add(ordinal, score)
  }
  return { ordinals: top.takeAll(), total }
}

const ranksFirst = ({ facets }: Sections, ordinal: number): boolean =>
  (facets[ordinal]! & RANKS_FIRST) !== 0

const factorOf = (sections: Sections, ordinal: number): number =>
  ranksFirst(sections, ordinal) ? 1 : LOW_RANK_FACTOR

/** How exactly a query names a skill, and the order of skills that it names equally. */
interface Named {
  certainty: number
  score: number
}

const compareNamed = (a: Named, b: Named): number => b.certainty - a.certainty || b.score - a.score

/**
 * Lowers the scores of listed-only and deprecated skills. Rounds all scores to single precision: otherwise the order in
 * which numbers were added, and not popularity, would decide between equally good skills.
 */
const lowerAndRound = ({ count, ordinals, scores }: Scored, sections: Sections): void => {
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at]!
    scores[ordinal] = Math.fround(scores[ordinal]! * factorOf(sections, ordinal))
  }
}

/**
 * Raises the skills `ahead` above the skills `behind`, if both are results, except skills behind that the query names
 * with the certainty `unless`.
 */
const raise = (
  { scores }: Scored,
  named: Map<number, Named>,
  [behind, ahead]: readonly [Uint32Array, Uint32Array],
  factor: number,
  unless?: number,
): void => {
  for (let at = 0; at < behind.length; at++) {
    const [lower, upper] = [behind[at]!, ahead[at]!]
    const own = named.get(upper)
    if (own === undefined && scores[upper] === 0) continue
    const byName = named.get(lower)
    if (byName === undefined) scores[upper] = Math.max(scores[upper]!, scores[lower]! * factor)
    else if (byName.certainty !== unless) {
      const raised = { ...byName, score: byName.score * factor }
      if (own === undefined || compareNamed(raised, own) < 0) named.set(upper, raised)
    }
  }
}

/** If one author has all of the first results, lowers this author's scores (`SINGLE_AUTHOR`) and returns true. */
const lowerSingleAuthor = (
  best: readonly number[],
  { count, ordinals, scores }: Scored,
  { authors }: Sections,
): boolean => {
  const first = best.slice(0, SINGLE_AUTHOR.results)
  const author = authors[first[0] ?? 0]
  if (first.length < SINGLE_AUTHOR.results || first.some((ordinal) => authors[ordinal] !== author))
    return false
  const unchanged = new Set(first.slice(0, SINGLE_AUTHOR.unchanged))
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at]!
    if (authors[ordinal] === author && !unchanged.has(ordinal))
      scores[ordinal]! *= SINGLE_AUTHOR.factor
  }
  return true
}

/**
 * An index opened for search and browsing. Its head is in memory; postings and rows are read when they are needed. The
 * ordinal of a skill is its place in popular order. Methods throw InvalidIndexError if they read damaged bytes.
 */
export class PackedIndex implements SearchBackend {
  readonly size: number
  readonly terms: StringTable
  readonly postings: Postings
  readonly vocabulary: Vocabulary
  readonly documents: Documents
  readonly names: NameTable
  readonly scoring: Scoring
  readonly vectors: Int8Array
  readonly #sections: Sections
  readonly wordVectors: WordVectors
  readonly #words: QueryWords
  readonly #categoryNames: readonly Category[]

  constructor(header: Header, head: Uint8Array, readPostings: ReadBytes, readRow: ReadBytes) {
    const sections = openSections(head, header)
    const { termBytes, termBlocks, postingOffsets } = sections
    this.size = header.count
    this.terms = new StringTable(termBytes, termBlocks, postingOffsets.length - 1)
    this.postings = new Postings(header, sections, readPostings)
    this.vocabulary = new Vocabulary(sections)
    this.documents = new Documents(header, sections, readRow)
    this.names = new NameTable(sections, (ordinal) => this.documents.read(ordinal).name)
    this.vectors = sections.skillVectors
    this.wordVectors = new WordVectors(sections)
    this.scoring = new Scoring(this)
    this.#sections = sections
    this.#words = readQueryWords(sections.queryWords)
    this.#categoryNames = new TextDecoder().decode(sections.categoryNames).split(',')
  }

  /** Plans a query, and corrects its misspelt words. */
  plan(q: string): Pick<FoundPage, 'plan' | 'corrected'> {
    const typed = planQuery(q, this.#words)
    const corrections = listMisspelt(typed, (clause) => this.#isKnown(clause)).map((word) => ({
      typed: word,
      words: this.vocabulary.correct(word).map((number) => this.vocabulary.read(number)),
    }))
    const corrected = chooseCorrections(corrections, (word) => this.#countHolders(stemWord(word)))
    const plan = corrected.length === 0 ? typed : planQuery(q, this.#words, corrected)
    return { plan, corrected }
  }

  #isKnown({ stems: [stem = ''], word = '', unfinished }: Clause): boolean {
    if (this.terms.find(stem) !== -1 || this.wordVectors.has(stem)) return true
    const [from, to] = this.vocabulary.complete(word)
    return unfinished && from < to
  }

  find(request: FindRequest): Found {
    const { ordinals, total } = this.#findOrdinals(request)
    return { skills: ordinals.map((ordinal) => this.documents.read(ordinal)), total }
  }

  findPage(request: FindRequest): FoundPage {
    const filtered = new FilteredSkills(this.#sections, this.#categoryNames, request)
    const { q = '' } = request
    const { plan, corrected } = this.plan(q)
    if (q.trim() === '') {
      const { folded, ...counts } = this.#count(filtered, undefined, new Map())
      const page = browseSkills(this.#sections, filtered, folded, request)
      return { ...this.#showPage(page), ...counts, nearest: [], corrected: [], plan }
    }
    return this.#score(q, plan, (scored, named) => {
      const { folded, ...counts } = this.#count(filtered, scored, named)
      if (!scored.isAnswered && named.size === 0) {
        const { rows: nearest } = this.#showPage(pickBest(scored, folded, filtered, NEAREST_SHOWN))
        return { rows: [], total: 0, ...NO_COUNTS, nearest, corrected: [], plan }
      }
      const page = this.#pickNamedAndBest(scored, named, filtered, folded, request)
      return { ...this.#showPage(page), ...counts, nearest: [], corrected, plan }
    })
  }

  #score<Result>(
    q: string,
    plan: QueryPlan,
    readScores: (scored: Scored, named: ReadonlyMap<number, Named>) => Result,
  ): Result {
    const sections = this.#sections
    const countHolders = (stem: string): number => this.#countHolders(stem)
    const intent = readIntent(plan, this.wordVectors, countHolders, this.size)
    const named = new Map(
      [...this.names.find(q)].map(([ordinal, certainty]) => [
        ordinal,
        { certainty, score: factorOf(sections, ordinal) },
      ]),
    )
    return this.scoring.score(plan, intent, (scored) => {
      lowerAndRound(scored, sections)
      const { replaced, successors, namesakes, eldest } = sections
      raise(scored, named, [replaced, successors], AHEAD.successor)
      raise(scored, named, [namesakes, eldest], AHEAD.eldest, NAMED.bySlug)
      return readScores(scored, named)
    })
  }

  #countHolders(stem: string): number {
    const term = this.terms.find(stem)
    return term === -1 ? 0 : this.postings.count(term)
  }

  /** Counts the results, and lists the copies to leave out (`folded`). Without scores, every skill is a result. */
  #count(
    filtered: FilteredSkills,
    scored: Scored | undefined,
    named: ReadonlyMap<number, Named>,
  ): Pick<FoundPage, 'categoryCounts' | 'facetCounts'> & { folded: ReadonlySet<number> } {
    const { categories, copies, originals, facets } = this.#sections
    const counts = this.#categoryNames.map(() => 0)
    const facetCounts = COUNTED.map(() => 0)
    /** Adds skills that all have the bits `shared`, and together the bits `either`. */
    const addFacets = (shared: number, either: number, by: number): void => {
      for (const [at, { bit, others }] of COUNTED.entries())
        if ((shared & bit) !== 0 && (either & filtered.leftOut & others) === 0)
          facetCounts[at]! += by
    }
    const add = (ordinal: number): void => {
      if (!filtered.isOwned(ordinal)) return
      if (filtered.hasFacets(ordinal)) counts[categories[ordinal]!]! += 1
      if (filtered.isInCategory(ordinal)) addFacets(facets[ordinal]!, facets[ordinal]!, 1)
    }
    const isResult = (ordinal: number): boolean =>
      filtered.isOwned(ordinal) &&
      (scored === undefined || named.has(ordinal) || scored.scores[ordinal]! > 0)
    if (scored === undefined) for (let ordinal = 0; ordinal < this.size; ordinal++) add(ordinal)
    else {
      for (const ordinal of named.keys()) add(ordinal)
      for (let at = 0; at < scored.count; at++) {
        const ordinal = scored.ordinals[at]!
        if (!named.has(ordinal) && scored.scores[ordinal]! > 0) add(ordinal)
      }
    }
    const folded = new Set<number>()
    for (let at = 0; at < copies.length; at++) {
      const [copy, original] = [copies[at]!, originals[at]!]
      if (!isResult(copy) || !isResult(original)) continue
      // If a query names a copy more exactly than its original, the copy is wanted.
      const certaintyOf = (ordinal: number): number => named.get(ordinal)?.certainty ?? NAMED.not
      if (certaintyOf(copy) > certaintyOf(original)) continue
      const areLeft = filtered.hasFacets(copy) && filtered.hasFacets(original)
      if (areLeft && categories[copy] === categories[original]) counts[categories[copy]!]! -= 1
      if (!filtered.isInCategory(copy) || !filtered.isInCategory(original)) continue
      if (areLeft) folded.add(copy)
      addFacets(facets[copy]! & facets[original]!, facets[copy]! | facets[original]!, -1)
    }
    const found = this.#categoryNames.flatMap((name, at) =>
      counts[at]! > 0 ? [[name, counts[at]!] as const] : [],
    )
    return { folded, categoryCounts: Object.fromEntries(found), facetCounts }
  }

  #showPage({ ordinals, total }: OrdinalPage): Pick<FoundPage, 'rows' | 'total'> {
    const copies = new Map(ordinals.map((ordinal) => [ordinal, 0]))
    for (const original of this.#sections.originals) {
      const count = copies.get(original)
      if (count !== undefined) copies.set(original, count + 1)
    }
    const rows = ordinals.map((ordinal) => ({
      ...this.documents.readCard(ordinal),
      copies: copies.get(ordinal) ?? 0,
    }))
    return { rows, total }
  }

  #findOrdinals(request: FindRequest): OrdinalPage {
    const filtered = new FilteredSkills(this.#sections, this.#categoryNames, request)
    const { q = '' } = request
    if (q.trim() === '') return browseSkills(this.#sections, filtered, NOTHING, request)
    const { plan } = this.plan(q)
    return this.#score(q, plan, (scored, named) =>
      scored.isAnswered || named.size > 0
        ? this.#pickNamedAndBest(scored, named, filtered, NOTHING, request)
        : { ordinals: [], total: 0 },
    )
  }

  /** Skills that the query names come first, then the rest by score. */
  #pickNamedAndBest(
    scored: Scored,
    named: ReadonlyMap<number, Named>,
    filtered: FilteredSkills,
    leftOut: ReadonlySet<number>,
    { offset, limit }: FindRequest,
  ): OrdinalPage {
    const first = [...named]
      .filter(([ordinal]) => filtered.has(ordinal) && !leftOut.has(ordinal))
      // Of skills that the query names equally, listed-only and deprecated ones come last, then popularity decides.
      .sort(([a, nameA], [b, nameB]) => compareNamed(nameA, nameB) || a - b)
      .map(([ordinal]) => ordinal)
    const to = Math.min(offset + limit, this.size)
    const hidden = [...named.keys(), ...leftOut]
    const pick = () =>
      pickBest(scored, hidden, filtered, Math.max(to - first.length, SINGLE_AUTHOR.results))
    let { ordinals, total } = pick()
    if (lowerSingleAuthor(ordinals, scored, this.#sections)) ({ ordinals, total } = pick())
    return {
      ordinals: [...first, ...ordinals].slice(offset, to),
      total: first.length + total,
    }
  }
}

/** Opens an index that is in memory. Throws InvalidIndexError if it is damaged. */
export const openIndex = (bytes: Uint8Array): PackedIndex => {
  const header = readHeader(bytes, bytes.length)
  const rows = documentsStart(header)
  checkBytes(bytes.subarray(header.headSize, rows), header.postingsChecksum)
  checkBytes(bytes.subarray(rows), header.documentsChecksum)
  const read: ReadBytes = (from, to) => bytes.subarray(from, to)
  return new PackedIndex(header, bytes.subarray(0, header.headSize), read, read)
}
