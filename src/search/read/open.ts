import { Documents } from '../format/documents.ts'
import { checkBytes, documentsStart, openSections, readHeader } from '../format/layout.ts'
import type { Header, ReadBytes, Sections } from '../format/layout.ts'
import { NameTable } from '../format/names.ts'
import { Postings } from '../format/postings.ts'
import { StringTable } from '../format/strings.ts'
import { planQuery } from '../query.ts'
import type { QueryPlan } from '../query.ts'
import { FilteredSkills, browseSkills } from './browse.ts'
import type { FindRequest, Found, OrdinalPage, SkillIndex } from './browse.ts'
import { Scoring } from './score.ts'
import type { ScoreStep, Scored } from './score.ts'
import { TopSkills } from './top-skills.ts'
import { Vocabulary } from './vocabulary.ts'

/** Reads what follows the head of a file. */
interface IndexSource {
  readPostings: ReadBytes
  readRow: ReadBytes
}

type Named = ReadonlyMap<number, number>

/** The best of what was scored from one place to before another, and the count of all; named skills are left out. */
const pickBest = (
  { count, ordinals, scores, floor }: Scored,
  named: Named,
  wanted: FilteredSkills,
  from: number,
  to: number,
): OrdinalPage => {
  const top = new TopSkills(to, count)
  // A named skill has its place already, and no score is below 0.
  for (const ordinal of named.keys()) scores[ordinal] = -1
  let total = 0
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at]!
    const score = scores[ordinal]!
    if (score < floor || !wanted.has(ordinal)) continue
    total++
    top.add(ordinal, score)
  }
  for (const ordinal of named.keys()) scores[ordinal] = 0
  return { ordinals: top.list(from), total }
}

/**
 * An index file opened for search and browsing. Its head is in memory; postings and rows are read as they are
 * needed. Ordinals are places in popular order. Throws InvalidIndexError where what it reads is damaged.
 */
export class PackedIndex implements SkillIndex {
  readonly size: number
  readonly terms: StringTable
  readonly postings: Postings
  readonly vocabulary: Vocabulary
  readonly documents: Documents
  readonly names: NameTable
  readonly #sections: Sections
  readonly #scoring: Scoring

  constructor(header: Header, head: Uint8Array, { readPostings, readRow }: IndexSource) {
    const sections = openSections(head, header)
    const { termBytes, termBlocks, postingOffsets } = sections
    this.size = header.count
    this.terms = new StringTable(termBytes, termBlocks, postingOffsets.length - 1)
    this.postings = new Postings(header, sections, readPostings)
    this.vocabulary = new Vocabulary(sections)
    this.documents = new Documents(header, sections, readRow)
    this.names = new NameTable(sections, (ordinal) => this.documents.read(ordinal).name)
    this.#sections = sections
    this.#scoring = new Scoring(this)
  }

  find(request: FindRequest): Found {
    const { ordinals, total } = this.#findPage(request)
    return { skills: ordinals.map((ordinal) => this.documents.read(ordinal)), total }
  }

  findRows(request: FindRequest): { rows: Uint8Array[]; total: number } {
    const { ordinals, total } = this.#findPage(request)
    return { rows: ordinals.map((ordinal) => this.documents.readRow(ordinal)), total }
  }

  /** Scores all skills; `take` reads the scores, and the next query finds nothing of them. */
  scoreQuery<Result>(
    plan: QueryPlan,
    take: (scored: Scored) => Result,
    noteStep?: (step: ScoreStep) => void,
  ): Result {
    return this.#scoring.score(plan, take, noteStep)
  }

  #findPage(request: FindRequest): OrdinalPage {
    const wanted = new FilteredSkills(this.#sections, request)
    const { q = '' } = request
    return q.trim() === ''
      ? browseSkills(this.#sections, wanted, request)
      : this.#search(q, wanted, request)
  }

  /** Skills that the query names come first, then the rest by score. */
  #search(q: string, wanted: FilteredSkills, { offset, limit }: FindRequest): OrdinalPage {
    // A name may hold nothing to search, an emoji say; whoever types it still finds it.
    const named = this.names.find(q)
    const first = [...named]
      .filter(([ordinal]) => wanted.has(ordinal))
      // Namesakes are equally what was asked for, so popularity alone puts them in order.
      .sort(([a, surely], [b, sure]) => sure - surely || a - b)
      .map(([ordinal]) => ordinal)
    const from = Math.max(0, Math.min(offset, this.size) - first.length)
    const to = Math.max(0, Math.min(offset + limit, this.size) - first.length)
    const { ordinals, total } = this.scoreQuery(planQuery(q), (scored) =>
      pickBest(scored, named, wanted, from, to),
    )
    return {
      ordinals: [...first.slice(offset, offset + limit), ...ordinals],
      total: first.length + total,
    }
  }
}

/** Opens what `packIndex` wrote, all of it in memory. Throws InvalidIndexError where a byte is not as it was. */
export const openIndex = (bytes: Uint8Array): PackedIndex => {
  const header = readHeader(bytes, bytes.length)
  const rows = documentsStart(header)
  checkBytes(bytes.subarray(header.headSize, rows), header.postingsChecksum)
  checkBytes(bytes.subarray(rows), header.documentsChecksum)
  const read: ReadBytes = (from, to) => bytes.subarray(from, to)
  return new PackedIndex(header, bytes.subarray(0, header.headSize), {
    readPostings: read,
    readRow: read,
  })
}
